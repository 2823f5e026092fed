import { abstains, definePolicy, denies } from 'hookgate/policy'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'worktree-removal',
  severity: 'medium',
  description: 'Refuses to remove worktrees by force along with changes that are in no commit',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['git'] },
  decide: ({ impacts }) => judge(impacts, ({ kind, thing }) => kind === 'delete' && thing === 'worktree'),
  examples: [
    denies('by force', 'git worktree remove --force ../x'),
    abstains('not by force', 'git worktree remove ../x'),
    denies('by force, in short', 'git worktree remove ../x -f'),
    abstains('one that was just added', 'git worktree add /tmp/x && git worktree remove --force /tmp/x'),
    abstains('one called so', 'git worktree remove -- -f'),
    denies('twice', 'git worktree remove -ff ../x'),
    abstains('a pull, and a file of it', 'git pull && bash run.sh'),
    abstains('adding by force', 'git worktree add -f ../x main'),
  ],
})
