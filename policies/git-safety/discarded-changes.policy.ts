import { type PolicyAnswer, ask, definePolicy, deny } from 'hookgate/policy'
import { discardOf } from './discarding.ts'
import { gitCallsIn } from './git.ts'

export default definePolicy({
  id: 'discarded-changes',
  severity: 'high',
  description: 'Refuses to discard changes that are in no commit',
  on: 'PreToolUse',
  tool: 'shell',
  decide({ shell }) {
    let question: PolicyAnswer | undefined
    for (const call of gitCallsIn(shell)) {
      const discard = discardOf(call)
      if (discard === undefined) continue
      const said = `git ${call.subcommand} would throw away ${discard.what}: ${discard.instead}`
      if (discard.certain) return deny(said, { at: call.at })
      question ??= ask(said, { at: call.at })
    }
    return question
  },
  examples: [
    { name: 'a hard reset', given: { input: { command: 'git reset --hard HEAD~1' } }, want: 'deny' },
    { name: 'a reset', given: { input: { command: 'git reset HEAD a.txt' } }, want: 'abstain' },
    { name: 'one cut short', given: { input: { command: 'git reset --ha' } }, want: 'deny' },
    { name: 'a soft one', given: { input: { command: 'git reset --so HEAD~1' } }, want: 'abstain' },
    { name: 'checking files out', given: { input: { command: 'git checkout -- src' } }, want: 'deny' },
    { name: 'checking a branch out', given: { input: { command: 'git checkout main --' } }, want: 'abstain' },
    { name: 'everything', given: { input: { command: 'git checkout .' } }, want: 'deny' },
    { name: 'a new branch', given: { input: { command: 'git checkout -qb topic origin/main' } }, want: 'abstain' },
    { name: 'files of a commit', given: { input: { command: 'git checkout main a.txt' } }, want: 'deny' },
    { name: 'what may be a file', given: { input: { command: 'git checkout a.txt' } }, want: 'ask' },
    { name: 'a branch', given: { input: { command: 'git checkout feature/a' } }, want: 'abstain' },
    { name: 'by force', given: { input: { command: 'git checkout -f main' } }, want: 'deny' },
    { name: 'a switch by force', given: { input: { command: 'git switch --discard-changes main' } }, want: 'deny' },
    { name: 'a switch', given: { input: { command: 'git switch -c topic' } }, want: 'abstain' },
    { name: 'restoring', given: { input: { command: 'git restore a.txt' } }, want: 'deny' },
    { name: 'unstaging', given: { input: { command: 'git restore --staged a.txt' } }, want: 'abstain' },
    { name: 'both', given: { input: { command: 'git restore -SW a.txt' } }, want: 'deny' },
    { name: 'cleaning', given: { input: { command: 'git clean -xdf' } }, want: 'deny' },
    { name: 'looking what would be', given: { input: { command: 'git clean -xdfn' } }, want: 'abstain' },
    { name: 'giving a merge up', given: { input: { command: 'git merge --abort' } }, want: 'ask' },
    { name: 'going on', given: { input: { command: 'git rebase --continue' } }, want: 'abstain' },
    { name: 'help', given: { input: { command: 'git reset --hard --help' } }, want: 'abstain' },
    { name: 'in a search', given: { input: { command: "grep -rn 'git reset --hard' ." } }, want: 'abstain' },
  ],
})
