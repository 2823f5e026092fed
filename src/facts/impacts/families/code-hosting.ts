import type { Call } from '../../../model/calls.ts'
import type { Deed, Family } from '../deeds.ts'

/** Requests by which a client of a forge changes something. */
const changingRequests = ['api --method=put|-X=put', 'api --method=patch|-X=patch']

/** True if a request is about who may do what, and about keys. */
const isOfRights = ({ args }: Call): boolean =>
  args.some(({ value }) =>
    /\/(?:collaborators|memberships|members|teams|invitations|permissions|keys|protection|public_members)(?:\/|$)|(?:^|_)permission=|visibility=public|private=false/.test(
      value,
    ),
  )

/** True if a request changes what is said of something, and not the thing: an issue, its labels, a comment. */
const isOfTalk = ({ args }: Call): boolean =>
  args.some(({ value }) =>
    /(?:\/(?:issues|pulls|discussions|milestones|labels|comments|reviews)\/[^/?]+|\/(?:labels|assignees|requested_reviewers|comments|notes|reactions)(?:\/[^/?]+)?|^\/?notifications\S*|\/(?:merge_requests|issues)\/[^/?]+\/notes\/\d+)$/.test(
      value.split('?', 1)[0] ?? '',
    ),
  )

/** What GitHub's client does besides, of other kinds. */
const besides: readonly Deed[] = [
  {
    kind: 'grant',
    thing: 'account',
    work: [
      'ssh-key|gpg-key add',
      'repo deploy-key add',
      'auth login --with-token',
      'repo create --public|--visibility=public --push|--source|-s',
    ],
  },
  { kind: 'grant', thing: 'account', work: changingRequests, when: isOfRights },
  { kind: 'change', object: 'the visibility of the repository', never: ['repo edit --visibility'] },
  { kind: 'weaken', thing: 'guard', object: 'the checks of the branch', work: ['pr merge --admin'] },
  { kind: 'change', thing: 'repository', work: changingRequests, when: (call) => !isOfRights(call) && !isOfTalk(call) },
  {
    kind: 'change',
    thing: 'repository',
    work: [
      'repo sync --force',
      'repo edit --enable-auto-merge=false|--delete-branch-on-merge|--accept-visibility-change-consequences',
      'repo rename',
      'repo unarchive',
      'release edit --draft',
    ],
  },
  { kind: 'merge', thing: 'repository', work: ['pr merge !--disable-auto'] },
  { kind: 'change', thing: 'variable', work: ['secret|variable set'] },
]

const merges = (...work: readonly string[]): Deed => ({ kind: 'merge', thing: 'repository', work })

/** Subcommands that take away what others use. */
const programs: Family['programs'] = {
  gh: {
    also: besides,
    valued:
      'R hostname X method F f field raw-field H header q jq t input cache p preview e env o org app u b body comment c w L json visibility name repos env-file s source',
    never: [
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
    work: ['issue lock', 'project close|item-archive|unlink', 'codespace stop', 'agent-task cancel'],
    harmless: ['extension remove', 'alias delete', 'auth logout', 'config clear-cache'],
  },
  hub: { never: ['delete', 'release delete', 'api --method=delete|-X=delete', 'gist delete'], valued: 'X F f H' },
  glab: {
    also: [
      merges('mr merge|accept'),
      { kind: 'grant', thing: 'account', work: ['ssh-key|deploy-key add'] },
      { kind: 'change', thing: 'variable', work: ['variable set|update|create|new', 'securefile create|upload'] },
    ],
    valued: 'v value s scope t type R g X method F f H field raw-field header repo group hostname',
    never: [
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
    work: ['ci cancel', 'token rotate', 'job cancel', 'repo update --archive', 'opentofu|tofu state unlock'],
    harmless: ['auth logout', 'alias delete', 'config unset'],
  },
  tea: {
    valued: 'repo r remote login style s',
    also: [merges('pr|pull|pulls merge|m')],
    never: [
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
  bb: { byVerb: 'never', nouns: 'pipeline repo', also: [merges('pr merge')] },
  'bkt fj': merges('pr merge'),
  berg: merges('pr|pull merge'),
  forgejo: { never: ['admin user delete', 'admin repo-delete'], work: ['doctor', 'migrate'] },
  gitea: { never: ['admin user delete', 'admin auth delete'], work: ['migrate'] },
  src: {
    never: [
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
  gerrit: { never: ['delete-project', 'set-account --inactive'], also: [merges('review --submit|-s')] },
  linear: { byVerb: 'never' },
  jira: { never: ['issue delete', 'sprint remove', 'epic remove'], work: ['sprint close'], valued: 'p c' },
  npm: {
    never: [
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
  pnpm: { never: ['unpublish', 'deprecate', 'owner rm', 'dist-tag rm'] },
  yarn: { never: ['owner remove', 'npm tag remove', 'tag remove', 'team destroy|remove'] },
  cargo: { never: ['yank', 'owner --remove|-r'] },
  gem: { never: ['yank', 'owner --remove|-r'] },
  pub: { never: ['uploader remove'] },
  nuget: { never: ['delete'] },
  dotnet: { never: ['nuget delete'] },
  vsce: { never: ['unpublish', 'delete-publisher'] },
  ovsx: { never: ['unpublish', 'delete'] },
  snapcraft: { never: ['close', 'revoke-*', 'unregister*'] },
  hex: { byVerb: 'never' },
  mix: {
    never: ['hex.publish --revert', 'hex.retire', 'hex.owner remove', 'hex.user key revoke'],
  },
}

export const codeHosting: Family = { area: 'code-hosting', thing: 'repository', programs }
