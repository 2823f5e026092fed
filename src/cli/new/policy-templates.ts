/** The events that there is a starting point for. */
export const policyEvents = ['PreToolUse', 'UserPromptSubmit'] as const
export type PolicyEvent = (typeof policyEvents)[number]

/**
 * A policy with a param, a fact and one condition, and examples on both sides of each part of it: it is covered whole,
 * and no small change of it goes unnoticed. It is JavaScript and TypeScript alike.
 */
export function policySource(id: string, event: PolicyEvent): string {
  switch (event) {
    case 'PreToolUse':
      return guard(id)
    case 'UserPromptSubmit':
      return context(id)
  }
}

const guard = (id: string) => `import { definePolicy, deny } from 'hookgate/policy'

export default definePolicy({
  id: '${id}',
  description: 'Keeps generated files from being edited by hand',
  on: 'PreToolUse',
  tool: ['write', 'edit'],
  params: {
    folder: { type: 'string', default: 'generated/', description: 'Where everything is generated' },
  },
  facts: {
    generator: { exists: 'codegen.json' },
  },
  decide({ event, tool, facts, params }) {
    if (!facts.generator) return undefined
    const folders = event.workspaceRoots.map((root) => \`\${root}/\${params.folder}\`)
    // Some agents write whole paths, others paths from where they are.
    const generated = tool.paths.find((path) =>
      [path, \`\${event.session.cwd}/\${path}\`].some((whole) => folders.some((folder) => whole.startsWith(folder))),
    )
    if (generated === undefined) return undefined
    return deny(\`\${generated} is generated: change codegen.json, and generate it again\`)
  },
  examples: [
    {
      name: 'a generated file',
      given: { input: { path: 'generated/api.ts' }, facts: { generator: true } },
      want: { effect: 'deny', reason: 'generated/api.ts is generated: change codegen.json, and generate it again' },
    },
    {
      name: 'its whole path',
      given: { input: { path: '/workspace/generated/api.ts' }, facts: { generator: true } },
      want: 'deny',
    },
    {
      name: 'in the second of two workspaces',
      given: { input: { path: '/b/generated/api.ts' }, workspaceRoots: ['/a', '/b'], facts: { generator: true } },
      want: 'deny',
    },
    {
      name: 'a file of that name elsewhere',
      given: { input: { path: 'docs/generated/api.ts' }, facts: { generator: true } },
      want: 'abstain',
    },
    {
      name: 'a copy of the workspace',
      given: { input: { path: '/backup/workspace/generated/api.ts' }, facts: { generator: true } },
      want: 'abstain',
    },
    {
      name: 'a project that generates nothing',
      given: { input: { path: 'generated/api.ts' }, facts: { generator: false } },
      want: 'abstain',
    },
    {
      name: 'another folder, by the rules file',
      given: { input: { path: 'src/gen/api.ts' }, facts: { generator: true }, params: { folder: 'src/gen/' } },
      want: 'deny',
    },
    {
      name: 'a tool that names no file',
      given: { input: {}, facts: { generator: true } },
      want: 'abstain',
    },
  ],
})
`

const context = (id: string) => `import { context, definePolicy } from 'hookgate/policy'

export default definePolicy({
  id: '${id}',
  description: 'Tells the coding standards where a prompt is about them',
  on: 'UserPromptSubmit',
  params: {
    word: { type: 'string', default: 'component', description: 'What a prompt that is about them says' },
  },
  facts: {
    standards: { text: 'docs/coding-standards.md' },
  },
  decide({ event, facts, params }) {
    if (facts.standards && event.prompt?.includes(params.word)) {
      return context(\`CODING_STANDARDS: \${facts.standards}\`)
    }
  },
  examples: [
    {
      name: 'a prompt about components',
      given: { prompt: 'add a component for the menu', facts: { standards: 'no classes' } },
      want: { context: 'CODING_STANDARDS: no classes' },
    },
    {
      name: 'a prompt about something else',
      given: { prompt: 'mend the build', facts: { standards: 'no classes' } },
      want: 'abstain',
    },
    {
      name: 'a project without standards',
      given: { prompt: 'add a component for the menu' },
      want: 'abstain',
    },
    {
      name: 'another word, by the rules file',
      given: { prompt: 'add a widget', facts: { standards: 'no classes' }, params: { word: 'widget' } },
      want: 'context',
    },
    {
      name: 'an event without a prompt',
      given: { facts: { standards: 'no classes' } },
      want: 'abstain',
    },
  ],
})
`
