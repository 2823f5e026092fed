import { expect, it } from 'vitest'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import { impactText } from '../../../src/words/impact-words.ts'
import { factsOf } from '../../support/shell-facts.ts'

/** What a call does to the repository and its remotes. Where a push changes a stage too, that is an impact of its own. */
const ofGit = (command: string) => impactsIn(factsOf(command)).filter(({ area }) => area === 'git')

it.each([
  ['git push -f origin main', 'overwrites remote branch `main`, with the work of others, for good'],
  ['git push origin :old', 'deletes remote branch `old`, for everybody, for good'],
  ['git push --prune origin', 'deletes all remote branches, other than those that are here'],
  ['git reset --hard HEAD~3', 'deletes all uncommitted changes, with the commits behind `HEAD~3`, for good'],
  ['git checkout -- src', 'deletes uncommitted changes to `src`, for good'],
  ['git clean -fdx', 'deletes all untracked files, for good'],
  ['git branch -D topic', 'deletes branch `topic`, with commits that may be nowhere else'],
  ['git stash drop', 'deletes stashed changes, for good'],
  ['git rebase --abort', 'rolls back the rebase, with the conflicts that were resolved'],
  ['git worktree remove --force ../x', 'deletes worktree `../x`, with its uncommitted changes, for good'],
  ['git branch -f topic HEAD~2', 'overwrites branch `topic`, with commits that may be nowhere else'],
  ['git branch -M -f a topic', 'overwrites branch `topic`, with commits that may be nowhere else'],
  ['git rebase --abort', 'rolls back the rebase, with the conflicts that were resolved'],
  ['git rebase --skip', 'rolls back the commit that it has come to, with the conflicts that were resolved'],
  ['git gc --prune=now', 'deletes lost commits that could still be recovered, for good'],
  ['git filter-branch -f --all', 'overwrites the history, so that every clone differs from then on, for good'],
  ['git commit --no-verify -m a', "skips the repository's own checks"],
  [
    'git -c core.fsmonitor=./x status',
    'changes setting `core.fsmonitor`, which makes git run a program whenever git looks at files',
  ],
  ['GIT_SSH_COMMAND=./x git fetch', 'changes variable `GIT_SSH_COMMAND`, which makes git run `./x`'],
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
  expect(ofGit(command).map(impactText).join('; ')).toBe(said)
})

it.each([
  ['git tag -d v1', 'delete reference'],
  ['git update-ref -d refs/heads/old', 'delete reference'],
  ['git stash clear', 'delete stash'],
  ['git worktree remove -f ../y', 'delete worktree'],
  ['git reflog expire --expire=now --all', 'delete history'],
  ['git lfs migrate import --everything', 'overwrite history'],
  ['git cherry-pick --abort', 'rollback data'],
  ['git push --mirror backup', 'overwrite repository'],
  ['git -c core.pager=./x log', 'change setting'],
  ['GIT_EXTERNAL_DIFF=./x git diff', 'change variable'],
  ["git clone 'ext::sh -c x'", 'run repository'],
  ['git archive --exec=./x HEAD', 'run code'],
])('%s is told apart by kind and thing: %s', (command, said) => {
  expect(ofGit(command).map(({ kind, thing }) => `${kind} ${thing}`)).toEqual([said])
})
