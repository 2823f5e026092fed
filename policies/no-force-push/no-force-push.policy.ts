import { abstains, definePolicy, denies, deny, isLike } from 'hookgate/policy'
import { pushIn } from './push.ts'
import { shellExamples } from './shell-examples.ts'

export default definePolicy({
  id: 'no-force-push',
  severity: 'high',
  description: 'Refuses git pushes that overwrite or delete commits others may have built on',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub'], with: ['push send'] },
  params: {
    allowForceWithLease: {
      type: 'boolean',
      default: false,
      description: 'whether to allow `--force-with-lease`, which overwrites only what was fetched before',
    },
    protectedBranches: {
      type: 'strings',
      default: ['main', 'master', 'release/*'],
      description: 'branches that must not be deleted; `*` at the end matches anything',
    },
  },
  decide({ shell, params }) {
    const instead = params.allowForceWithLease ? 'use --force-with-lease' : 'push without it, or let the person do it'
    for (const [at, command] of shell.commands.entries()) {
      const push = pushIn(command)
      if (push === undefined) continue
      if (push.forced !== undefined) {
        return deny(`git push with ${push.forced} may replace or delete the work of others: ${instead}`, { at })
      }
      if (push.leased && !params.allowForceWithLease) {
        return deny(`git push with --force-with-lease may replace the work of others: ${instead}`, { at })
      }
      const branch = push.deleted.find((one) => params.protectedBranches.some((pattern) => isLike(one, pattern)))
      if (branch !== undefined)
        return deny(`git push may not delete the branch ${branch}: let the person do it`, { at })
    }
    return undefined
  },
  examples: [
    {
      name: '--force',
      given: { input: { command: 'git push --force' } },
      want: {
        effect: 'deny',
        reason:
          'git push with --force may replace or delete the work of others: push without it, or let the person do it',
      },
    },
    {
      name: '-f',
      given: { input: { command: 'git push -f origin main' }, params: { allowForceWithLease: true } },
      want: {
        effect: 'deny',
        reason: 'git push with -f may replace or delete the work of others: use --force-with-lease',
      },
    },
    denies('behind the refs', 'git push origin main -f'),
    denies('short flags together', 'git push -uf origin x'),
    denies('short flags the other way', 'git push -fu origin x'),
    {
      name: 'a + before a ref',
      given: { input: { command: 'git push origin a +main:main' } },
      want: { effect: 'deny', reason: 'with +main:main may replace' },
    },
    denies('a + behind --', 'git push -- origin +main'),
    {
      name: '--mirror',
      given: { input: { command: 'git push --mirror' } },
      want: { effect: 'deny', reason: 'with --mirror' },
    },
    denies('--mirror, shortened', 'git push --m x'),
    {
      name: '--prune',
      given: { input: { command: 'git push --prune x' } },
      want: { effect: 'deny', reason: '--prune' },
    },
    denies('--prune, shortened', 'git push --pru x'),
    abstains('--progress', 'git push --progress'),
    abstains('a push', 'git push -u origin main'),
    abstains('a push of tags', 'git push --follow-tags'),
    abstains('a try', 'git push --dry-run -n origin main'),
    abstains('a ref called like a flag', 'git push -- origin -f'),
    abstains('no command', { input: {} }),
    abstains('nothing but git', 'git'),

    {
      name: '--force-with-lease',
      given: { input: { command: 'git push --force-with-lease' } },
      want: {
        effect: 'deny',
        reason: 'git push with --force-with-lease may replace the work of others: push without it',
      },
    },
    denies('a lease of a ref', 'git push --force-with-lease=main:abc'),
    denies('a lease, shortened', 'git push --force-w'),
    abstains('no lease', 'git push --force-if-includes'),
    abstains('a lease where it is allowed', 'git push --force-with-lease', { params: { allowForceWithLease: true } }),
    denies('a lease where it is allowed, and force with it', 'git push --force-with-lease -f', {
      params: { allowForceWithLease: true },
    }),

    {
      name: 'deleting a protected branch',
      given: { input: { command: 'git push --delete origin main' } },
      want: { effect: 'deny', reason: 'git push may not delete the branch main: let the person do it' },
    },
    denies('with -d', 'git push origin -d master'),
    denies('shortened', 'git push --de origin main'),
    denies('with a colon', 'git push origin a :main'),
    denies('by its whole name', 'git push origin :refs/heads/main'),
    denies('of a release', 'git push origin :release/1.0'),
    abstains('deleting another branch', 'git push -d origin topic'),
    abstains('deleting one with a longer name', 'git push origin :main2'),
    abstains('deleting a part of a name', 'git push origin :x/release/1'),
    abstains('pushing to a protected branch', 'git push origin a:main'),
    denies('a branch of their own', 'git push origin :trunk', { params: { protectedBranches: ['trunk'] } }),
    abstains('and not the usual ones', 'git push origin :main', { params: { protectedBranches: ['trunk'] } }),

    denies('in another folder', 'git -C some/where push -f'),
    denies('with a setting', 'git -c a.b=c --no-pager push -f'),
    denies(
      'with every option that has a value',
      'git --git-dir a --work-tree b --namespace c --config-env d --attr-source e push -f',
    ),
    abstains('another command of git', 'git fetch --force origin'),
    abstains('push as an argument', 'git branch push --force'),
    abstains('another program', 'docker push --force'),
    abstains('a value of -o', 'git push -o -f origin'),
    abstains('a value right behind -o', 'git push -of origin'),
    denies('a flag behind such a value', 'git push -oci.skip -f'),
    denies('a flag before -o', 'git push -fo x'),
    abstains(
      'values of long options',
      'git push --repo +a --receive-pack +b --exec +c --push-option +d --recurse-submodules +e',
    ),
    denies('a ref behind an option with its value', 'git push --repo=a +b'),
    ...shellExamples,
  ],
})
