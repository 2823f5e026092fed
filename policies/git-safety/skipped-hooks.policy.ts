import { abstains, asks, definePolicy } from 'hookgate/policy'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'skipped-hooks',
  severity: 'low',
  description: "Asks before a repository's own checks are skipped",
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['git'] },
  decide: ({ impacts }) => judge(impacts, ({ thing }) => thing === 'guard'),
  examples: [
    asks('a commit', 'git commit --no-verify -m a'),
    abstains('a commit that is checked', 'git commit -m "--no-verify"'),
    asks('in short', 'git commit -anm a'),
    abstains('a try', 'git push -n'),
    asks('a push', 'git push --no-ver'),
    abstains('a merge without its summary', 'git merge -n topic'),
    asks('by a variable', 'HUSKY=0 git commit -m a'),
    abstains('a variable for something else', 'HUSKY=0 npm ci'),
    asks('by a variable that was set before', 'export HUSKY=0; git commit -m a'),
    abstains('a variable of another program', 'HUSKY=0 npm ci; git commit -m a'),
    asks('hooks that are to be nowhere', "git config core.hooksPath ''"),
    asks('hooks that are no longer where they were', 'git config --unset core.hooksPath'),
    abstains('another setting', 'git config --unset core.pager'),
  ],
})
