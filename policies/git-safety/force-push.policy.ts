import { abstains, answerTo, asks, definePolicy, denies, type PolicyAnswer, strictest } from 'hookgate/policy'
import { isAmong, ofGit } from './impacts.ts'

export default definePolicy({
  id: 'force-push',
  severity: 'high',
  description: 'Refuses git pushes that overwrite commits others may have built on',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['git'] },
  params: {
    allowForceWithLease: {
      type: 'boolean',
      default: true,
      description: 'whether to allow `--force-with-lease`, which overwrites only what was fetched before',
    },
    protectedBranches: {
      type: 'strings',
      default: ['main', 'master', 'develop', 'production', 'release/*'],
      description: 'branches to ask about even with a lease; `*` is any text',
    },
  },
  decide({ impacts, params }) {
    const answers = ofGit(impacts).flatMap((impact): readonly PolicyAnswer[] => {
      const { kind, thing, names, extent, words } = impact
      const isForced = kind === 'overwrite' || (kind === 'delete' && extent === 'all')
      if (thing !== 'repository' || !isForced) return []
      if (!/--force-w[a-z-]*$/.test(words)) return [answerTo(impact)]
      if (!params.allowForceWithLease) return [answerTo(impact, 'deny')]
      return names.some((name) => isAmong(name, params.protectedBranches)) ? [answerTo(impact)] : []
    })
    return strictest(answers)
  },
  examples: [
    abstains('force that is taken back', 'git push --force --no-force origin main'),
    denies('force after all', 'git push --no-force origin main -f'),
    {
      name: '--force',
      given: { input: { command: 'git push --force' } },
      want: {
        effect: 'deny',
        reason:
          '`git push --force` overwrites a remote branch, with the work of others, for good: use `--force-with-lease`',
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
