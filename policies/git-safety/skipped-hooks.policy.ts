import { abstains, ask, asks, definePolicy, mapOf } from 'hookgate/policy'
import { type GitCall, gitCallsIn, optionsOf } from './git.ts'

const valued =
  'm message F file C reuse-message c reedit-message fixup squash author date t template trailer cleanup o push-option repo s strategy X strategy-option'
const flags = 'no-verify verify amend all quiet verbose allow-empty no-edit signoff dry-run force'

/** `-n` is something else for most subcommands. */
const skips = (call: GitCall) => {
  if (!/^(?:commit|push|merge|am|rebase|cherry-pick|revert)$/.test(call.subcommand)) return false
  const read = optionsOf(call, { valued, flags })
  return read !== undefined && (read.has('no-verify') || (call.subcommand === 'commit' && read.has('n')))
}

const switches = mapOf([
  ['HUSKY', /^0$/],
  ['HUSKY_SKIP_HOOKS', /./],
  ['LEFTHOOK', /^(?:0|false)$/],
  ['SKIP', /./],
  ['PRE_COMMIT_ALLOW_NO_CONFIG', /./],
])

export default definePolicy({
  id: 'skipped-hooks',
  severity: 'low',
  description: "Asks before a repository's own checks are skipped",
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub'] },
  decide({ shell }) {
    const calls = gitCallsIn(shell)
    const skipping = calls.find(
      (call) =>
        skips(call) ||
        (/^(?:commit|push)$/.test(call.subcommand) &&
          call.command.assignments.some(({ name, value }) => switches.get(name)?.test(value.value))),
    )
    if (skipping === undefined) return undefined
    return ask("the repository's own checks would be skipped: run them, and fix what they find", { at: skipping.at })
  },
  examples: [
    asks('a commit', 'git commit --no-verify -m a'),
    abstains('a commit that is checked', 'git commit -m "--no-verify"'),
    asks('in short', 'git commit -anm a'),
    abstains('a try', 'git push -n'),
    asks('a push', 'git push --no-ver'),
    abstains('a merge without its summary', 'git merge -n topic'),
    asks('by a variable', 'HUSKY=0 git commit -m a'),
    abstains('a variable for something else', 'HUSKY=0 npm ci'),
  ],
})
