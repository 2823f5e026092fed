import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { callsIn } from './cli/calls.ts'
import { answerTo, isAllowed, type CliTable, judge, params } from './cli/judge.ts'
import { changingRequests, isOfRights, isOfTalk } from './cli/requests.ts'
import { destroysByGraph } from './data/graphql.ts'

const table: CliTable = {
  gh: {
    valued:
      'R hostname X method F f field raw-field H header q jq t input cache p preview e env o org app u b body comment c w L json visibility name',
    deny: [
      'repo delete|archive',
      'repo deploy-key delete',
      'repo autolink delete',
      'release delete|delete-asset',
      'issue delete|transfer',
      'gist delete',
      'secret delete|remove',
      'variable delete|remove',
      'ssh-key|gpg-key delete',
      'run delete',
      'cache delete',
      'codespace|cs delete',
      'label delete',
      'project delete|item-delete|field-delete',
      'ruleset delete',
      'workflow disable',
      'api --method=delete|-X=delete',
      'org delete',
      'discussion delete',
      'attestation delete',
    ],
    ask: ['issue lock', 'project close|item-archive|unlink', 'codespace stop', 'agent-task cancel'],
    harmless: ['extension remove', 'alias delete', 'auth logout', 'config clear-cache'],
  },
  hub: { deny: ['delete', 'release delete', 'api --method=delete|-X=delete', 'gist delete'], valued: 'X F f H' },
  glab: {
    valued: 'R g X method F f H field raw-field header repo group hostname',
    deny: [
      'repo|project delete|archive|transfer',
      'release delete',
      'issue|incident delete',
      'mr delete',
      'snippet delete',
      'variable delete|remove',
      'ssh-key|gpg-key|deploy-key delete',
      'label delete',
      'milestone delete',
      'ci|pipeline|pipe delete',
      'schedule delete',
      'token revoke',
      'securefile remove|rm|delete',
      'cluster agent * revoke|delete',
      'runner delete|unregister',
      'iteration delete',
      'opentofu|tofu state delete',
      'api --method=delete|-X=delete',
      'repo mirror --disable',
      'runner-controller delete',
    ],
    ask: ['ci cancel', 'token rotate', 'job cancel', 'repo update --archive', 'opentofu|tofu state unlock'],
    harmless: ['auth logout', 'alias delete', 'config unset'],
  },
  tea: {
    deny: [
      'repos|repo delete|rm',
      'releases|release|r delete|rm',
      'releases assets delete',
      'labels delete',
      'milestones delete',
      'branches delete',
      'webhooks delete',
      'admin users delete',
      'organizations delete',
      'times delete',
      'actions secrets|variables delete',
    ],
    harmless: ['logins delete|rm', 'logout'],
  },
  bb: { byVerb: 'deny', nouns: 'pipeline repo' },
  forgejo: { deny: ['admin user delete', 'admin repo-delete'], ask: ['doctor', 'migrate'] },
  gitea: { deny: ['admin user delete', 'admin auth delete'], ask: ['migrate'] },
  src: {
    deny: [
      'repos delete',
      'users delete',
      'orgs delete',
      'orgs members remove',
      'extsvc edit',
      'teams delete',
      'users tag --remove',
      'admin delete',
    ],
  },
  gerrit: { deny: ['delete-project', 'set-account --inactive'] },
  linear: { byVerb: 'deny' },
  jira: { deny: ['issue delete', 'sprint remove', 'epic remove'], ask: ['sprint close'], valued: 'p c' },
  npm: {
    deny: [
      'unpublish',
      'deprecate',
      'owner rm',
      'access revoke|remove',
      'org rm',
      'team destroy|rm',
      'token revoke|delete',
      'dist-tag rm|remove',
      'hook rm',
      'trust revoke',
    ],
  },
  pnpm: { deny: ['unpublish', 'deprecate', 'owner rm', 'dist-tag rm'] },
  yarn: { deny: ['owner remove', 'npm tag remove', 'tag remove', 'team destroy|remove'] },
  cargo: { deny: ['yank', 'owner --remove|-r'] },
  gem: { deny: ['yank', 'owner --remove|-r'] },
  pub: { deny: ['uploader remove'] },
  nuget: { deny: ['delete'] },
  dotnet: { deny: ['nuget delete'], ask: ['ef database drop', 'ef migrations remove'] },
  vsce: { deny: ['unpublish', 'delete-publisher'] },
  ovsx: { deny: ['unpublish', 'delete'] },
  snapcraft: { deny: ['close', 'revoke-*', 'unregister*'] },
  hex: { byVerb: 'deny' },
  mix: {
    deny: ['hex.publish --revert', 'hex.retire', 'hex.owner remove', 'hex.user key revoke'],
  },
}

/** Subcommands that decide who can read a repository. */
const opening: CliTable = { gh: { valued: table.gh?.valued ?? '', deny: ['repo edit --visibility'] } }

/** Subcommands that change a repository for all its users at once, and can be undone. */
const changing: CliTable = {
  gh: {
    valued: table.gh?.valued ?? '',
    ask: [
      ...changingRequests,
      'pr merge --admin',
      'repo sync --force',
      'repo edit --enable-auto-merge=false|--delete-branch-on-merge|--accept-visibility-change-consequences',
      'repo rename',
      'repo unarchive',
      'release edit --draft',
    ],
  },
}

/** Subcommands that merge a change, or have it merged as soon as its checks pass. */
const merging: CliTable = {
  gh: { valued: table.gh?.valued ?? '', ask: ['pr merge !--disable-auto'] },
  glab: { valued: table.glab?.valued ?? '', ask: ['mr merge|accept'] },
  az: { valued: 'id status auto-complete', ask: ['repos pr update --status=completed|--auto-complete'] },
  tea: { valued: 'repo r remote login style s', ask: ['pr|pull|pulls merge|m'] },
  bb: { ask: ['pr merge'] },
  bkt: { ask: ['pr merge'] },
  fj: { ask: ['pr merge'] },
  berg: { ask: ['pr|pull merge'] },
  gerrit: { ask: ['review --submit|-s'] },
}

const words = {
  harm: 'deletes or locks what others use: a repository, a release, an issue, a key, a published package',
  instead: 'look at it (`view`, `list`), close or supersede it rather than delete it, or have the person do it',
}

const mergingWords = {
  harm: 'merges a change into a branch that others build on',
  instead: 'name the request and have the person merge it',
}

const openingWords = {
  harm: 'decides who can read a repository, and what others have copied by then stays with them',
  instead: 'have the person do it',
}

const changingWords = {
  harm: 'changes a branch, a repository or what stands in it for everybody, past its checks and reviews',
  instead: 'open a pull request, let its checks finish, or have the person do it',
}

export default definePolicy({
  id: 'code-hosting',
  severity: 'high',
  description: 'Keeps repositories, releases, issues, keys, secrets and published packages from being deleted',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: [...Object.keys(table), ...Object.keys(merging)] },
  params,
  decide({ shell, params: given }) {
    for (const call of callsIn(shell)) {
      const { program, args } = call
      const isGraph = (program === 'gh' || program === 'glab') && args.some((word) => word.value === 'graphql')
      if (isGraph && !isAllowed(call, given.allowed) && args.some((word) => destroysByGraph(word.value))) {
        return answerTo({ effect: 'deny', words: 'api graphql' }, call, given, words)
      }
    }
    return (
      judge(shell, table, given, words) ??
      judge(shell, opening, given, openingWords) ??
      judge(shell, changing, given, changingWords, (_, call) => isOfRights(call) || isOfTalk(call)) ??
      judge(shell, merging, given, mergingWords)
    )
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
      want: { effect: 'ask', reason: 'past its checks' },
    },
    {
      name: 'a branch that is moved',
      given: { input: { command: 'gh api -X PATCH repos/a/b/git/refs/heads/main -f sha=c' } },
      want: { effect: 'ask', reason: 'changes a branch' },
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
