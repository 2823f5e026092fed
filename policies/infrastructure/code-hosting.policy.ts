import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { callsIn } from './cli/calls.ts'
import { answerTo, isAllowed, params } from './cli/judge.ts'
import { destroysByGraph } from './data/graphql.ts'
import { judge } from './impacts.ts'

const words = {
  harm: 'deletes or locks what others use: a repository, a release, an issue, a key, a published package',
  instead: 'look at it (`view`, `list`), close or supersede it rather than delete it, or have the person do it',
}

export default definePolicy({
  id: 'code-hosting',
  severity: 'high',
  description: 'Keeps repositories, releases, issues, keys, secrets and published packages from being deleted',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['graphql'], impacts: ['code-hosting', 'merge'] },
  params,
  decide({ shell, impacts, params: given }) {
    for (const call of callsIn(shell)) {
      const { program, args } = call
      const isGraph = (program === 'gh' || program === 'glab') && args.some((word) => word.value === 'graphql')
      if (isGraph && !isAllowed(call, given.allowed) && args.some((word) => destroysByGraph(word.value))) {
        return answerTo({ effect: 'deny', words: 'api graphql' }, call, given, words)
      }
    }
    return judge(impacts, 'code-hosting', given)
  },
  examples: [
    denies('gh repo delete shop/web --yes'),
    denies('gh repo archive shop/web'),
    denies('gh release delete v1.0.0 --yes'),
    denies('gh issue delete 12'),
    denies('gh -R shop/web secret delete KEY'),
    denies('gh secret remove KEY'),
    denies('gh api -X DELETE repos/shop/web'),
    denies('gh api --method DELETE /repos/shop/web/hooks/1'),
    denies('gh api -XDELETE repos/shop/web'),
    denies('gh workflow disable ci.yml'),
    denies('glab repo delete shop/web'),
    denies('glab variable delete KEY'),
    denies('npm unpublish shop --force'),
    denies('cargo yank --version 1.0.0 shop'),
    denies('gh api graphql -f query=\'mutation{deleteIssue(input:{issueId:"1"}){clientMutationId}}\''),
    abstains('gh api graphql -f query=\'mutation{resolveReviewThread(input:{threadId:"1"}){thread{id}}}\''),
    abstains('gh run cancel 12'),
    asks('gh issue lock 12'),
    {
      name: 'a merge past the checks',
      given: { input: { command: 'gh pr merge 1 --admin' } },
      want: { effect: 'ask', reason: 'weakens the checks of the branch' },
    },
    {
      name: 'a branch that is moved',
      given: { input: { command: 'gh api -X PATCH repos/a/b/git/refs/heads/main -f sha=c' } },
      want: { effect: 'ask', reason: 'changes `repos/a/b/git/refs/heads/main`' },
    },
    abstains('gh api -X PUT repos/a/b/collaborators/c -f permission=admin'),
    asks('gh pr merge 12 --squash --delete-branch'),
    asks('glab mr merge 12 --yes'),
    asks('az repos pr update --id 41 --status completed'),
    abstains('az repos pr update --id 41 --title completed'),
    abstains('gh pr merge 12 --disable-auto'),
    abstains('gh api -X PATCH repos/a/b/issues/comments/3 -f body=x'),
    abstains('gh repo view delete'),
    abstains('gh issue list --search delete'),
    abstains('gh issue close 12'),
    abstains('gh api repos/shop/web'),
    abstains('gh api -X GET repos/shop/delete'),
    abstains('gh release create v1 --notes "gh release delete"'),
    abstains('gh repo delete --help'),
    abstains('gh alias delete co'),
    abstains('glab ci view delete'),
    abstains('npm publish'),
    abstains('npm run unpublish'),
    allowed('gh repo delete shop/web --yes', 'gh'),
    answered('gh repo delete shop/web --yes', 'ask'),
  ],
})
