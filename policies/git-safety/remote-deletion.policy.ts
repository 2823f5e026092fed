import { abstains, answerTo, asks, definePolicy, denies, strictest } from 'hookgate/policy'
import { isAmong, ofGit } from './impacts.ts'

export default definePolicy({
  id: 'remote-deletion',
  severity: 'high',
  description: 'Refuses to delete branches of a remote',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['git'] },
  params: {
    protectedBranches: {
      type: 'strings',
      default: ['main', 'master', 'develop', 'production', 'release/*'],
      description: 'branches that must not be deleted, whatever `deletableBranches` says; `*` is any text',
    },
    deletableBranches: {
      type: 'strings',
      default: [],
      description: 'branches that may be deleted without asking; `*` is any text',
    },
  },
  decide({ impacts, params }) {
    const deleted = ofGit(impacts).filter(({ kind, thing, names }) => {
      const [branch] = names
      if (kind !== 'delete' || thing !== 'repository' || branch === undefined) return false
      return isAmong(branch, params.protectedBranches) || !isAmong(branch, params.deletableBranches)
    })
    const isProtected = ([branch = '']: readonly string[]) => isAmong(branch, params.protectedBranches)
    return strictest(deleted.map((one) => answerTo(one, isProtected(one.names) ? 'deny' : undefined)))
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
