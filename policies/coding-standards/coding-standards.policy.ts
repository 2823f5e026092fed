import { abstains, context, definePolicy, notice } from 'hookgate/policy'

const withinWord = /[\p{L}\p{N}_]$/u

/** True if a word begins with the keyword: `api` matches `APIs`, but not `rapid`. */
function mentions(prompt: string, keyword: string): boolean {
  const before = prompt.split(keyword).slice(0, -1)
  return before.some((text) => !withinWord.test(text))
}

export default definePolicy({
  id: 'coding-standards',
  description: 'Tells the model which coding standards apply to the subject of a prompt',
  on: 'UserPromptSubmit',
  params: {
    standards: {
      type: 'strings',
      default: [
        'component, react: Follow React functional component patterns with proper TypeScript types',
        'api, endpoint: Use consistent REST API patterns with proper error handling',
      ],
      description: 'each `keyword, keyword: standard`; the first one that a prompt mentions is used',
    },
  },
  // The policy only advises, so its failure must not block a prompt.
  onFailure: 'continue',
  decide({ event, params }) {
    const prompt = event.prompt?.toLowerCase() ?? ''
    const unclear: ReturnType<typeof notice>[] = []
    for (const line of params.standards) {
      const keywords = line.split(':', 1).flatMap((list) => list.toLowerCase().split(','))
      const words = keywords.map((word) => word.trim())
      const standard = line.split(':').slice(1).join(':').trim()
      if (standard === '' || words.includes('')) {
        unclear.push(notice(`coding-standards: "${line}" must have the form "keyword, keyword: standard"`))
      } else if (words.some((word) => mentions(prompt, word))) {
        return [...unclear, context(`CODING_STANDARDS: ${standard}`)]
      }
    }
    return unclear
  },
  examples: [
    {
      name: 'a component',
      given: { prompt: 'Add a component for the header' },
      want: { context: 'CODING_STANDARDS: Follow React functional component patterns with proper TypeScript types' },
    },
    { name: 'React, however it is written', given: { prompt: 'REACT' }, want: { context: 'Follow React' } },
    {
      name: 'an endpoint',
      given: { prompt: 'write a new endpoint' },
      want: { context: 'CODING_STANDARDS: Use consistent REST API patterns with proper error handling' },
    },
    { name: 'several APIs', given: { prompt: 'unify our APIs' }, want: { context: 'Use consistent REST' } },
    { name: 'the first of two', given: { prompt: 'an api for the component' }, want: { context: 'Follow React' } },
    { name: 'a path', given: { prompt: 'see src/api/users.ts' }, want: { context: 'Use consistent REST' } },
    abstains('within another word', { prompt: 'rapid capital therapies' }),
    abstains('behind an underscore', { prompt: 'my_api' }),
    abstains('behind a digit', { prompt: '2api' }),
    {
      name: 'within a word, and then as one',
      given: { prompt: 'rapid api' },
      want: { context: 'Use consistent REST' },
    },
    abstains('behind another letter than English has', { prompt: 'üapi' }),
    abstains('something else', { prompt: 'Fix the typo' }),
    abstains('no prompt', {}),
    {
      name: 'a standard of their own',
      given: { prompt: 'Change the schema', params: { standards: [' SQL ,Schema:  Write a migration: up and down '] } },
      want: { context: 'CODING_STANDARDS: Write a migration: up and down' },
    },
    abstains('instead of the usual ones', {
      prompt: 'a react component',
      params: { standards: ['sql: Write a migration'] },
    }),
    abstains('a word of the standard itself', { prompt: 'migration', params: { standards: ['sql: migration'] } }),
    abstains('none', { prompt: 'a react component', params: { standards: [] } }),
    {
      name: 'a standard without keywords is reported to the person',
      given: { prompt: 'anything', params: { standards: ['Write tests'] } },
      want: { notice: 'coding-standards: "Write tests" must have the form "keyword, keyword: standard"' },
    },
    {
      name: 'keywords without a standard as well',
      given: { prompt: 'an api', params: { standards: ['api: '] } },
      want: 'notice',
    },
    { name: 'an empty keyword as well', given: { prompt: 'any', params: { standards: ['a,: b'] } }, want: 'notice' },
    { name: 'no keyword at all as well', given: { prompt: 'any', params: { standards: [': b'] } }, want: 'notice' },
    {
      name: 'and what stands behind it still holds',
      given: { prompt: 'an api', params: { standards: ['Write tests', 'api: Use REST'] } },
      want: { context: 'CODING_STANDARDS: Use REST', notice: 'must have the form' },
    },
  ],
})
