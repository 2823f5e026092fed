import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'named-programs',
  severity: 'high',
  description: 'Refuses to make git run a script through an option; asks about other programs',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['git'] },
  decide: ({ impacts }) => judge(impacts, ({ kind, thing }) => kind === 'run' && thing === 'code'),
  examples: [
    denies('a script', 'git ls-remote --upload-pack=./x origin'),
    abstains('none', 'git ls-remote origin'),
    denies('a shell command', "git fetch --upload-pack='sh -c x' origin"),
    abstains('the usual one', 'git fetch --upload-pack git-upload-pack origin'),
    denies('a program for what is found', 'git grep --open-files-in-pager=./x a'),
    abstains('what is looked for', 'git grep open-files-in-pager=./x'),
    asks('another program', 'git difftool -x mydiff'),
    abstains('no option of that name', 'git diff -x'),
  ],
})
