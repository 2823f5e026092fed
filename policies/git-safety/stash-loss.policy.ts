import { definePolicy, deny } from 'hookgate/policy'
import { gitCallsIn } from './git.ts'

export default definePolicy({
  id: 'stash-loss',
  severity: 'medium',
  description: 'Refuses to delete stashed changes',
  on: 'PreToolUse',
  tool: 'shell',
  decide({ shell }) {
    for (const { subcommand, args } of gitCallsIn(shell)) {
      const [what, ...rest] = args.map(({ value }) => value)
      if (subcommand !== 'stash' || (what !== 'drop' && what !== 'clear')) continue
      if (rest.some((word) => word === '-h' || word === '--help')) continue
      return deny(
        `git stash ${what} deletes changes that are nowhere else: leave them, or make a branch of them (git stash branch)`,
      )
    }
    return undefined
  },
  examples: [
    { name: 'dropping one', given: { input: { command: 'git stash drop' } }, want: 'deny' },
    { name: 'taking one out', given: { input: { command: 'git stash pop' } }, want: 'abstain' },
    { name: 'clearing all', given: { input: { command: 'git -C sub stash clear' } }, want: 'deny' },
    { name: 'listing all', given: { input: { command: 'git stash list' } }, want: 'abstain' },
    { name: 'a message that says so', given: { input: { command: 'git stash push -m clear' } }, want: 'abstain' },
    { name: 'behind another', given: { input: { command: 'git stash && git stash drop' } }, want: 'deny' },
    { name: 'help', given: { input: { command: 'git stash drop --help' } }, want: 'abstain' },
  ],
})
