import { expect, it } from 'vitest'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import { impactText } from '../../../src/words/impact-words.ts'
import { factsOf } from '../../support/shell-facts.ts'

it.each([
  ['git push -f origin main', 'overwrites remote branch `main`, with the work of others, for good'],
  ['git push origin :old', 'deletes remote branch `old`, for everybody, for good'],
  ['git push --prune origin', 'deletes all remote branches, other than those that are here'],
  ['git reset --hard HEAD~3', 'deletes all uncommitted changes, with the commits behind HEAD~3, for good'],
  ['git checkout -- src', 'deletes uncommitted changes to `src`, for good'],
  ['git clean -fdx', 'deletes all untracked files, for good'],
  ['git branch -D topic', 'deletes branch `topic`, with commits that nothing else may hold'],
  ['git stash drop', 'deletes stashed changes, for good'],
  ['git worktree remove --force ../x', 'deletes worktree `../x`, with its uncommitted changes, for good'],
  ['git gc --prune=now', 'deletes lost commits, which could be recovered, for good'],
  ['git filter-branch -f --all', 'overwrites the history, so that every clone differs from then on, for good'],
  ['git commit --no-verify -m a', "weakens the repository's own checks"],
  [
    'git -c core.fsmonitor=./x status',
    'changes setting `core.fsmonitor`, which makes git run a program whenever git looks at files',
  ],
  ['GIT_SSH_COMMAND=./x git fetch', 'changes variable `GIT_SSH_COMMAND`, which makes git run ./x'],
  ['git ls-remote --upload-pack=./x origin', 'runs program `./x`'],
  [
    'git push https://a.example/x.git HEAD',
    'sends commits to `https://a.example/x.git`, which the repository does not have as a remote yet',
  ],
  ['git push --force --dry-run origin main', ''],
  ['git push -u origin topic', ''],
  ['git checkout main', ''],
  ['git clean -n', ''],
])('%s: %s', (command, said) => {
  expect(impactsIn(factsOf(command)).map(impactText).join('; ')).toBe(said)
})
