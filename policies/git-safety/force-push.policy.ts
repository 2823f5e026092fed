import { type PolicyAnswer, ask, definePolicy, deny } from 'hookgate/policy'
import { gitCallsIn } from './git.ts'
import { isLike, pushOf } from './push.ts'

export default definePolicy({
  id: 'force-push',
  severity: 'high',
  description: 'Refuses git pushes that overwrite commits others may have built on',
  on: 'PreToolUse',
  tool: 'shell',
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
    let question: PolicyAnswer | undefined
    for (const call of gitCallsIn(shell)) {
      const push = pushOf(call)
      if (push === undefined) continue
      const { forced, leased } = push
      if (forced !== undefined && !(leased && forced.startsWith('+'))) {
        return deny(`git push with ${forced} may replace or delete the work of others: ${instead}`, { at: call.at })
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
    {
      name: '--force',
      given: { input: { command: 'git push --force' } },
      want: {
        effect: 'deny',
        reason: 'git push with --force may replace or delete the work of others: use --force-with-lease',
      },
    },
    { name: 'a push', given: { input: { command: 'git push -u origin topic' } }, want: 'abstain' },
    { name: '-f among others', given: { input: { command: 'git push -uf origin topic' } }, want: 'deny' },
    { name: '-f of the next command', given: { input: { command: 'git push && rm -f a' } }, want: 'abstain' },
    { name: 'a + before a ref', given: { input: { command: 'git push origin +topic' } }, want: 'deny' },
    { name: 'a + within one', given: { input: { command: 'git push origin a+b' } }, want: 'abstain' },
    { name: '--mirror, cut short', given: { input: { command: 'git push --mir origin' } }, want: 'deny' },
    { name: 'a try', given: { input: { command: 'git push --dry-run --mirror origin' } }, want: 'abstain' },
    { name: 'in another folder', given: { input: { command: 'git -C ../x -c a.b=c push --force' } }, want: 'deny' },
    { name: 'in a message', given: { input: { command: 'git commit -m "git push --force"' } }, want: 'abstain' },
    { name: 'in a shell', given: { input: { command: "bash -c 'git push -f'" } }, want: 'deny' },
    { name: 'in a text', given: { input: { command: "echo 'git push -f'" } }, want: 'abstain' },
    { name: 'a lease', given: { input: { command: 'git push --force-with-lease origin topic' } }, want: 'abstain' },
    { name: 'a lease of main', given: { input: { command: 'git push --force-with-lease origin main' } }, want: 'ask' },
    { name: 'force besides a lease', given: { input: { command: 'git push --force-with-lease -f' } }, want: 'deny' },
    {
      name: 'a lease where there is to be none',
      given: { input: { command: 'git push --force-with-lease' }, params: { allowForceWithLease: false } },
      want: 'deny',
    },
    { name: 'a value like an option', given: { input: { command: 'git push -o --force origin x' } }, want: 'abstain' },
    { name: '--prune', given: { input: { command: 'git push --prune origin' } }, want: 'ask' },
    { name: '--progress', given: { input: { command: 'git push --pro origin' } }, want: 'abstain' },
  ],
})
