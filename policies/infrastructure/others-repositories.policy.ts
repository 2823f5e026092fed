import {
  abstains,
  ask,
  asks,
  callsIn,
  definePolicy,
  readOptions,
  type Request,
  requestOf,
  setOf,
  type ShellCommand,
  type ShellFacts,
  type ShellWord,
  unknownPart,
} from 'hookgate/policy'
import { textsIn } from './data/tool-input.ts'
import { isLook, toolOf } from './mcp-names.ts'

/** Programs of forges, which act on the repository that an option, a variable or an address names. */
const clients = setOf(['gh', 'glab', 'hub', 'tea'])

/** Verbs that change something, or tell people something, in the clients of forges and in the names of MCP tools. */
const writes = setOf(
  (
    'create new add comment note edit update set write push close reopen delete remove merge approve unapprove review ready ' +
    'revert update-branch lock unlock pin unpin transfer rename archive unarchive upload publish enable disable run trigger dispatch ' +
    'cancel rerun retry sync assign unassign label request submit respond reply resolve revoke'
  ).split(' '),
)

/** Options of these programs that take a value: what they say is no repository. */
const valued =
  'R repo b body t title F body-file f field raw-field X method H header input q jq template l label a assignee m message milestone B base head r reviewer p project n notes notes-file target e env o org u user w workflow ref json L limit c comment description add-label remove-label hostname homepage'.split(
    ' ',
  )

/** A repository, `owner/name` in lower case. */
type Repository = string

/** Reads `owner/name`, `host/owner/name` or an address; `undefined` for anything else, and what is not known. */
function repositoryIn(text: string): Repository | undefined {
  if (text.includes(unknownPart) || /[\s{}$]/.test(text)) return undefined
  const path = text
    .toLowerCase()
    .replaceAll('%2f', '/')
    .replace(/^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?[/:]/, '')
    .replace(/\.git$/, '')
  return /^[\w.-]+(?:\/[\w.-]+)+/.exec(path)?.[0]
}

/** Reads the repository of a path of a forge's API: `repos/OWNER/NAME/…`, `projects/OWNER%2FNAME/…`. */
function repositoryOfApi(address: string): Repository | undefined {
  const path =
    /^(?:https?:\/\/[^/]+\/)?\/?(?:api\/v\d\/)?(?:repos\/([^/?]+\/[^/?]+)|projects\/([^/?]+%2[Ff][^/?]+))/.exec(address)
  return repositoryIn(path?.[1] ?? path?.[2] ?? '')
}

/** Returns the repository that a client of a forge would change. */
function changedBy(
  { program, args, assignments }: ShellCommand,
  shell: ShellFacts,
  at: number,
): Repository | undefined {
  if (!clients.has(program)) return undefined
  const { operands, value, has } = readOptions(args, { valued })
  const [group = '', verb = '', ...rest] = operands.map((word: ShellWord) => word.value)
  if (has('help')) return undefined
  if (group === 'api') {
    const sends = has('f', 'field', 'F', 'raw-field', 'input') ? 'POST' : 'GET'
    const method = (value('X') ?? value('method'))?.value.toUpperCase() ?? sends
    return /^(?:GET|HEAD)$/.test(method) ? undefined : repositoryOfApi(verb)
  }
  // What runs in a code space is one's own.
  if (!writes.has(verb) || /^(?:codespace|cs)$/.test(group)) return undefined
  const named = (value('R') ?? value('repo'))?.value
  if (named !== undefined) return repositoryIn(named)
  const written = rest.find((word) => /^https?:\/\//.test(word) || (group === 'repo' && word.includes('/')))
  return repositoryIn(written ?? assigned('GH_REPO', assignments, shell, at) ?? '')
}

/** Returns the value of a variable that a command, or one before it in the same text, sets. */
function assigned(
  name: string,
  own: ShellCommand['assignments'],
  { commands }: ShellFacts,
  at: number,
): string | undefined {
  const before = commands
    .slice(0, at)
    .flatMap(({ program, args }) => (program === 'export' ? args.map(({ value }) => value) : []))
    .findLast((word) => word.startsWith(`${name}=`))
  return own.findLast((one) => one.name === name)?.value.value ?? before?.slice(name.length + 1)
}

/** Returns the repository of a forge that a request over HTTP would change. */
function changedByRequest({ method, urls }: Request): Repository | undefined {
  if (/^(?:GET|HEAD|OPTIONS|\?)$/.test(method)) return undefined
  const apis = urls.filter((url) => /^https?:\/\/(?:api\.github\.com|[^/]*(?:git|codeberg)[^/]*\/api)\//.test(url))
  return apis.map(repositoryOfApi).find((one) => one !== undefined)
}

/** Fields of MCP tools that name a repository: alone, or behind its owner. */
const owning = /^(?:owner|org|organization|namespace|workspace)$/i
const named =
  /^(?:repo|repository|repo_?name|repository_?name|project|project_?id|project_?path|full_?name|repo_?slug)$/i

/** Returns the repository that an MCP tool would change. */
function changedByTool(name: string, input: unknown): Repository | undefined {
  const { server, parts } = toolOf(name)
  if (!/git|^gh$|forge|bitbucket|codeberg/i.test(server) || isLook(parts) || !parts.some((part) => writes.has(part)))
    return undefined
  const texts = textsIn(input)
  if (texts.some(({ key, text }) => key === 'method' && /^(?:get|list|search)/i.test(text))) return undefined
  const owner = texts.find(({ key }) => owning.test(key))?.text
  const repository = texts.find(({ key, text }) => named.test(key) && !/^\d+$/.test(text))?.text
  if (repository === undefined) return undefined
  return repositoryIn(owner === undefined || repository.includes('/') ? repository : `${owner}/${repository}`)
}

const acme = { facts: { origin: 'https://github.com/acme/shop.git' } } as const
const issue = (owner: string) =>
  ({ tool: 'mcp__github__create_issue', input: { owner, repo: 'lib', title: 'a' } }) as const

const ownerOf = (repository: string) => repository.split('/', 1)[0]

const answer = (repository: string, at?: number) =>
  ask(
    `this writes to \`${repository}\`, which is not the workspace’s: show the person what, and have them agree`,
    at === undefined ? {} : { at },
  )

export default definePolicy({
  id: 'others-repositories',
  severity: 'high',
  description:
    'Asks before something is written to a repository of somebody else than the owners of the workspace’s remotes',
  on: 'PreToolUse',
  tool: ['shell', 'mcp'],
  interest: { words: [...clients.members, 'invoke irm iwr'], network: true },
  facts: { origin: { gitRemote: 'origin' }, upstream: { gitRemote: 'upstream' }, fork: { gitRemote: 'fork' } },
  params: {
    trustedOwners: { type: 'strings', default: [], description: 'owners whose repositories may be written to' },
  },
  decide({ tool, shell, facts, params }) {
    const remotes = [facts.origin, facts.upstream, facts.fork].flatMap((url) => repositoryIn(url ?? '') ?? [])
    // Without a remote, it is not known whose the workspace is.
    if (remotes.length === 0) return undefined
    const owners = new Set([...remotes.map(ownerOf), ...params.trustedOwners.map((one) => one.toLowerCase())])
    const isOthers = (one: Repository | undefined): one is string => one !== undefined && !owners.has(ownerOf(one))
    if (tool.kind === 'mcp') {
      const repository = changedByTool(tool.name, tool.input)
      return isOthers(repository) ? answer(repository) : undefined
    }
    for (const [at, command] of shell.commands.entries()) {
      const repository = changedBy(command, shell, at)
      if (isOthers(repository)) return answer(repository, at)
    }
    for (const call of callsIn(shell)) {
      const request = requestOf(call)
      const repository = request === undefined ? undefined : changedByRequest(request)
      if (isOthers(repository)) return answer(repository, call.at)
    }
    return undefined
  },
  examples: [
    asks('an issue of others', 'gh issue create -R other/lib -t a -b b', acme),
    asks('a comment, by an address', 'gh pr comment https://github.com/other/lib/pull/3 -b hi', acme),
    asks('by a variable', 'GH_REPO=other/lib gh issue close 3', acme),
    asks('by a variable that is exported', 'export GH_REPO=other/lib; gh issue close 3', acme),
    asks('a whole repository', 'gh repo edit other/lib --description a', acme),
    asks('by the API', 'gh api repos/other/lib/issues -f title=a', acme),
    asks('by the API of another forge', 'glab api -X POST projects/other%2Flib/issues', acme),
    asks('by a request', `curl -d '{"title":"a"}' https://api.github.com/repos/other/lib/issues`, acme),
    asks('by a tool', { ...issue('other'), ...acme }),
    abstains('looking', 'gh -R other/lib issue view 3', acme),
    abstains('looking, by the API', 'gh api repos/other/lib', acme),
    abstains('looking, by a request', 'curl https://api.github.com/repos/other/lib/issues', acme),
    abstains('a fork', 'gh repo fork other/lib', acme),
    abstains('one’s own', 'gh issue create -R acme/shop -t a', acme),
    abstains('one’s own, in other letters', 'gh issue create -R github.com/ACME/Shop -t a', acme),
    abstains('another of the same owner', 'gh issue comment 3 -R acme/infra -b hi', acme),
    abstains('one that a text is about', 'gh pr comment 3 -b "see https://github.com/other/lib/pull/1"', acme),
    abstains('one’s own, by a tool', { ...issue('acme'), ...acme }),
    abstains('where there is no remote', 'gh issue create -R other/lib -t a'),
    abstains('a remote of another name', 'gh issue close 3 -R other/lib', {
      facts: { ...acme.facts, upstream: 'git@github.com:other/lib.git' },
    }),
    abstains('an owner that is trusted', 'gh issue close 3 -R other/lib', {
      ...acme,
      params: { trustedOwners: ['other'] },
    }),
  ],
})
