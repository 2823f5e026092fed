import { abstains, definePolicy, denies, deny, onlyTries, type ShellWord } from 'hookgate/policy'
import { type GitCall, gitCallsIn, optionsOf } from './git.ts'

/** Dates up to which nothing is kept: with `all` and `now` nothing can be had back. */
const isNow = (word: ShellWord | undefined) =>
  word !== undefined &&
  /^(?:now|all|0|today|epoch|0\..*|\d+[. ](?:second|minute|hour)s?(?:[. ]ago)?)$/i.test(word.value)

/** Returns the objects that a call deletes permanently; `undefined` if there are none. */
function lostBy(call: GitCall): string | undefined {
  const { subcommand } = call
  if (subcommand === 'gc') {
    const read = optionsOf(call)
    return isNow(read?.value('prune')) ? 'git gc with that date' : undefined
  }
  if (subcommand === 'prune') {
    const read = optionsOf(call)
    if (read === undefined || read.surely('n', 'dry-run')) return undefined
    return !read.has('expire') || isNow(read.value('expire')) ? 'git prune' : undefined
  }
  if (subcommand === 'lfs') {
    const words = call.args.map(({ value }) => value)
    const isForced = words.includes('--force') || words.includes('-f') || words.includes('--no-verify-remote')
    return words[0] === 'prune' && isForced && !onlyTries(call.args, 'd', 'dry-run')
      ? 'git lfs prune without a look at the remote'
      : undefined
  }
  if (subcommand !== 'reflog') return undefined
  const read = optionsOf(call)
  if (read === undefined || read.surely('n', 'dry-run')) return undefined
  const [what] = read.operands
  if (what?.value === 'delete' || what?.value === 'drop') return 'git reflog delete'
  const isExpiring = isNow(read.value('expire')) || isNow(read.value('expire-unreachable'))
  return what?.value === 'expire' && isExpiring ? 'git reflog expire with that date' : undefined
}

export default definePolicy({
  id: 'lost-objects',
  severity: 'critical',
  description: 'Refuses to delete what lost commits could be recovered from',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub'], with: ['gc prune reflog lfs'] },
  decide({ shell }) {
    const call = gitCallsIn(shell).find((one) => lostBy(one) !== undefined)
    if (call === undefined) return undefined
    return deny(
      `${lostBy(call)} permanently deletes what lost commits could be recovered from: git gc without a date also tidies up`,
      { at: call.at },
    )
  },
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
