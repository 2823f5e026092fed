import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'git-environment',
  severity: 'high',
  description: 'Refuses to make git run a workspace script through a variable; asks about other programs',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['git'] },
  decide: ({ impacts }) => judge(impacts, ({ thing }) => thing === 'variable'),
  examples: [
    denies('a script', 'GIT_SSH_COMMAND=./x git fetch'),
    abstains('ssh with a key', "GIT_SSH_COMMAND='ssh -i key' git fetch"),
    denies('for the commands behind it', 'export GIT_SSH=/tmp/x; git pull'),
    abstains('a variable of another name', 'export SSH_KEY=/tmp/x; git pull'),
    asks('ssh that runs more', "GIT_SSH_COMMAND='ssh -o ProxyCommand=x' git pull"),
    abstains('no editor', 'GIT_EDITOR=true git rebase --continue'),
    asks('other settings', 'GIT_CONFIG_GLOBAL=/tmp/x git status'),
    abstains('no settings', 'GIT_CONFIG_GLOBAL=/dev/null git status'),
  ],
})
