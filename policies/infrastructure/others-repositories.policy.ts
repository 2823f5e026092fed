import { abstains, ask, asks, definePolicy } from 'hookgate/policy'

const acme = { facts: { origin: 'https://github.com/acme/shop.git' } } as const
const issue = (owner: string) =>
  ({ tool: 'mcp__github__create_issue', input: { owner, repo: 'lib', title: 'a' } }) as const

const ownerOf = (repository: string): string => repository.split('/', 1)[0] ?? ''

/** Returns the owner in a remote's address: `acme` of `git@github.com:acme/shop.git`. */
const ownerIn = (address: string): string | undefined =>
  /^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?[/:]([\w.-]+)\/./.exec(address.toLowerCase())?.[1]

export default definePolicy({
  id: 'others-repositories',
  severity: 'high',
  description:
    'Asks before something is written to a repository of somebody else than the owners of the workspace’s remotes',
  on: 'PreToolUse',
  tool: ['shell', 'mcp'],
  interest: {
    impacts: [
      'code-hosting',
      'request',
      'going-live',
      'ci-cd',
      'outgoing-messages',
      'mcp-tools',
      'mcp-systems',
      'reaching-others',
    ],
  },
  facts: { origin: { gitRemote: 'origin' }, upstream: { gitRemote: 'upstream' }, fork: { gitRemote: 'fork' } },
  params: {
    trustedOwners: { type: 'strings', default: [], description: 'owners whose repositories may be written to' },
  },
  decide({ impacts, facts, params }) {
    const remotes = [facts.origin, facts.upstream, facts.fork].flatMap((url) => ownerIn(url ?? '') ?? [])
    // Without a remote, it is not known whose the workspace is.
    if (remotes.length === 0) return undefined
    const owners = new Set([...remotes, ...params.trustedOwners.map((one) => one.toLowerCase())])
    for (const { targets, by } of impacts) {
      const [repository] = targets['repository'] ?? []
      if (repository === undefined || owners.has(ownerOf(repository))) continue
      return ask(
        `this writes to \`${repository}\`, which is not the workspace's repository: have the person agree to it`,
        { at: by },
      )
    }
    return undefined
  },
  examples: [
    asks('an issue of others', 'gh issue create -R other/lib -t a -b b', acme),
    asks('a comment, by an address', 'gh pr comment https://github.com/other/lib/pull/3 -b hi', acme),
    asks('a repository in a variable', 'GH_REPO=other/lib gh issue close 3', acme),
    asks('a repository in an exported variable', 'export GH_REPO=other/lib; gh issue close 3', acme),
    asks('the settings of a repository', 'gh repo edit other/lib --description a', acme),
    asks('an issue, by the API', 'gh api repos/other/lib/issues -f title=a', acme),
    asks('an issue, by the API of another forge', 'glab api -X POST projects/other%2Flib/issues', acme),
    asks('an issue, by a request', `curl -d '{"title":"a"}' https://api.github.com/repos/other/lib/issues`, acme),
    asks('an issue, by a tool', { ...issue('other'), ...acme }),
    abstains('a look', 'gh -R other/lib issue view 3', acme),
    abstains('a look, by the API', 'gh api repos/other/lib', acme),
    abstains('a look, by a request', 'curl https://api.github.com/repos/other/lib/issues', acme),
    abstains('a fork', 'gh repo fork other/lib', acme),
    abstains('the workspace’s own repository', 'gh issue create -R acme/shop -t a', acme),
    abstains('the workspace’s own repository, in capitals', 'gh issue create -R github.com/ACME/Shop -t a', acme),
    abstains('another repository of the same owner', 'gh issue comment 3 -R acme/infra -b hi', acme),
    abstains(
      'a repository that a comment mentions',
      'gh pr comment 3 -b "see https://github.com/other/lib/pull/1"',
      acme,
    ),
    abstains('the workspace’s own repository, by a tool', { ...issue('acme'), ...acme }),
    abstains('a workspace without a remote', 'gh issue create -R other/lib -t a'),
    abstains('a remote of another name', 'gh issue close 3 -R other/lib', {
      facts: { ...acme.facts, upstream: 'git@github.com:other/lib.git' },
    }),
    abstains('an owner that is trusted', 'gh issue close 3 -R other/lib', {
      ...acme,
      params: { trustedOwners: ['other'] },
    }),
  ],
})
