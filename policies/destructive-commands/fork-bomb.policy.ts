import { abstains, definePolicy, denies, deny } from 'hookgate/policy'

/** Fork bombs in Python, Perl and Ruby, in their usual form. */
const forking =
  /\bfork\s{0,9}(?:\(\))?\s{1,9}while\b|\bwhile\s{0,9}\(?\s{0,9}(?:true|1)\s{0,9}\)?\s{0,9}[:{]?\s{0,9}(?:os\.)?fork\b|\bloop\s{0,9}(?:do\b|\{)\s{0,9}fork\b/i

/** Characters of a line that a reason shows. */
const shownMax = 40

export default definePolicy({
  id: 'fork-bomb',
  severity: 'critical',
  description: 'Refuses commands that start processes until the machine hangs',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'prompt'],
  interest: { code: true },
  decide({ tool, shell }) {
    const at = shell.commands.findIndex(({ code }) => forking.test(code?.text ?? ''))
    if (shell.forkBomb !== true && at === -1) return undefined
    const what = shell.commands[at]?.program ?? (tool.command ?? '').slice(0, shownMax)
    const reason = `\`${what}\` starts processes endlessly: wait for each process before starting the next`
    return at === -1 ? deny(reason) : deny(reason, { at })
  },
  examples: [
    denies('the well-known fork bomb', ':(){ :|:& };:'),
    abstains('a fork bomb as text', "echo ':(){ :|:& };:'"),
    denies('a fork bomb with a name', 'b() { b | b & }; b'),
    abstains('a function that is never called', 'b() { echo a | cat; }'),
    denies('a fork bomb in Python', `python3 -c 'import os\nwhile True: os.fork()'`),
    abstains('one fork in Python', `python3 -c 'import os; os.fork()'`),
    denies('a loop', 'while true; do sleep 9 & done'),
    abstains('a loop that waits', 'while true; do sleep 9; done'),
  ],
})
