import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { isAmong, judge } from './impacts.ts'

export default definePolicy({
  id: 'ref-loss',
  severity: 'medium',
  description: 'Asks before deleting branches and tags that may be the only thing keeping their commits',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['git'] },
  params: {
    deletableBranches: {
      type: 'strings',
      default: [],
      description: 'branches that may be deleted by force; `*` is any text',
    },
  },
  decide: ({ impacts, params }) =>
    judge(
      impacts,
      ({ thing, targets }) =>
        thing === 'reference' && targets['branch']?.every((name) => isAmong(name, params.deletableBranches)) !== true,
    ),
  examples: [
    asks('a branch by force', 'git branch -D topic'),
    abstains('a branch that is merged', 'git branch -d topic'),
    asks('in words', 'git branch --delete --force topic'),
    abstains('a list', 'git branch --contains v1'),
    asks('a tag', 'git tag -d v1'),
    abstains('a new tag', 'git tag -a v1 -m d'),
    denies('a ref', 'git update-ref -d refs/heads/main'),
    abstains('moving a ref', 'git update-ref refs/heads/x HEAD'),
    abstains('a branch that may go', 'git branch -D tmp/a', { params: { deletableBranches: ['tmp/*'] } }),
  ],
})
