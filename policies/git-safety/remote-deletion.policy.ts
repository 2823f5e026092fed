import { abstains, ask, asks, definePolicy, denies, deny } from 'hookgate/policy'
import { gitCallsIn } from './git.ts'
import { isLike, pushOf, pushWords } from './push.ts'

const isAmong = (branch: string, patterns: readonly string[]) => patterns.some((one) => isLike(branch, one))

/** True if the name is fully known before it runs. */
const isKnown = (branch: string) => !/[$…]/.test(branch)

export default definePolicy({
  id: 'remote-deletion',
  severity: 'high',
  description: 'Refuses to delete branches of a remote',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub'], with: [pushWords] },
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
    denies('main', 'git push --delete origin main'),
    abstains('a push of main', 'git push origin main'),
    denies('with a colon', 'git push origin :refs/heads/master'),
    abstains('from one to another', 'git push origin topic:master'),
    denies('another branch', 'git push -d origin topic'),
    abstains('a local branch', 'git branch -d topic'),
    abstains('another that may go', 'git push -d origin tmp/x', { params: { deletableBranches: ['tmp/*'] } }),
    asks('one that is not known', 'git push --delete origin "$REF"'),
    abstains('a try', 'git push -n --delete origin main'),
  ],
})
