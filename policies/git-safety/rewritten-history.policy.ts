import { abstains, ask, asks, definePolicy, denies, deny, type PolicyAnswer } from 'hookgate/policy'
import { gitCallsIn, optionsOf } from './git.ts'

export default definePolicy({
  id: 'rewritten-history',
  severity: 'high',
  description: 'Refuses to rewrite the whole history by force; otherwise asks',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub bfg'], with: ['filter-repo filter-branch rebase fast-import bfg lfs'] },
  decide({ shell }) {
    let question: PolicyAnswer | undefined
    const instead = 'and every clone would differ from then on: let the person do it, with a backup'
    for (const call of gitCallsIn(shell)) {
      if (call.subcommand === 'filter-repo' || call.subcommand === 'filter-branch') {
        const read = optionsOf(call)
        if (read === undefined || read.surely('analyze', 'dry-run')) continue
        if (read.has('f', 'force'))
          return deny(`git ${call.subcommand} would rewrite the history of everything, ${instead}`, { at: call.at })
        question ??= ask(`git ${call.subcommand} would rewrite the history of everything, ${instead}`, { at: call.at })
      }
      if (call.subcommand === 'lfs' && call.args[0]?.value === 'migrate' && call.args[1]?.value !== 'info')
        question ??= ask(`git lfs migrate would rewrite the history of everything, ${instead}`, { at: call.at })
      if (call.subcommand === 'rebase' && optionsOf(call)?.has('root') === true) {
        question ??= ask(`git rebase --root would rewrite the history from its first commit on, ${instead}`, {
          at: call.at,
        })
      }
      if (call.subcommand === 'fast-import' && optionsOf(call)?.has('force') === true) {
        question ??= ask(`git fast-import --force would replace branches, ${instead}`, { at: call.at })
      }
    }
    const bfg = shell.commands.findIndex(
      ({ program, args }) =>
        program === 'bfg' || (program === 'java' && args.some(({ value }) => /(?:^|\/)bfg[^/]*\.jar$/.test(value))),
    )
    if (bfg !== -1) question ??= ask(`bfg would rewrite the history of everything, ${instead}`, { at: bfg })
    return question
  },
  examples: [
    denies('filter-branch by force', 'git filter-branch -f --all'),
    asks('filter-branch', 'git filter-branch --prune-empty HEAD'),
    denies('filter-repo by force', 'git filter-repo --path a --force'),
    abstains('looking at it', 'git filter-repo --analyze'),
    asks('a file called like an option', 'git filter-repo --replace-text --force'),
    asks('large files', 'git lfs migrate import --everything'),
    abstains('looking for large files', 'git lfs migrate info --everything'),
    abstains('a rebase', 'git rebase main'),
    asks('a rebase of everything', 'git rebase -i --root'),
    abstains('in a message', 'git log --grep "filter-branch -f"'),
  ],
})
