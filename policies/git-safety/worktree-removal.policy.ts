import { abstains, definePolicy, denies, deny } from 'hookgate/policy'
import { isFresh } from './fresh.ts'
import { gitCallsIn, optionsOf, shown } from './git.ts'

export default definePolicy({
  id: 'worktree-removal',
  severity: 'medium',
  description: 'Refuses to remove worktrees by force along with changes that are in no commit',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub'], with: ['worktree'] },
  decide({ shell }) {
    for (const call of gitCallsIn(shell)) {
      const read = call.subcommand === 'worktree' ? optionsOf(call) : undefined
      if (read?.operands[0]?.value !== 'remove' || !read.has('f', 'force') || isFresh(shell, call)) continue
      const folder = read.operands[1]
      return deny(
        `git worktree remove --force deletes ${folder === undefined ? 'it' : shown(folder)} with changes in no commit: leave --force out`,
        { at: call.at },
      )
    }
    return undefined
  },
  examples: [
    denies('by force', 'git worktree remove --force ../x'),
    abstains('not by force', 'git worktree remove ../x'),
    denies('by force, in short', 'git worktree remove ../x -f'),
    abstains('one that was just added', 'git worktree add /tmp/x && git worktree remove --force /tmp/x'),
    abstains('one called so', 'git worktree remove -- -f'),
    denies('twice', 'git worktree remove -ff ../x'),
    abstains('adding by force', 'git worktree add -f ../x main'),
  ],
})
