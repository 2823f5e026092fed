import { liveBy, type Deeds, type Deed, namesStage } from '../deeds/deeds.ts'
import { behind } from '../../../words/options.ts'
import { manager } from '../deeds/packages.ts'
import type { EffectRecorder } from '../effects.ts'
import { gh } from '../looks/gh.ts'
import type { Family } from '../program.ts'
import { type Line, setup } from '../row.ts'
import { known } from '../words.ts'
import type { Call } from '../../../words/calls.ts'
import { clonedInto, gitSubcommands } from './git-subcommands.ts'
import { opens } from './remote.ts'

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

/** A review is there so that somebody else looks. */
export const approves = (...work: readonly string[]): Deed => ({
  kind: 'weaken',
  thing: 'guard',
  object: 'request',
  says: { 'run approve': { object: 'run' } },
  work,
})

/** Further deeds of GitHub's client, of other kinds. */
const besides: readonly Deed[] = [
  {
    kind: 'grant',
    thing: 'account',
    work: [
      'ssh-key|gpg-key add',
      'repo deploy-key add',
      'auth login --with-token',
      'auth refresh --scopes|-s',
      'repo create --public|--visibility=public --push|--source|-s',
    ],
    says: {
      'ssh-key|gpg-key add': { object: 'ssh key', names: 'first' },
      'repo deploy-key': { object: 'ssh key', names: 'first' },
      'auth login|refresh': { object: 'this machine' },
      'repo create': { thing: 'repository', object: 'everybody' },
    },
  },
  { kind: 'grant', thing: 'account', object: 'what is at', work: changingRequests, when: isOfRights },
  { kind: 'grant', thing: 'repository', object: 'everybody', names: 'none', never: ['repo edit --visibility=public'] },
  {
    kind: 'change',
    object: 'the visibility of the repository',
    never: ['repo edit --visibility=private|--visibility=internal'],
  },
  { kind: 'weaken', thing: 'guard', object: 'the checks of the branch', work: ['pr merge --admin'] },
  approves('pr review --approve|-a', 'run approve'),
  {
    kind: 'change',
    thing: 'repository',
    object: 'what is at',
    work: changingRequests,
    when: (call) => !isOfRights(call) && !isOfTalk(call),
  },
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
  { kind: 'merge', thing: 'repository', object: 'pull request', work: ['pr merge !--disable-auto'] },
  { kind: 'change', thing: 'variable', names: 'first', work: ['secret|variable set'] },
]

export const merges = (...work: readonly string[]): Deed => ({
  kind: 'merge',
  thing: 'repository',
  object: 'request',
  work,
})

export const crateDeeds: Deeds = {
  says: {
    yank: { kind: 'withdraw', object: 'package', thing: 'package', names: 'first' },
    owner: { kind: 'revoke', object: 'the rights of an owner', thing: 'package', names: 'none' },
  },
  never: ['yank !--undo', 'owner --remove|-r'],
  also: [{ kind: 'publish', thing: 'package', object: 'package', names: 'first', work: ['yank --undo'] }],
}

/** Words of clients that begin with no message: who logs in, and what is meant to be secret. */
const noMessage = /^(?:auth|login|secrets?|ssh-key|gpg-key|variable|config|api-key)$/
export const writesMessage = ({ operands }: Line): boolean =>
  !operands.slice(0, 2).some(({ value }) => noMessage.test(value))

/** Letters that mean different things behind different words stand with the deeds, or nowhere. */
const forgeOptions =
  'R repo hostname b body body-file=read d description t title F=none n notes notes-file=read comment X method H header f field raw-field input=read q jq cache preview template L limit label add-label remove-label assignee reviewer milestone project base head ref target workflow homepage'
const ghOptions = `${forgeOptions} desc filename env-file=variables env org user json visibility name repos source`

const programs: Family['programs'] = {
  gh: {
    request: 'forge',
    saysWhatChanges: true,
    output: setup(/^completion\b/),
    options: ghOptions,
    wholeNames: true,
    effects: recordUploads,
    message: writesMessage,
    subcommands: {
      copilot: {
        starts: (_, starts, { args }) => starts.words([known('copilot'), ...args]),
      },
      'alias set': {
        starts({ operands: [, text], has }, starts) {
          if (text !== undefined && (has('s', 'shell') || text.value.startsWith('!')))
            starts.script(behind(text, text.value.startsWith('!') ? 1 : 0))
        },
      },
    },
    variables: 'GH_BROWSER BROWSER GH_EDITOR GH_PAGER',
    does: [
      {
        shows: {
          'auth token': { object: 'GitHub token', names: 'none' },
          'auth status -t|--show-token': { object: 'GitHub token', names: 'none' },
        },
        says: {
          'repo deploy-key': { kind: 'delete', object: 'deploy key', thing: 'secret' },
          'repo autolink': { kind: 'delete', object: 'link to another system' },
          'release delete-asset': { kind: 'delete', object: 'file of release', thing: 'deployment', names: 'last' },
          'run delete': { kind: 'delete', object: 'run', thing: 'record' },
          'project item-delete|item-archive|field-delete': { object: 'item of project', names: 'first' },
          api: { kind: 'delete', object: 'what is at' },
          'repo archive': { kind: 'withdraw', object: 'repository' },
          'issue transfer': { kind: 'change', object: 'issue', names: 'first' },
          'issue lock': { kind: 'stop', object: 'comments on issue', names: 'first' },
          workflow: { kind: 'stop', object: 'workflow', thing: 'pipeline' },
          cache: { kind: 'delete', object: 'cache', thing: 'pipeline' },
          'codespace|cs': { object: 'codespace', names: '-c|--codespace' },
        },
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
      {
        area: 'opened-access',
        ...opens({
          work: ['codespace|cs ports visibility'],
          when: ({ args }) => args.some(({ value }) => /^\d+:public$/.test(value)),
        }),
      },
      { area: 'packages', ...manager({ installs: ['extension|extensions|ext install'] }, { valued: 'pin' }) },
      namesStage,
      liveBy(/^release (?:create (?!.*(?:--draft|(?:^| )-d)\b)|edit .*--draft=false)/, { kindFirst: true }),
    ],
    looks: gh(ghOptions),
    namesSecrets: true,
    fetches: true,
  },
  'glab lab': {
    request: 'forge',
    saysWhatChanges: true,
    options: `${forgeOptions} m message value scope type g group`,
    effects: recordUploads,
    message: writesMessage,
    does: [
      {
        shows: { 'auth status -t|--show-token': { object: 'GitLab token', names: 'none' } },
        says: {
          api: { kind: 'delete', object: 'what is at' },
          'repo|project archive': { kind: 'withdraw', object: 'repository' },
          'repo|project transfer': { kind: 'change', object: 'repository', names: 'first' },
          'ci|pipeline|pipe delete': { kind: 'delete', object: 'pipeline', thing: 'pipeline' },
          variable: { kind: 'delete', object: 'variable', thing: 'pipeline' },
          'cluster agent': { kind: 'revoke', object: 'token of agent', thing: 'secret', names: 'last' },
          'opentofu|tofu state delete': { kind: 'delete', object: 'state', thing: 'infrastructure', names: 'last' },
          'opentofu|tofu state unlock': {
            kind: 'weaken',
            object: 'the lock of state',
            thing: 'guard',
            names: 'last',
          },
          'repo mirror': { kind: 'stop', object: 'the mirroring of a repository', names: 'none' },
          'token rotate': { kind: 'overwrite', object: 'token', thing: 'secret', names: 'first' },
          'repo update': { kind: 'withdraw', object: 'repository' },
        },
        also: [
          merges('mr merge|accept'),
          approves('mr approve'),
          { kind: 'grant', thing: 'account', work: ['ssh-key|deploy-key add'] },
          {
            kind: 'change',
            thing: 'variable',
            object: 'variable',
            names: 'first',
            work: ['variable set|update|create|new', 'securefile create|upload'],
          },
        ],
        valued: 'v s',
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
      namesStage,
      liveBy(/^release (?:create|upload)\b/, { kindFirst: true }),
    ],
    looks: {
      options: 'R repo g group',
      lines: `
    mr|issue list|ls|view|show|diff|issues|approvers !-w|--web
    ci|pipeline list|status|get|trace !-l|--live
    repo|project view|list|search|contributors !-w|--web
    release|label|milestone|snippet|schedule list|view|ls
    version|help`,
    },
  },
  'tea fj berg gcli': {
    request: 'forge',
    options: `${forgeOptions} m message r remote login style`,
    effects: recordUploads,
    message: writesMessage,
    does: [
      {
        valued: 's o',
        also: [merges('pr|pull|pulls merge|m'), approves('pr|pull|pulls approve|lgtm|a')],
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
      liveBy(/^releases? create (?!.*--draft)/, { kindFirst: true }),
    ],
  },
  // Lists of tasks and chats.
  acli: { message: writesMessage, does: { area: 'hosting', never: ['*:delete|*:delete-branch'] } },
  linear: { message: writesMessage, does: { byVerb: 'never' } },
  jira: {
    message: writesMessage,
    does: {
      says: {
        issue: { kind: 'delete', object: 'issue', thing: 'record' },
        'sprint close': { kind: 'stop', object: 'sprint', thing: 'record' },
        'sprint|epic remove': { kind: 'change', object: 'issue', thing: 'record', names: 'last' },
      },
      never: ['issue delete', 'sprint remove', 'epic remove'],
      work: ['sprint close'],
      valued: 'p c',
    },
  },
  // All that git takes, and its own subcommands.
  hub: {
    git: true,
    request: 'forge',
    options: `${forgeOptions} m message C c git-dir work-tree namespace`,
    effects: recordUploads,
    message: writesMessage,
    subcommands: gitSubcommands,
    does: {
      says: {
        api: { kind: 'delete', object: 'what is at' },
        delete: { kind: 'delete', object: 'repository' },
      },
      never: ['delete', 'release delete', 'api --method=delete|-X=delete', 'gist delete'],
    },
  },
  bkt: { does: merges('pr merge') },
  forgejo: { does: { never: ['admin user delete', 'admin repo-delete'], work: ['doctor', 'migrate'] } },
  gitea: { does: { never: ['admin user delete', 'admin auth delete'], work: ['migrate'] } },
  src: {
    does: {
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
  },
  gerrit: {
    does: {
      says: {
        'delete-project': { kind: 'delete', object: 'project' },
        'set-account': { kind: 'stop', object: 'account' },
      },
      never: ['delete-project', 'set-account --inactive'],
      also: [merges('review --submit|-s')],
    },
  },

  'delete-project': { does: { kind: 'delete', object: 'project', never: ['delete'] } },

  hex: { does: { byVerb: 'never' } },

  pub: {
    does: { kind: 'revoke', object: 'the rights of', thing: 'package', names: 'last', never: ['uploader remove'] },
  },
  nuget: {
    does: [
      { kind: 'withdraw', object: 'package', thing: 'package', names: 'first', never: ['delete'] },
      {
        area: 'packages',
        ...manager({ installs: ['install'], publishes: ['push'], sources: ['sources add'] }, { oneDash: true }),
      },
    ],
  },

  vsce: {
    does: [
      {
        kind: 'withdraw',
        object: 'extension',
        thing: 'package',
        says: {
          'delete-publisher': { kind: 'delete', object: 'publisher', thing: 'account' },
        },
        never: ['unpublish', 'delete-publisher'],
      },
      { area: 'packages', ...manager({ publishes: ['publish'] }) },
    ],
  },
  ovsx: {
    does: [
      { kind: 'withdraw', object: 'extension', thing: 'package', names: 'first', never: ['unpublish', 'delete'] },
      { area: 'packages', ...manager({ publishes: ['publish'] }) },
    ],
  },
  snapcraft: {
    does: {
      says: {
        close: { kind: 'withdraw', object: 'channel of package', thing: 'package', names: 'first' },
        'revoke-*': { kind: 'revoke', object: 'keys', thing: 'secret', names: 'none' },
        'unregister*': { kind: 'delete', object: 'the name of', thing: 'package' },
      },
      never: ['close', 'revoke-*', 'unregister*'],
    },
  },
}

/** Clients of forges such as GitHub, of lists of tasks, and of registries of packages. */
export const codeHosting: Family = {
  area: 'code-hosting',

  programs,
  examples: {
    'gh auth token': 'shows a GitHub token',
    'gh auth status': '',
    'npm token create --read-only': 'shows an npm token',
    'gh repo delete shop/web --yes': 'deletes repository `shop/web`, for good',
    'gh repo archive shop/web': 'withdraws repository `shop/web`',
    'gh release delete v1.0.0 --yes': 'deletes release `v1.0.0`, for good',
    'gh issue delete 12': 'deletes issue `12`, for good',
    'gh -R shop/web secret delete KEY': 'deletes secret `KEY`, which programs may need, for good',
    'gh api -X DELETE repos/shop/web': 'deletes what is at `repos/shop/web`, for good',
    'gh api -X PUT repos/a/b/collaborators/c -f permission=admin':
      'grants rights on what is at `repos/a/b/collaborators/c`',
    'gh workflow disable ci.yml': 'stops workflow `ci.yml`',
    'gh pr merge 12 --squash --delete-branch': 'merges pull request `12`',
    'gh secret set NPM_TOKEN --body x': 'changes secret `NPM_TOKEN`',
    'gh ssh-key add key.pub': 'grants rights to whoever has ssh key `key.pub`',
    'gh pr list': '',
    'glab repo delete shop/web': 'deletes repository `shop/web`, for good',
    'glab variable set REGION eu': 'changes variable `REGION`',
    'glab mr merge 12 --yes': 'merges request `12`',
    'npm unpublish shop --force': 'withdraws package `shop`',
    'npm dist-tag rm shop beta': 'deletes a tag of `shop`, for good',
    'npm owner rm alice shop': 'revokes the rights of `alice`',
    'cargo yank --version 1.0.0 shop': 'withdraws package `shop`',
    'cargo yank --undo --version 1.0.0 shop': 'publishes package `shop`',
    'gem yank shop -v 1.0.0': 'withdraws package `shop`',
    'tea repos delete shop/web': 'deletes repository `shop/web`, for good',
    'vsce unpublish shop.theme': 'withdraws extension `shop.theme`',
    'nuget delete shop 1.0.0': 'withdraws package `shop`',
    'src repos delete a': 'deletes repository `a`, for good',
    'gerrit delete-project shop': 'deletes project `shop` and everything in it, for good',
    'jira issue delete SHOP-1': 'deletes issue `SHOP-1`, which people watch, for good',
  },
}

/** What a forge keeps beside repositories, for everybody who has its address. */
const gists = /^\/?(?:gist|snippet)s?$/

/** Records the uploads of a forge's client: `gh gist create f`, `gh release upload TAG f`, `gh api -F name=@f`. */
function recordUploads(line: Line, recorder: EffectRecorder): void {
  const [noun, verb, ...rest] = line.operands
  const sends =
    (noun?.value === 'gist' && (verb?.value === 'create' || verb?.value === 'edit')) ||
    /^(?:upload|create|comment|note|edit|review|reply)$/.test(verb?.value ?? '')
  for (const { name, value } of line.given) {
    if (name !== 'F' && name !== 'field') continue
    const file = /^[^=]*=@/.exec(value.value)
    if (file !== null) recorder.touch(behind(value, file[0].length), 'read')
    else if (name === 'F' && noun?.value !== 'api' && value.value !== '-') recorder.touch(value, 'read')
  }
  if (/^(?:gist|snippet)$/.test(noun?.value ?? '') && verb?.value === 'create')
    for (const word of rest) recorder.touch(word, 'read')
  else if (noun?.value === 'release' && (verb?.value === 'upload' || verb?.value === 'create'))
    for (const word of rest.slice(1)) recorder.touch(word, 'read')
  else if (noun?.value === 'secret' || noun?.value === 'variable')
    recorder.network({ kind: 'project', direction: 'send', host: 'github.com' })
  const isGist = gists.test(noun?.value === 'api' ? (verb?.value ?? '') : (noun?.value ?? ''))
  if (sends || noun?.value === 'api')
    recorder.network({
      kind: isGist ? 'share' : 'project',
      direction: 'both',
      host: /^g?lab$/.test(line.program) ? 'gitlab.com' : 'github.com',
    })
  else if (verb?.value === 'clone' || verb?.value === 'download' || verb?.value === 'view')
    recorder.network({ kind: 'project', direction: 'receive', host: 'github.com' })
  const [repository, folder] = rest
  if (noun?.value === 'repo' && verb?.value === 'clone' && repository !== undefined)
    recorder.touch(folder ?? clonedInto(repository), 'into')
}
