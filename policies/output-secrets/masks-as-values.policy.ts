import { definePolicy, deny, quoted, setOf, type ToolKind } from 'hookgate/policy'

/** Tools in whose calls a mask is only spoken of. */
const spoken = setOf<ToolKind>(['agent', 'search', 'websearch'])

const mask = /\[hidden by hookgate: ([^\]\n]{1,200})\]/

export default definePolicy({
  id: 'masks-as-values',
  description: 'Refuses calls in which what hides a secret stands in the place of the secret',
  severity: 'medium',
  on: 'PreToolUse',
  decide({ tool }) {
    if (tool === undefined || spoken.has(tool.kind)) return undefined
    const said = mask.exec(JSON.stringify(tool.input))?.[1]
    if (said === undefined) return undefined
    const [what = '', ...ways] = said.split('; ')
    const way = ways.join('; ').replaceAll(/\$\(.*\)|\$\w+|\S*[./]\S*/g, (name) => `\`${name}\``)
    const isEdit = tool.kind === 'write' || tool.kind === 'edit'
    const advice = isEdit ? 'change only the other lines' : way === '' ? 'have the command read the value itself' : way
    return deny(`this call has hookgate's mask of ${quoted(what)} in it, and not the secret itself: ${advice}`)
  },
  examples: [
    {
      name: 'in a command',
      given: {
        tool: 'shell',
        input: {
          command: 'curl -H "Authorization: Bearer [hidden by hookgate: GitHub token; use $(gh auth token)]" a.example',
        },
      },
      want: { effect: 'deny', reason: 'itself: use `$(gh auth token)`' },
    },
    {
      name: 'without a way to the value',
      given: { tool: 'mcp__db__query', input: { key: '[hidden by hookgate: Stripe or Clerk token]' } },
      want: { effect: 'deny', reason: 'read the value itself' },
    },
    {
      name: 'in a file',
      given: {
        tool: 'write',
        input: { path: '.env', content: 'A=1\nKEY=[hidden by hookgate: value of KEY; load .env and use $KEY]\n' },
      },
      want: { effect: 'deny', reason: 'change only the other lines' },
    },
    {
      name: 'a search for masks',
      given: { tool: 'search', input: { pattern: '[hidden by hookgate: GitHub token]' } },
      want: 'abstain',
    },
    {
      name: 'a word about masks',
      given: { tool: 'shell', input: { command: 'grep -rn "hidden by hookgate" src' } },
      want: 'abstain',
    },
  ],
})
