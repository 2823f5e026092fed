import { definePolicy, deny } from 'hookgate/policy'

/** The same in Python, Perl and Ruby, as it is usually written. */
const forking =
  /\bfork\s{0,9}(?:\(\))?\s{1,9}while\b|\bwhile\s{0,9}\(?\s{0,9}(?:true|1)\s{0,9}\)?\s{0,9}[:{]?\s{0,9}(?:os\.)?fork\b|\bloop\s{0,9}(?:do\b|\{)\s{0,9}fork\b/i

export default definePolicy({
  id: 'fork-bomb',
  severity: 'critical',
  description: 'Refuses commands that start processes until the machine hangs',
  on: 'PreToolUse',
  tool: 'shell',
  decide({ shell }) {
    const at = shell.commands.findIndex(({ code }) => forking.test(code?.text ?? ''))
    if (shell.forkBomb !== true && at === -1) return undefined
    const reason = 'this starts processes endlessly: limit the loop, or wait for each process before starting the next'
    return at === -1 ? deny(reason) : deny(reason, { at })
  },
  examples: [
    { name: 'the well-known one', given: { input: { command: ':(){ :|:& };:' } }, want: 'deny' },
    { name: 'as text', given: { input: { command: "echo ':(){ :|:& };:'" } }, want: 'abstain' },
    { name: 'with a name', given: { input: { command: 'b() { b | b & }; b' } }, want: 'deny' },
    {
      name: 'a function that is never called',
      given: { input: { command: 'b() { echo a | cat; }' } },
      want: 'abstain',
    },
    { name: 'in Python', given: { input: { command: `python3 -c 'import os\nwhile True: os.fork()'` } }, want: 'deny' },
    { name: 'one fork in Python', given: { input: { command: `python3 -c 'import os; os.fork()'` } }, want: 'abstain' },
    { name: 'a loop', given: { input: { command: 'while true; do sleep 9 & done' } }, want: 'deny' },
    { name: 'a loop that waits', given: { input: { command: 'while true; do sleep 9; done' } }, want: 'abstain' },
  ],
})
