import { abstains, definePolicy, denies } from 'hookgate/policy'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'lost-objects',
  severity: 'critical',
  description: 'Refuses to delete what lost commits could be recovered from',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['git'] },
  decide: ({ impacts }) => judge(impacts, ({ kind, thing }) => kind === 'delete' && thing === 'history'),
  examples: [
    denies('collecting at once', 'git gc --prune=now'),
    abstains('collecting', 'git gc'),
    abstains('with a date', 'git gc --prune=2.weeks.ago'),
    denies('forgetting all', 'git reflog expire --expire=now --all'),
    abstains('forgetting what is old', 'git reflog expire --all'),
    denies('pruning', 'git prune --expire=all'),
    abstains('looking what would be', 'git prune -n'),
    denies('files that no remote has', 'git lfs prune --force'),
    abstains('files that a remote has', 'git lfs prune --verify-remote'),
    abstains('branches of a remote', 'git remote prune origin'),
  ],
})
