import { definePolicy, deny } from 'hookgate/policy'
import { gitCallsIn, optionsOf, shown } from './git.ts'

export default definePolicy({
  id: 'worktree-removal',
  severity: 'medium',
  description: 'Refuses to remove worktrees by force along with changes that are in no commit',
  on: 'PreToolUse',
  tool: 'shell',
  decide({ shell }) {
    for (const call of gitCallsIn(shell)) {
      const [what, ...args] = call.args
      if (call.subcommand !== 'worktree' || what?.value !== 'remove') continue
      const read = optionsOf({ ...call, args }, { flags: 'force' })
      if (read?.has('f', 'force') !== true) continue
      const [folder] = read.operands
      return deny(
        `git worktree remove --force deletes ${folder === undefined ? 'it' : shown(folder)} with changes in no commit: leave --force out`,
        { at: call.at },
      )
    }
    return undefined
  },
  examples: [
    { name: 'by force', given: { input: { command: 'git worktree remove --force ../x' } }, want: 'deny' },
    { name: 'not by force', given: { input: { command: 'git worktree remove ../x' } }, want: 'abstain' },
    { name: 'by force, in short', given: { input: { command: 'git worktree remove ../x -f' } }, want: 'deny' },
    { name: 'one called so', given: { input: { command: 'git worktree remove -- -f' } }, want: 'abstain' },
    { name: 'twice', given: { input: { command: 'git worktree remove -ff ../x' } }, want: 'deny' },
    { name: 'adding by force', given: { input: { command: 'git worktree add -f ../x main' } }, want: 'abstain' },
  ],
})
