import type { Call } from '../../../words/calls.ts'
import type { Impact } from '../../../model/impact.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { lineOf } from '../../../words/options.ts'
import { isLoopback, type Request, requestOf } from '../../../words/request.ts'
import { type ShellFacts, unknownPart } from '../../../model/shell.ts'
import { makeImpact } from '../make-impact.ts'
import { setOf } from '../../../model/look-ups.ts'

/** Reads the repository of a path of a forge's API: `repos/OWNER/NAME/…`, `projects/OWNER%2FNAME/…`. */
function repositoryOfApi(address: string): RepositoryName | undefined {
  const path =
    /^(?:https?:\/\/[^/]+\/)?\/?(?:api\/v\d\/)?(?:repos\/([^/?]+\/[^/?]+)|projects\/([^/?]+%2[Ff][^/?]+))/.exec(address)
  return repositoryIn(path?.[1] ?? path?.[2] ?? '')
}

/** Adds what a call writes to a repository of a forge that it names. Whose that is, a rule has to know. */
export function withForgeWrite(impacts: readonly Impact[], call: Call, shell: ShellFacts): readonly Impact[] {
  const request = requestOf(call, shell)
  const repository = request === undefined ? changedBy(call) : changedByRequest(request)
  return withRepository(impacts, repository, (names) =>
    makeImpact(call, lineIn(call, {}), { ...repositoryWrite, area: 'code-hosting', names, words: '…' }),
  )
}

/** Returns the repository that a client of a forge would change by a command of its own. */
function changedBy({ args, command, environment }: Call): RepositoryName | undefined {
  const line = command.request === 'forge' && args === command.args ? lineOf(command) : undefined
  if (line === undefined || line.subcommand !== undefined || line.has('help')) return undefined
  const [group = '', verb = '', ...rest] = line.operands.map(({ value }) => value)
  // A code space belongs to its user.
  if (!writesToForge(verb) || /^(?:codespace|cs)$/.test(group)) return undefined
  const named = line.value('R', 'repo')?.value
  if (named !== undefined) return repositoryIn(named)
  const written = rest.find((word) => /^https?:\/\//.test(word) || (group === 'repo' && word.includes('/')))
  return repositoryIn(written ?? environment.findLast(({ name }) => name === 'GH_REPO')?.value.value ?? '')
}

/** Returns the repository of a forge that a request would change. One by the forge's own client has no host. */
function changedByRequest({ method, urls }: Request): RepositoryName | undefined {
  if (/^(?:GET|HEAD|OPTIONS|\?)$/.test(method)) return undefined
  const apis = urls.filter((url) => /^(?:https?:\/\/(?:api\.github\.com|[^/]*(?:git|codeberg)[^/]*\/api))?\//.test(url))
  return apis.map(repositoryOfApi).find((one) => one !== undefined)
}

/** Verbs that change something, or tell people something, in the clients of forges and in the names of MCP tools. */
const writes = setOf(
  (
    'create new add comment note edit update set write push close reopen delete remove merge approve unapprove review ready ' +
    'revert update-branch lock unlock pin unpin transfer rename archive unarchive upload publish enable disable run trigger dispatch ' +
    'cancel rerun retry sync assign unassign label request submit respond reply resolve revoke'
  ).split(' '),
)
export const writesToForge = (verb: string): boolean => writes.has(verb)

/** A repository, `owner/name` in lower case. */
export type RepositoryName = string

/** Reads `owner/name`, `host/owner/name` or an address; `undefined` for anything else, and what is not known. */
export function repositoryIn(text: string): RepositoryName | undefined {
  if (text.includes(unknownPart) || /[\s{}$]/.test(text)) return undefined
  const path = text
    .toLowerCase()
    .replaceAll('%2f', '/')
    .replace(/^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?[/:]/, '')
    .replace(/\.git$/, '')
  return /^[\w.-]+(?:\/[\w.-]+)+/.exec(path)?.[0]
}

/** The impact of a write to a repository of which nothing more is known. */
export const repositoryWrite = { kind: 'change', thing: 'repository', object: 'repository', undo: 'easily' } as const

/** Adds the repository that a call writes to: to each of its impacts, or as one if there is no other. */
export function withRepository(
  impacts: readonly Impact[],
  repository: RepositoryName | undefined,
  orElse: (names: readonly string[]) => Impact,
): readonly Impact[] {
  if (repository === undefined) return impacts
  const all = impacts.length > 0 ? impacts : [orElse([repository])]
  return all.map((impact) => Object.assign({}, impact, { targets: { ...impact.targets, repository: [repository] } }))
}

const address = /^(?!-)[^\s@]+@(?!localhost\b|127\.)[\w-]+(?:\.[\w-]+)+$/
/** A server of this machine, which only catches mail. */
const here = /^(?:.*[=:@])?(?:localhost|127\.0\.0\.1|\[::1\]|mailhog|mailpit|mailcatcher)(?::\d+)?$/

/** Finds mails that programs send to addresses among their words. */
export function impactsOfMails(call: Call): readonly Impact[] {
  const { network } = call.command
  if (network?.kind !== 'mail' || isLoopback(network.host ?? '')) return []
  const texts = call.args.map(({ value }) => value)
  const names = texts.filter((text) => address.test(text))
  if (names.length === 0 || texts.some((text) => here.test(text))) return []
  return [
    makeImpact(call, lineIn(call, {}), {
      kind: 'send',
      thing: 'message',
      area: 'outgoing-messages',
      object: 'mail',
      names,
      undo: 'work',
      words: '',
      where: 'unknown',
    }),
  ]
}
