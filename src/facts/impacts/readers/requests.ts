import type { Impact } from '../../../model/impact.ts'
import type { ShellFacts } from '../../../model/shell.ts'
import type { Call } from '../../../words/calls.ts'
import { hostOf, isLoopback, portOf, type Request, requestOf } from '../../../words/request.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { type ImpactFound, makeImpact, placeOf } from '../make-impact.ts'
import {
  actsOf,
  deletedByGraph,
  deletes,
  namesTestKey,
  receiversIn,
  type RequestEffect,
  systemAt,
  takenAway,
  thingAt,
} from '../apis.ts'
import type { FetchedByTool } from '../../../model/tool-facts.ts'
import { sqlDeeds } from '../texts/sql.ts'
import { objectIn } from '../naming.ts'

/** Ports of data stores and control planes, which an application in development does not use. */
const portsOfStores = new Set(
  '2375 2376 2379 4001 4646 5601 5984 6333 6443 7474 7700 8001 8086 8108 8123 8200 8428 8444 8500 8529 8983 9000 9001 9090 9091 9093 9200 9201 9300 9443 10250 15672 16443 19530 3100 8091 8098 8161 8888 9042 9180 2181 8083 9428'.split(
    ' ',
  ),
)

/** The fields of a request's impact that a reader finds; its address gives the others. */
type RequestDeed = RequestEffect & Partial<Pick<ImpactFound, 'unsure' | 'names' | 'words' | 'extent'>>

/** Finds what a request does to a server: that of `curl` and its kin, and that of a forge's client. */
export function impactsOfRequests(call: Call, shell: ShellFacts): readonly Impact[] {
  const request = requestOf(call, shell)
  if (request === undefined) return []
  const acts = actsOf(request)
  // What else the client of a forge changes by a request, its entry says.
  if (call.command.request === 'forge') return impactsOf(call, { ...request, method: `api ${request.method}` }, acts)
  const taken = takenBy(request)
  // A message changes nothing else in the system that carries it.
  const isMessage = acts.some(({ kind }) => kind === 'send')
  const changed = taken.length > 0 || isMessage ? [] : changedBy(request, call)
  return impactsOf(call, request, [...taken, ...changed, ...acts])
}

/** Finds what an address does that a tool fetches: as a request by a program does. */
export function impactsOfFetch({ name, url, method }: FetchedByTool): readonly Impact[] {
  const request: Request = { method, urls: [url], body: '' }
  const host = hostShown(url)
  const names = [shortened(url)]
  const where = isLoopback(url) ? 'local' : placeOf([host, ...names], [])
  const said = { by: 'url', words: `${name} ${method}`, command: name, targets: { host: [host] } } as const
  const shared = { names, extent: 'unknown', where, through: 'request', ...said } as const
  return [...takenBy(request), ...actsOf(request)].map((deed) => Object.assign({}, shared, deed, said))
}

/** A GraphQL mutation names the object that it deletes in its field only. */
const byGraph = (field: string): RequestDeed => ({ ...deletes, object: 'what the mutation names', words: field })

/** Returns what a request takes away. */
function takenBy(request: Request): readonly RequestDeed[] {
  const { method, urls, body } = request
  if (method === 'DELETE') return [rated(request, { ...deletes, thing: thingAt(urls) })]
  const isGraph = urls.some((url) => /\bgraphql\b|\/graph\b|\/gql\b/i.test(url))
  const field = isGraph ? deletedByGraph(body) : undefined
  if (field !== undefined) return [byGraph(field)]
  const sql = sqlDeeds(sqlIn(urls, body))
  if (sql.length > 0) return sql.flatMap((deed) => [{ ...deed, area: 'sql', words: `${method} … ${deed.words}` }])
  if (method === '?') return [{ ...deletes, unsure: true }]
  const taken = takenAway(request)
  return taken === undefined ? [] : [rated(request, taken)]
}

/** On a server of this machine, it takes work to undo, unless that stores data. */
function rated({ urls }: Request, does: RequestEffect): RequestEffect {
  const isOwn = urls.some((url) => isLoopback(url) && !portsOfStores.has(portOf(url) ?? ''))
  return isOwn ? { ...does, undo: 'work' } : does
}

/** Returns the system of others that a request changes. */
function changedBy({ method, urls }: Request, { args }: Call): readonly RequestDeed[] {
  if (method !== 'PUT' && method !== 'PATCH' && method !== 'POST') return []
  if (args.some(({ value, variable = '' }) => namesTestKey(value) || namesTestKey(variable))) return []
  const system = systemAt(urls, method)
  if (system === undefined) return []
  const { object, thing, area } = system
  return [{ kind: 'change', thing, area, object, undo: 'work' }]
}

function impactsOf(call: Call, request: Request, deeds: readonly RequestDeed[]): readonly Impact[] {
  if (deeds.length === 0) return []
  const { urls, method } = request
  const isLocal = urls.length > 0 && urls.every(isLoopback)
  const line = lineIn(call, {})
  const addresses = urls.map(shortened).filter((url) => url !== '' && url !== '/graphql')
  return deeds.map((deed) =>
    makeImpact(call, line, {
      names: deed.kind === 'send' ? receiversOf(request, addresses) : addresses,
      words: method,
      extent: 'unknown',
      ...deed,
      through: 'request',
      targets: { host: urls.map(hostShown) },
      ...(isLocal && { where: 'local' }),
    }),
  )
}

/** Returns who gets a message, or the addresses where nothing says who. */
function receiversOf({ body, urls }: Request, addresses: readonly string[]): readonly string[] {
  const receivers = receiversIn(decoded([body, ...urls.map((url) => url.split('?')[1] ?? '')].join('\n')))
  return receivers.length > 0 ? receivers : addresses.map(withoutKey)
}

/** Returns the address of a webhook or a bot without the key in it: who has that can post. */
const withoutKey = (address: string): string =>
  address
    .replace(/(?<=^hooks\.slack\.com\/\w+\/).*/, '…')
    .replace(/(?<=^[\w.]*discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/)(\d+\/).*/, '$1…')
    .replace(/(?<=^api\.telegram\.org\/bot)[^/]+/, '…')

/** Returns an address without what is secret in it, or long. */
const shortened = (url: string): string => (url.split(/[?#]/, 1)[0] ?? '').replace(/^\w+:\/\/(?:[^/@]*@)?/, '')

/** Returns the host of an address. One of this machine has several names, and some of them are signs. */
function hostShown(url: string): string {
  const host = hostOf(url)
  return isLoopback(url) && /^$|:/.test(host) ? 'localhost' : host
}

/** Returns SQL that a request sends to a database, in its URL or as its body. */
function sqlIn(urls: readonly string[], body: string): string {
  const inUrls = urls
    .flatMap((url) =>
      [...url.matchAll(/[?&](?:query|q|sql|statement)=([^&#]*)/gi)].map((found) => decoded(found[1] ?? '')),
    )
    .filter((text) => statement.test(text))
  const inBody =
    /^\s*(?:(?:query|q|sql|statement|update)=\s*)?((?:DROP|TRUNCATE|DELETE|ALTER|UPDATE|REMOVE|CLEAR)\b[\s\S]*)/i.exec(
      body,
    )?.[1]
  const inJson = /"(?:query|sql|stmt|statement|q)"\s*:\s*"((?:[^"\\]|\\.)*)"/i.exec(body)?.[1]
  return [...inUrls, inBody ?? '', inJson ?? ''].join(';\n')
}

/** Matches more than the two words of a possible search. */
const statement = /^\s*(?:truncate|\w+\s+\S+)\s+\S/i

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Returns what a GraphQL mutation deletes that a forge's own program sends: `gh api graphql -f query=…`. */
export function graphCalls(call: Call): readonly Impact[] {
  const { command, args } = call
  if (command.request !== 'forge' || !args.some(({ value }) => value === 'graphql')) return []
  const about = { thing: 'repository', area: 'code-hosting', names: [], words: 'api graphql' } as const
  for (const { value } of args) {
    const deleted = deletedByGraph(value)
    if (deleted !== undefined)
      return [makeImpact(call, lineIn(call, {}), { ...about, kind: 'delete', ...objectIn(deleted), undo: 'never' })]
  }
  return []
}
