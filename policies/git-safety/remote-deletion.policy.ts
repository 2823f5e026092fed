import { ask, definePolicy, deny } from 'hookgate/policy'
import { gitCallsIn } from './git.ts'
import { isLike, pushOf } from './push.ts'

const isAmong = (branch: string, patterns: readonly string[]) => patterns.some((one) => isLike(branch, one))

export default definePolicy({
  id: 'remote-deletion',
  severity: 'high',
  description: 'Refuses to delete protected branches of a remote; asks about others',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    protectedBranches: {
      type: 'strings',
      default: ['main', 'master', 'develop', 'production', 'release/*'],
      description: 'branches that may not be deleted; `*` at the end is any text',
    },
    deletableBranches: {
      type: 'strings',
      default: [],
      description: 'branches that may be deleted without a question; `*` at the end is any text',
    },
  },
  decide({ shell, params }) {
    const deleted = gitCallsIn(shell).flatMap((call) => pushOf(call)?.deleted ?? [])
    const guarded = deleted.find((branch) => isAmong(branch, params.protectedBranches))
    if (guarded !== undefined)
      return deny(`git push may not delete ${guarded}, on which others build: let the person do it`)
    const asked = deleted.find((branch) => !isAmong(branch, params.deletableBranches))
    if (asked === undefined) return undefined
    return ask(`git push would delete ${asked} for everybody: merge or close it, and let the person tidy up`)
  },
  examples: [
    { name: 'main', given: { input: { command: 'git push --delete origin main' } }, want: 'deny' },
    { name: 'a push of main', given: { input: { command: 'git push origin main' } }, want: 'abstain' },
    { name: 'with a colon', given: { input: { command: 'git push origin :refs/heads/master' } }, want: 'deny' },
    { name: 'from one to another', given: { input: { command: 'git push origin topic:master' } }, want: 'abstain' },
    { name: 'another branch', given: { input: { command: 'git push -d origin topic' } }, want: 'ask' },
    { name: 'a local branch', given: { input: { command: 'git branch -d topic' } }, want: 'abstain' },
    {
      name: 'another that may go',
      given: { input: { command: 'git push -d origin tmp/x' }, params: { deletableBranches: ['tmp/*'] } },
      want: 'abstain',
    },
    { name: 'one that is not known', given: { input: { command: 'git push --delete origin "$REF"' } }, want: 'ask' },
    { name: 'a try', given: { input: { command: 'git push -n --delete origin main' } }, want: 'abstain' },
  ],
})
