import { definePolicy, deny, quoted } from 'hookgate/policy'

/** Matches a mask of hookgate, also one that was cut off, and takes what it says: which secret, and how to use it unseen. */
const mask = /hidden by hookgate: (\w[^\]"']+)/i

/** Returns a text with one blank in place of line breaks, escaped blanks and blanks of addresses (`+`, `%20`). */
const withBlanks = (text: string): string =>
  text
    .replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\(?![nrt])/g, '')
    .replaceAll(/(?:\\[nrt]|[ +])+/g, ' ')

export default definePolicy({
  id: 'masks-as-values',
  description: 'Refuses calls in which what hides a secret stands in the place of the secret',
  severity: 'medium',
  on: 'PreToolUse',
  // In searches, and in what other agents are told, a mask is only spoken of.
  tool: ['shell', 'read', 'write', 'edit', 'list', 'fetch', 'browser', 'mcp', 'other'],
  decide({ tool }) {
    const said = mask.exec(withBlanks(JSON.stringify(tool.input)))?.[1]
    if (said === undefined) return undefined
    const way =
      /; (.+)/.exec(said)?.[1]?.replace(/\$.+/, (value) => quoted(value)) ?? 'have the command read the value itself'
    const isEdit = tool.kind === 'write' || tool.kind === 'edit'
    const advice = isEdit ? 'change only the other lines' : way
    const what = quoted(said.replace(/; .*/, ''))
    return deny(`this call has hookgate's mask of ${what} in it, and not the secret itself: ${advice}`)
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
      want: {
        effect: 'deny',
        reason: 'mask of `GitHub token` in it, and not the secret itself: use `$(gh auth token)`',
      },
    },
    {
      name: 'without a way to the value',
      given: { tool: 'mcp__db__query', input: { key: '[hidden by hookgate: Stripe or Clerk token]' } },
      want: {
        effect: 'deny',
        reason:
          'mask of `Stripe or Clerk token` in it, and not the secret itself: have the command read the value itself',
      },
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
      name: 'in an edit',
      given: { tool: 'edit', input: { path: 'a', old_string: 'k=[hidden by hookgate: secret]', content: 'k=1' } },
      want: { effect: 'deny', reason: 'change only the other lines' },
    },
    {
      name: 'cut, and in other letters',
      given: { tool: 'shell', input: { command: "login 'Hidden by hookgate: value of KEY; ' a" } },
      want: {
        effect: 'deny',
        reason: 'mask of `value of KEY` in it, and not the secret itself: have the command',
      },
    },
    {
      name: 'as in an address',
      given: { tool: 'fetch', input: { url: 'https://a.example/?k=%5bhidden+by%20hookgate%3A+GitHub%20token%5D' } },
      want: { effect: 'deny', reason: 'mask of `GitHub token` in' },
    },
    {
      name: 'escaped, and over two lines',
      given: { tool: 'shell', input: { command: 'login \\[hidden\\ by\\ hookgate:\\ GitHub\n\ttoken\\]' } },
      want: { effect: 'deny', reason: 'mask of `GitHub token` in' },
    },
    {
      name: 'a word about masks',
      given: { tool: 'shell', input: { command: 'grep -rnP "hidden by hookgate: \\w" src' } },
      want: 'abstain',
    },
  ],
})
