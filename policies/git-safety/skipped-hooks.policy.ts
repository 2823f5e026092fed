import { abstains, ask, asks, definePolicy, mapOf, type ShellCommand } from 'hookgate/policy'
import { type GitCall, gitCallsIn, optionsOf } from './git.ts'

/** `-n` is something else for most subcommands. */
const skips = (call: GitCall) => {
  if (!/^(?:commit|push|merge|am|rebase|cherry-pick|revert)$/.test(call.subcommand)) return false
  const read = optionsOf(call)
  return read !== undefined && (read.has('no-verify') || (call.subcommand === 'commit' && read.has('n')))
}

const switches = mapOf([
  ['HUSKY', /^0$/],
  ['HUSKY_SKIP_HOOKS', /./],
  ['LEFTHOOK', /^(?:0|false)$/],
  ['LEFTHOOK_EXCLUDE', /./],
  ['SKIP', /./],
  ['PRE_COMMIT_ALLOW_NO_CONFIG', /./],
])

/** True if a command sets a variable by which hooks do not run, for itself, or for what follows it. */
const switchesOff = ({ assignments, program, args }: ShellCommand) =>
  assignments.some(({ name, value }) => switches.get(name)?.test(value.value)) ||
  (program === 'export' &&
    args.some(({ value }) => {
      const [name = '', ...rest] = value.split('=')
      return switches.get(name)?.test(rest.join('='))
    }))

/** True if git is told to find its hooks nowhere, or no longer where a project's manager keeps them. */
const losesHooks = ({ subcommand, args }: GitCall) => {
  const words = args.map(({ value }) => value)
  const at = words.findIndex((word) => word.toLowerCase() === 'core.hookspath')
  return (
    subcommand === 'config' &&
    at !== -1 &&
    (words.some((word) => /^(?:--)?unset(?:-all)?$/.test(word)) || words[at + 1] === '')
  )
}

export default definePolicy({
  id: 'skipped-hooks',
  severity: 'low',
  description: "Asks before a repository's own checks are skipped",
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub'], with: ['commit push merge am rebase cherry-pick revert config'] },
  decide({ shell }) {
    const calls = gitCallsIn(shell)
    const skipping = calls.find((call) => {
      if (skips(call) || losesHooks(call)) return true
      const before = shell.commands.slice(0, call.at).filter(({ program }) => program === '' || program === 'export')
      return /^(?:commit|push)$/.test(call.subcommand) && [...before, call.command].some(switchesOff)
    })
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
    asks('by a variable that was set before', 'export HUSKY=0; git commit -m a'),
    abstains('a variable of another program', 'HUSKY=0 npm ci; git commit -m a'),
    asks('hooks that are to be nowhere', "git config core.hooksPath ''"),
    asks('hooks that are no longer where they were', 'git config --unset core.hooksPath'),
    abstains('another setting', 'git config --unset core.pager'),
  ],
})
