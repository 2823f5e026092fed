import { definePolicy, deny } from 'hookgate/policy'
import { pushIn } from './push.ts'
import { shellExamples } from './shell-examples.ts'

/** `*` at the end of a pattern is any text. */
const isLike = (branch: string, pattern: string) =>
  pattern.endsWith('*') ? branch.startsWith(pattern.slice(0, -1)) : branch === pattern

export default definePolicy({
  id: 'no-force-push',
  severity: 'high',
  description: 'Refuses git pushes that overwrite or delete commits others may have built on',
  on: 'PreToolUse',
  tool: 'shell',
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
    { name: 'behind the refs', given: { input: { command: 'git push origin main -f' } }, want: 'deny' },
    { name: 'short flags together', given: { input: { command: 'git push -uf origin x' } }, want: 'deny' },
    { name: 'short flags the other way', given: { input: { command: 'git push -fu origin x' } }, want: 'deny' },
    {
      name: 'a + before a ref',
      given: { input: { command: 'git push origin a +main:main' } },
      want: { effect: 'deny', reason: 'with +main:main may replace' },
    },
    { name: 'a + behind --', given: { input: { command: 'git push -- origin +main' } }, want: 'deny' },
    {
      name: '--mirror',
      given: { input: { command: 'git push --mirror' } },
      want: { effect: 'deny', reason: 'with --mirror' },
    },
    { name: '--mirror, shortened', given: { input: { command: 'git push --m x' } }, want: 'deny' },
    {
      name: '--prune',
      given: { input: { command: 'git push --prune x' } },
      want: { effect: 'deny', reason: '--prune' },
    },
    { name: '--prune, shortened', given: { input: { command: 'git push --pru x' } }, want: 'deny' },
    { name: '--progress', given: { input: { command: 'git push --progress' } }, want: 'abstain' },
    { name: 'a push', given: { input: { command: 'git push -u origin main' } }, want: 'abstain' },
    { name: 'a push of tags', given: { input: { command: 'git push --follow-tags' } }, want: 'abstain' },
    { name: 'a try', given: { input: { command: 'git push --dry-run -n origin main' } }, want: 'abstain' },
    { name: 'a ref called like a flag', given: { input: { command: 'git push -- origin -f' } }, want: 'abstain' },
    { name: 'no command', given: { input: {} }, want: 'abstain' },
    { name: 'nothing but git', given: { input: { command: 'git' } }, want: 'abstain' },

    {
      name: '--force-with-lease',
      given: { input: { command: 'git push --force-with-lease' } },
      want: {
        effect: 'deny',
        reason: 'git push with --force-with-lease may replace the work of others: push without it',
      },
    },
    { name: 'a lease of a ref', given: { input: { command: 'git push --force-with-lease=main:abc' } }, want: 'deny' },
    { name: 'a lease, shortened', given: { input: { command: 'git push --force-w' } }, want: 'deny' },
    { name: 'no lease', given: { input: { command: 'git push --force-if-includes' } }, want: 'abstain' },
    {
      name: 'a lease where it is allowed',
      given: { input: { command: 'git push --force-with-lease' }, params: { allowForceWithLease: true } },
      want: 'abstain',
    },
    {
      name: 'a lease where it is allowed, and force with it',
      given: { input: { command: 'git push --force-with-lease -f' }, params: { allowForceWithLease: true } },
      want: 'deny',
    },

    {
      name: 'deleting a protected branch',
      given: { input: { command: 'git push --delete origin main' } },
      want: { effect: 'deny', reason: 'git push may not delete the branch main: let the person do it' },
    },
    { name: 'with -d', given: { input: { command: 'git push origin -d master' } }, want: 'deny' },
    { name: 'shortened', given: { input: { command: 'git push --de origin main' } }, want: 'deny' },
    { name: 'with a colon', given: { input: { command: 'git push origin a :main' } }, want: 'deny' },
    { name: 'by its whole name', given: { input: { command: 'git push origin :refs/heads/main' } }, want: 'deny' },
    { name: 'of a release', given: { input: { command: 'git push origin :release/1.0' } }, want: 'deny' },
    { name: 'deleting another branch', given: { input: { command: 'git push -d origin topic' } }, want: 'abstain' },
    {
      name: 'deleting one with a longer name',
      given: { input: { command: 'git push origin :main2' } },
      want: 'abstain',
    },
    {
      name: 'deleting a part of a name',
      given: { input: { command: 'git push origin :x/release/1' } },
      want: 'abstain',
    },
    { name: 'pushing to a protected branch', given: { input: { command: 'git push origin a:main' } }, want: 'abstain' },
    {
      name: 'a branch of their own',
      given: { input: { command: 'git push origin :trunk' }, params: { protectedBranches: ['trunk'] } },
      want: 'deny',
    },
    {
      name: 'and not the usual ones',
      given: { input: { command: 'git push origin :main' }, params: { protectedBranches: ['trunk'] } },
      want: 'abstain',
    },

    { name: 'in another folder', given: { input: { command: 'git -C some/where push -f' } }, want: 'deny' },
    { name: 'with a setting', given: { input: { command: 'git -c a.b=c --no-pager push -f' } }, want: 'deny' },
    {
      name: 'with every option that has a value',
      given: {
        input: { command: 'git --git-dir a --work-tree b --namespace c --config-env d --attr-source e push -f' },
      },
      want: 'deny',
    },
    { name: 'another command of git', given: { input: { command: 'git fetch --force origin' } }, want: 'abstain' },
    { name: 'push as an argument', given: { input: { command: 'git branch push --force' } }, want: 'abstain' },
    { name: 'another program', given: { input: { command: 'docker push --force' } }, want: 'abstain' },
    { name: 'a value of -o', given: { input: { command: 'git push -o -f origin' } }, want: 'abstain' },
    { name: 'a value right behind -o', given: { input: { command: 'git push -of origin' } }, want: 'abstain' },
    { name: 'a flag behind such a value', given: { input: { command: 'git push -oci.skip -f' } }, want: 'deny' },
    { name: 'a flag before -o', given: { input: { command: 'git push -fo x' } }, want: 'deny' },
    {
      name: 'values of long options',
      given: {
        input: { command: 'git push --repo +a --receive-pack +b --exec +c --push-option +d --recurse-submodules +e' },
      },
      want: 'abstain',
    },
    {
      name: 'a ref behind an option with its value',
      given: { input: { command: 'git push --repo=a +b' } },
      want: 'deny',
    },
    ...shellExamples,
  ],
})
