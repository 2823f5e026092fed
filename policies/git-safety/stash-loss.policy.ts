import { abstains, definePolicy, denies, deny } from 'hookgate/policy'
import { gitCallsIn } from './git.ts'

export default definePolicy({
  id: 'stash-loss',
  severity: 'medium',
  description: 'Refuses to delete stashed changes',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub'], with: ['stash'] },
  decide({ shell }) {
    for (const { subcommand, args, at } of gitCallsIn(shell)) {
      const [what, ...rest] = args.map(({ value }) => value)
      if (subcommand !== 'stash' || (what !== 'drop' && what !== 'clear')) continue
      if (rest.some((word) => word === '-h' || word === '--help')) continue
      return deny(
        `git stash ${what} deletes changes that are nowhere else: leave them, or make a branch of them (git stash branch)`,
        { at },
      )
    }
    return undefined
  },
  examples: [
    denies('dropping one', 'git stash drop'),
    abstains('taking one out', 'git stash pop'),
    denies('clearing all', 'git -C sub stash clear'),
    abstains('listing all', 'git stash list'),
    abstains('a message that says so', 'git stash push -m clear'),
    denies('behind another', 'git stash && git stash drop'),
    abstains('help', 'git stash drop --help'),
  ],
})
