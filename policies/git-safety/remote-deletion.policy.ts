import { ask, definePolicy, deny } from 'hookgate/policy'
import { gitCallsIn } from './git.ts'
import { isLike, pushOf } from './push.ts'

const isAmong = (branch: string, patterns: readonly string[]) => patterns.some((one) => isLike(branch, one))

/** Whether no part of it is only known when it runs. */
const isKnown = (branch: string) => !/[$…]/.test(branch)

export default definePolicy({
  id: 'remote-deletion',
  severity: 'high',
  description: 'Refuses to delete branches of a remote',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    protectedBranches: {
      type: 'strings',
      default: ['main', 'master', 'develop', 'production', 'release/*'],
      description:
        'branches that must not be deleted, whatever `deletableBranches` says; `*` at the end matches anything',
    },
    deletableBranches: {
      type: 'strings',
      default: [],
      description: 'branches that may be deleted without asking; `*` at the end matches anything',
    },
  },
  decide({ shell, params }) {
    const deleted = gitCallsIn(shell).flatMap((call) =>
      (pushOf(call)?.deleted ?? []).map((branch) => ({ branch, at: call.at })),
    )
    const refused = deleted.find(
      ({ branch }) =>
        isAmong(branch, params.protectedBranches) || (isKnown(branch) && !isAmong(branch, params.deletableBranches)),
    )
    if (refused !== undefined) {
      return deny(`git push would delete ${refused.branch} for everybody: leave it, and let the person tidy up`, {
        at: refused.at,
      })
    }
    const unknown = deleted.find(({ branch }) => !isKnown(branch))
    if (unknown === undefined) return undefined
    return ask(`git push would delete ${unknown.branch} for everybody, whatever that is: name the branch`, {
      at: unknown.at,
    })
  },
  examples: [
    { name: 'main', given: { input: { command: 'git push --delete origin main' } }, want: 'deny' },
    { name: 'a push of main', given: { input: { command: 'git push origin main' } }, want: 'abstain' },
    { name: 'with a colon', given: { input: { command: 'git push origin :refs/heads/master' } }, want: 'deny' },
    { name: 'from one to another', given: { input: { command: 'git push origin topic:master' } }, want: 'abstain' },
    { name: 'another branch', given: { input: { command: 'git push -d origin topic' } }, want: 'deny' },
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
