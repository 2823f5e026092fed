import { abstains, definePolicy, denies } from 'hookgate/policy'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'stash-loss',
  severity: 'medium',
  description: 'Refuses to delete stashed changes',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['git'] },
  decide: ({ impacts }) => judge(impacts, ({ thing }) => thing === 'stash'),
  examples: [
    denies('dropping one', 'git stash drop'),
    abstains('taking one out', 'git stash pop'),
    denies('clearing all', 'git -C sub stash clear'),
    abstains('listing all', 'git stash list'),
    abstains('a message that says so', 'git stash push -m clear'),
    denies('behind another', 'git stash && git stash drop'),
    abstains('help', 'git stash drop --help'),
  ],
})
