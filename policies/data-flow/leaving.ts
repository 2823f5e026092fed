import {
  hostOf,
  type Impact,
  isNearby,
  type NetworkKind,
  type PolicyTool,
  setOf,
  type ShellCommand,
  type ShellFacts,
} from 'hookgate/policy'

/** Something that goes out, or lets others in. */
export interface Leaving {
  readonly does: 'sends' | 'opens'
  /** A host, an address, a channel, a program that shares or lets others in; `undefined` if that is not known. */
  readonly to: string | undefined
  /** Index of the shell command that sends it. */
  readonly at?: number
}

const handsOver = setOf<NetworkKind>(['request', 'stream', 'transfer', 'mail', 'copy', 'share', 'store'])

/** Returns what a call sends to others, and not to servers of this network or the project's own repository. */
export function leaving(tool: PolicyTool, shell: ShellFacts, impacts: readonly Impact[]): readonly Leaving[] {
  if (tool.kind === 'mcp') return byTool(tool, impacts)
  const sends = { does: 'sends' } as const
  if (tool.kind === 'fetch') return hasData(tool.url ?? '') ? [{ ...sends, to: hostOf(tool.url ?? '') }] : []
  const sent = shell.commands.flatMap((command, at): readonly Leaving[] => {
    const { network } = command
    if (network === undefined || isNearby(network.host ?? '')) return []
    if (network.kind === 'lookup') return hasDataInName(network.host ?? '') ? [{ ...sends, to: network.host, at }] : []
    const isSent = network.direction === 'send' || network.direction === 'both' || hasData(network.url ?? '')
    // A remote that is named by its address need not be the project's own.
    const isElsewhere = network.kind === 'project' && network.direction === 'send' && network.url !== undefined
    if (!isSent || (!handsOver.has(network.kind) && !isElsewhere)) return []
    if (network.kind === 'share') return [{ ...sends, to: callOf(command), at }]
    return [{ ...sends, to: network.kind === 'store' ? (bucketOf(command) ?? network.host) : network.host, at }]
  })
  return [...sent, ...opened(shell, impacts)]
}

/** Returns what lets others in who were not: to a project of a cloud, a bucket, a repository, this machine. */
const opened = (shell: ShellFacts, impacts: readonly Impact[]): readonly Leaving[] =>
  impacts.flatMap(({ kind, where, by }): readonly Leaving[] => {
    const command = typeof by === 'number' ? shell.commands[by] : undefined
    const network = command?.network
    if (typeof by !== 'number' || command === undefined || network === undefined) return []
    if ((kind !== 'grant' && kind !== 'open') || where === 'local' || isNearby(network.host ?? '')) return []
    if (network.kind === 'session') return [{ does: 'opens', to: network.host, at: by }]
    // Each of them: a person whom somebody has named may stand beside one whom nobody has.
    const people = command.args.flatMap(({ value }) => value.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? [])
    return (people.length > 0 ? people : [callOf(command)]).map((to) => ({ does: 'opens', to, at: by }))
  })

/** A service for sharing gives what it has to everybody, so its program has to be named, and not its host. */
function callOf({ program, args, line }: ShellCommand): string {
  const second = line?.subcommand ?? args.find(({ value }) => !value.startsWith('-'))?.value
  return second === undefined ? program : `${program} ${second}`
}

/** Returns the last bucket that a command names: the one that it copies to. */
const bucketOf = ({ args }: ShellCommand): string | undefined =>
  args.map(({ value }) => /^[a-z0-9]+:\/\/([\w.-]+)/.exec(value)?.[1]).findLast((one) => one !== undefined)

/** More than names and numbers of pages have. */
const dataCharactersMin = 40
const encodedCharactersMin = 48
/** Four blanks make a sentence. In the fields of `asking` one is a search, and anywhere else it is a message. */
const sentence = /(?:(?:\+|%20)[^+%]{0,60}){4}/
const asking = /^(?:q|qs|query|search\w*|s|k|keys?|keywords?|terms?|text|title|prompt|question|filter)$/i
/** Characters of one label that are data: machines have shorter names, and half a digest in hexadecimal is longer. */
const labelCharactersMin = 24

/** True if an address carries a text along, in its query, as an encoded part of its path, or in its host's name. */
function hasData(url: string): boolean {
  const [path = '', query = ''] = url.replace(/#.*$/, '').split('?', 2)
  const pairs = query.split('&').map((pair) => /^([^=]*)=?(.*)$/.exec(pair) ?? [])
  if (pairs.some(([pair = '', field = '', value = pair]) => carries(field, value === '' ? pair : value))) return true
  if (path.split('/').some((part) => part.length >= encodedCharactersMin && /^[\w+=%]+$/.test(part))) return true
  return hasDataInName(hostOf(url))
}

const carries = (field: string, value: string): boolean =>
  value.length >= dataCharactersMin || (!asking.test(field) && sentence.test(value))

/** True if the labels of a name are no words, which tells whoever answers for the name. */
const hasDataInName = (host: string): boolean =>
  host.split('.').some((label) => label.length >= labelCharactersMin && /^(?=\w*\d)(?=\w*[a-z])\w+$/i.test(label))

/** Areas of impacts by which a tool of an MCP server hands something to others. */
const reaching = setOf<Impact['area']>(['outgoing-messages', 'reaching-others'])

function byTool({ input }: PolicyTool, impacts: readonly Impact[]): readonly Leaving[] {
  const url = typeof input['url'] === 'string' ? input['url'] : ''
  const sendsTo = url !== '' && (hasData(url) || ['body', 'data', 'json'].some((field) => input[field] !== undefined))
  const found = impacts
    .filter(({ area }) => reaching.has(area))
    .flatMap(({ kind, names }): readonly Leaving[] => {
      const does = kind === 'grant' || kind === 'open' ? 'opens' : 'sends'
      return names.length === 0 ? [{ does, to: undefined }] : names.map((to) => ({ does, to: hostIn(to) }))
    })
  const sent: readonly Leaving[] = sendsTo ? [{ does: 'sends', to: hostOf(url) }] : []
  // Where one finding names whom, those that name nobody add nothing.
  const all = [...found, ...sent]
  const named = all.filter(({ to }) => to !== undefined)
  return named.length > 0 ? named : all
}

const hostIn = (to: string) => (to.includes('://') ? hostOf(to) : to)
