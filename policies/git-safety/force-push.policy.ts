import { abstains, ask, asks, definePolicy, denies, deny, type PolicyAnswer } from 'hookgate/policy'
import { gitCallsIn } from './git.ts'
import { libraryWords, pushesByLibrary } from './code.ts'
import { isLike, pushOf, pushWords, replacedIn } from './push.ts'

export default definePolicy({
  id: 'force-push',
  severity: 'high',
  description: 'Refuses git pushes that overwrite commits others may have built on',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub', libraryWords], with: [pushWords, 'fetch update symbolic'] },
  params: {
    allowForceWithLease: {
      type: 'boolean',
      default: true,
      description: 'whether to allow `--force-with-lease`, which overwrites only what was fetched before',
    },
    protectedBranches: {
      type: 'strings',
      default: ['main', 'master', 'develop', 'production', 'release/*'],
      description: 'branches to ask about even with a lease; `*` at the end matches anything',
    },
  },
  decide({ shell, params }) {
    const instead = params.allowForceWithLease ? 'use --force-with-lease' : 'push without it, or let the person do it'
    const byLibrary = shell.commands.findIndex((command) => pushesByLibrary(command, shell))
    let question: PolicyAnswer | undefined =
      byLibrary === -1
        ? undefined
        : ask(`this code pushes by force with a library, which may replace the work of others: ${instead}`, {
            at: byLibrary,
          })
    for (const call of gitCallsIn(shell)) {
      const replaced = replacedIn(call, shell)
      if (replaced !== undefined)
        question ??= ask(
          `git ${call.subcommand} would replace ${replaced.branch} in ${replaced.place}, as a push by force would: push to it instead`,
          { at: call.at },
        )
      const push = pushOf(call)
      if (push === undefined) continue
      const { forced, leased } = push
      if (forced !== undefined && !(leased && forced.startsWith('+'))) {
        const other = forced === '--mirror' ? 'push the branches that you mean' : instead
        return deny(`git push with ${forced} may replace or delete the work of others: ${other}`, { at: call.at })
      }
      if (leased && !params.allowForceWithLease) {
        return deny(`git push with --force-with-lease may replace the work of others: ${instead}`, { at: call.at })
      }
      const branch = push.targets.find((one) => params.protectedBranches.some((pattern) => isLike(one, pattern)))
      if (leased && branch !== undefined)
        question ??= ask(`git push would replace ${branch}, on which others build: push a branch of your own`, {
          at: call.at,
        })
      if (push.options.has('prune'))
        question ??= ask(
          'git push with --prune deletes every branch there that is not here: delete single ones by name',
          { at: call.at },
        )
    }
    return question
  },
  examples: [
    abstains('force that is taken back', 'git push --force --no-force origin main'),
    denies('force after all', 'git push --no-force origin main -f'),
    {
      name: '--force',
      given: { input: { command: 'git push --force' } },
      want: {
        effect: 'deny',
        reason: 'git push with --force may replace or delete the work of others: use --force-with-lease',
      },
    },
    abstains('a push', 'git push -u origin topic'),
    denies('-f among others', 'git push -uf origin topic'),
    abstains('-f of the next command', 'git push && rm -f a'),
    denies('a + before a ref', 'git push origin +topic'),
    abstains('a + within one', 'git push origin a+b'),
    denies('--mirror, cut short', 'git push --mir origin'),
    abstains('a try', 'git push --dry-run --mirror origin'),
    denies('in another folder', 'git -C ../x -c a.b=c push --force'),
    abstains('in a message', 'git commit -m "git push --force"'),
    denies('in a shell', "bash -c 'git push -f'"),
    abstains('in a text', "echo 'git push -f'"),
    abstains('a lease', 'git push --force-with-lease origin topic'),
    asks('a lease of main', 'git push --force-with-lease origin main'),
    denies('force besides a lease', 'git push --force-with-lease -f'),
    denies('a lease where there is to be none', 'git push --force-with-lease', {
      params: { allowForceWithLease: false },
    }),
    abstains('a value like an option', 'git push -o --force origin x'),
    asks('--prune', 'git push --prune origin'),
    denies('by the plumbing', 'git send-pack a.example:x.git +main'),
    abstains('the plumbing without force', 'git send-pack a.example:x.git main'),
    asks('by a library', `python3 -c "import git; git.Repo('.').remotes.origin.push(force=True)"`),
    abstains('a push by a library', `python3 -c "import git; git.Repo('.').remotes.origin.push()"`),
    asks('in a bare repository', 'git -C /srv/git/x.git update-ref refs/heads/main abc'),
    abstains('in a work tree', 'git -C ../x update-ref refs/heads/main abc'),
    abstains('--progress', 'git push --pro origin'),
  ],
})
