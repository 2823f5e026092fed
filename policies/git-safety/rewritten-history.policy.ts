import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'rewritten-history',
  severity: 'high',
  description: 'Refuses to rewrite the whole history by force; otherwise asks',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['git'] },
  decide: ({ impacts }) => judge(impacts, ({ kind, thing }) => kind === 'overwrite' && thing === 'history'),
  examples: [
    denies('filter-branch by force', 'git filter-branch -f --all'),
    asks('filter-branch', 'git filter-branch --prune-empty HEAD'),
    denies('filter-repo by force', 'git filter-repo --path a --force'),
    abstains('looking at it', 'git filter-repo --analyze'),
    asks('a file called like an option', 'git filter-repo --replace-text --force'),
    asks('large files', 'git lfs migrate import --everything'),
    abstains('looking for large files', 'git lfs migrate info --everything'),
    abstains('a rebase', 'git rebase main'),
    asks('a rebase of everything', 'git rebase -i --root'),
    abstains('in a message', 'git log --grep "filter-branch -f"'),
  ],
})
