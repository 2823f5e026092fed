import { definePolicy, deny } from 'hookgate/policy'

export default definePolicy({
  id: 'fork-bomb',
  severity: 'critical',
  description: 'Refuses what starts processes until the machine stands still',
  on: 'PreToolUse',
  tool: 'shell',
  decide({ shell }) {
    if (shell.forkBomb !== true) return undefined
    return deny('this starts processes without end: bound the loop, or wait for each process before the next')
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
    { name: 'a loop', given: { input: { command: 'while true; do sleep 9 & done' } }, want: 'deny' },
    { name: 'a loop that waits', given: { input: { command: 'while true; do sleep 9; done' } }, want: 'abstain' },
  ],
})
