import { lineIn } from './loose-line.ts'
import { lineOf, type LineRead } from './options.ts'
import type { ShellFacts, ShellWord } from '../model/shell.ts'
import type { Call } from './calls.ts'

/** A request over HTTP, as far as a command line says. */
export interface Request {
  /** In upper case; `?` where it is not known. */
  readonly method: string
  readonly urls: readonly string[]
  /** Everything that is sent, one after another. */
  readonly body: string
  /** Headers, as they are written. Absent where they are not read. */
  readonly headers?: readonly string[]
}

const textsOf = (words: readonly ShellWord[]): readonly string[] => words.map(({ value }) => value)

const bodyOptions = 'd data data-raw data-binary data-ascii data-urlencode json F form form-string url-query'.split(' ')
const overridesMethod = /^x-(?:http-)?method(?:-override)?\s*:\s*delete/i

function curlRequest({ command }: Call, line: LineRead): Request {
  const given = line.values('X', 'request').map(({ value, unresolved }) => (unresolved ? '?' : value.toUpperCase()))
  const named = line.values('X', 'request').length === 0 ? undefined : methodOf(given, line.has('next'))
  const isOverridden = line.values('H', 'header').some(({ value }) => overridesMethod.test(value))
  const bodies = textsOf(line.values(...bodyOptions)).map((text) =>
    text === '@-' ? (command.stdin?.value ?? '') : text,
  )
  const sent = line.has('T', 'upload-file') ? 'PUT' : bodies.length > 0 && !line.has('G', 'get') ? 'POST' : 'GET'
  return {
    method: isOverridden ? 'DELETE' : (named ?? sent),
    urls: textsOf([...line.values('url'), ...line.operands]),
    body: bodies.join('\n'),
    headers: textsOf(line.values('H', 'header')),
  }
}

/** Returns the method that counts: the last, and of several requests the one that deletes. */
const methodOf = (given: readonly string[], areSeveral: boolean): string | undefined =>
  areSeveral && given.includes('DELETE') ? 'DELETE' : given.at(-1)

function wgetRequest(line: LineRead): Request {
  const posted = line.value('post-data')
  const body = (posted ?? line.value('body-data'))?.value ?? ''
  const method = line.value('method')?.value.toUpperCase() ?? (posted === undefined ? 'GET' : 'POST')
  return { method, urls: textsOf(line.operands), body }
}

const methodRequest = ({ command }: Call, line: LineRead): Request => {
  const given = line.value('m', 'method')
  return {
    method: given === undefined ? 'GET' : given.unresolved === true ? '?' : given.value.toUpperCase(),
    urls: textsOf(line.operands),
    body: [...textsOf(line.values('d', 'data', 'b', 'body', 'json', 'content')), command.stdin?.value ?? ''].join('\n'),
  }
}

/** `grpcurl HOST shop.Users/DeleteUser`, and `evans --host HOST cli call shop.Users.DeleteUser`. */
function procedureRequest(line: LineRead): Request {
  const [called = '', before = ''] = textsOf(line.operands).toReversed()
  const host = line.value('host')?.value ?? before
  // `grpcurl HOST describe shop.Users` only shows what the server offers.
  const method = /^(?:describe|list)$/.test(before) ? 'GET' : 'POST'
  return { method, urls: [`${host}/${called}`], body: textsOf(line.values('d')).join('\n') }
}

/** Requests in a text: the one that deletes, if there is one. */
function linesRequest({ command, at }: Call, shell: ShellFacts): Request {
  const text = [command.stdin?.value ?? '', ...textsTo(at, shell)].join('\n').replaceAll('\\n', '\n')
  const all = [...text.matchAll(/^[ \t]*([A-Z]{3,8})[ \t]+(\S+)/gm)]
  const [, method = 'GET', url] = all.find(([, one]) => one === 'DELETE') ?? all[0] ?? []
  return { method, urls: url === undefined ? [] : [url], body: text }
}

const methods = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|PURGE)$/i

/** HTTPie and its kin: `http DELETE :3000/users/1`. */
function httpieRequest(line: LineRead): Request {
  const operands = textsOf(line.operands)
  // The value of an option that is not known may stand in front of the method.
  const at = operands.slice(0, 4).findIndex((text) => methods.test(text))
  const body = textsOf(line.values('item', 'raw')).join('\n')
  return {
    method: at === -1 ? (body === '' ? 'GET' : 'POST') : (operands[at] ?? '').toUpperCase(),
    urls: operands.slice(at + 1, at + 2),
    body,
    headers: textsOf(line.values('header')),
  }
}

/** `Invoke-RestMethod -Method Delete -Uri …`. */
function powershellRequest(call: Call): Request {
  const line = lineIn(call, { windows: 'parameters', valued: 'method custommethod uri body' })
  const texts = [...line.words.map(({ text }) => text), ...line.given.map(({ value }) => value.value)]
  return {
    method: (line.value('method', 'custommethod')?.value ?? 'GET').toUpperCase(),
    urls: texts.filter((text) => /^https?:/i.test(text)),
    body: line.value('body')?.value ?? '',
  }
}

/** Returns the texts of commands that end up with a command: what `cat` or `echo` puts into a file that it then reads. */
const textsTo = (at: number, { commands, flows }: ShellFacts): readonly string[] =>
  flows.flatMap(({ from, to }) => {
    const source = to === at ? commands[from] : undefined
    return source === undefined ? [] : [source.stdin?.value ?? '', ...source.args.map(({ value }) => value)]
  })

/** The request of a forge's client that is given a path: `gh api -X PUT repos/a/b/pulls/3/merge`. */
function forgeRequest({ command, at }: Call, line: LineRead, shell: ShellFacts): Request | undefined {
  const [group, ...rest] = textsOf(line.operands)
  if (group !== 'api' || line.has('help')) return undefined
  const bodies = line.given.flatMap(({ name, value: { value } }) => {
    if (!/^(?:f|raw-field|F|field|input)$/.test(name)) return []
    const isFile = name === 'input' || /^(?:\w+=)?@|^-$/.test(value)
    return isFile ? [value, ...textsTo(at, shell), command.stdin?.value ?? ''] : [value]
  })
  const method = line.value('X', 'method')?.value.replace(/^=/, '').toUpperCase()
  return {
    method: method ?? (bodies.length > 0 ? 'POST' : 'GET'),
    urls: rest.includes('graphql') ? ['/graphql'] : rest.map((url) => url.replace(/^(?:https?:\/\/[^/]+)?\/?/, '/')),
    body: bodies.join('\n'),
  }
}

/** The request that a command sends, where its program is one that does. */
export function requestOf(call: Call, shell: ShellFacts): Request | undefined {
  const { command, args } = call
  // A program that another one starts here is no command of its own, and its line is not read.
  if (command.request === undefined || args !== command.args) return undefined
  if (command.request === 'powershell') return powershellRequest(call)
  const line = lineOf(command)
  if (line === undefined) return undefined
  switch (command.request) {
    case 'curl':
      return curlRequest(call, line)
    case 'wget':
      return wgetRequest(line)
    case 'httpie':
      return httpieRequest(line)
    case 'procedure':
      return procedureRequest(line)
    case 'lines':
      return linesRequest(call, shell)
    case 'method':
      return methodRequest(call, line)
    case 'forge':
      return forgeRequest(call, line, shell)
  }
}

/** The host of a URL or of `host:port`, in lower case, without user and port. */
export function hostOf(url: string): string {
  const behindScheme = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split(/[/?#]/)[0] ?? ''
  const behindUser = behindScheme.slice(behindScheme.lastIndexOf('@') + 1).toLowerCase()
  return behindUser.startsWith('[') ? (behindUser.slice(1).split(']')[0] ?? '') : (behindUser.split(':')[0] ?? '')
}

/** The port of a URL, if it names one. */
export function portOf(url: string): string | undefined {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*):(\d+)/i.exec(url)?.[1]
}

/** Names of this machine that systems and container engines have in their tables of hosts. */
const ownNames =
  /^(?:localhost|localhost\.localdomain|localhost[46]|ip6-(?:localhost|loopback)|.*\.localhost|host\.(?:docker|containers|lima|orb|minikube)\.internal|(?:gateway|kubernetes)\.docker\.internal|127(?:\.\d+){0,3}|0\.0\.0\.0|(?:0*:)+0*1|::|::ffff:127\.[\d.]+)\.?$/

/** Addresses of private networks, of links and of carriers, and names that only networks around this machine know. */
const nearby =
  /^(?:(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+|\[?f[cd][\da-f]{2}:.*|.*\.(?:local|internal|test|lan|home\.arpa))$/i

/** True if a host is this machine, or of a network around it. */
export const isNearby = (host: string): boolean => nearby.test(host) || isLoopback(host)

/** True if a URL or host is this machine, also as HTTPie shortens it: `:8000/items`. */
export const isLoopback = (url: string): boolean => ownNames.test(hostOf(url)) || /^:\d*(?:\/|$)/.test(url)
