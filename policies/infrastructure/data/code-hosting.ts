import type { CliTable } from '../cli/judge.ts'
import { changingRequests } from '../cli/requests.ts'

/** Subcommands that take away what others use. */
export const table: CliTable = {
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
export const opening: CliTable = { gh: { valued: table.gh?.valued ?? '', deny: ['repo edit --visibility'] } }

/** Subcommands that change a repository for all its users at once, and can be undone. */
export const changing: CliTable = {
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
export const merging: CliTable = {
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
