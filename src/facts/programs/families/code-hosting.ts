import { liveBy, type Deeds, type Deed } from '../deeds/deeds.ts'
import { manager } from '../deeds/packages.ts'
import type { Family } from '../program.ts'
import type { Call } from '../../../words/calls.ts'

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

/** Further deeds of GitHub's client, of other kinds. */
export const besides: readonly Deed[] = [
  {
    kind: 'grant',
    thing: 'account',
    work: [
      'ssh-key|gpg-key add',
      'repo deploy-key add',
      'auth login --with-token',
      'repo create --public|--visibility=public --push|--source|-s',
    ],
    says: {
      'ssh-key|gpg-key|repo add|deploy-key': { object: 'ssh key', names: 'none' },
      'auth login': { object: 'this machine' },
      'repo create': { thing: 'repository', object: 'everybody' },
    },
  },
  { kind: 'grant', thing: 'account', object: 'what is at', work: changingRequests, when: isOfRights },
  { kind: 'change', object: 'the visibility of the repository', never: ['repo edit --visibility'] },
  { kind: 'weaken', thing: 'guard', object: 'the checks of the branch', work: ['pr merge --admin'] },
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

export const cargoCodeHosting: Deeds = {
  says: {
    yank: { kind: 'withdraw', object: 'package', thing: 'package', names: 'first' },
    owner: { kind: 'revoke', object: 'the rights of an owner', thing: 'package', names: 'none' },
  },
  never: ['yank', 'owner --remove|-r'],
}

/** Subcommands that take away what others use. */
const programs: Family['programs'] = {
  bkt: { does: merges('pr merge') },
  berg: { does: [merges('pr|pull merge'), liveBy(/^release create (?!.*--draft)/, { kindFirst: true })] },
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
    'gh -R shop/web secret delete KEY': 'deletes secret `KEY`, which other things may need, for good',
    'gh api -X DELETE repos/shop/web': 'deletes what is at `repos/shop/web`, for good',
    'gh api -X PUT repos/a/b/collaborators/c -f permission=admin':
      'grants rights on what is at `repos/a/b/collaborators/c`',
    'gh workflow disable ci.yml': 'stops workflow `ci.yml`',
    'gh pr merge 12 --squash --delete-branch': 'merges pull request `12`',
    'gh secret set NPM_TOKEN --body x': 'changes secret `NPM_TOKEN`',
    'gh ssh-key add key.pub': 'grants rights with an ssh key',
    'gh pr list': '',
    'glab repo delete shop/web': 'deletes repository `shop/web`, for good',
    'glab variable set REGION eu': 'changes variable `REGION`',
    'glab mr merge 12 --yes': 'merges request `12`',
    'npm unpublish shop --force': 'withdraws package `shop`',
    'npm dist-tag rm shop beta': 'deletes tag of `shop`, for good',
    'npm owner rm alice shop': 'revokes the rights of `alice`',
    'cargo yank --version 1.0.0 shop': 'withdraws package `shop`',
    'gem yank shop -v 1.0.0': 'withdraws package `shop`',
    'tea repos delete shop/web': 'deletes repository `shop/web`, for good',
    'vsce unpublish shop.theme': 'withdraws extension `shop.theme`',
    'nuget delete shop 1.0.0': 'withdraws package `shop`',
    'src repos delete a': 'deletes repository `a`, for good',
    'gerrit delete-project shop': 'deletes project `shop`, for good',
    'jira issue delete SHOP-1': 'deletes issue `SHOP-1`, by which people learn what happens, for good',
  },
}
