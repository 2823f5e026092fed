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

/** Something that goes out, and to whom: a host, an address, a channel, a program that shares; `undefined` if that is not known. */
export interface Leaving {
  readonly to: string | undefined
  /** Index of the shell command that sends it. */
  readonly at?: number
}

const handsOver = setOf<NetworkKind>(['request', 'stream', 'transfer', 'mail', 'copy', 'share', 'store'])

/** Returns what a call sends to others, and not to servers of this network or the project's own repository. */
export function leaving(tool: PolicyTool, shell: ShellFacts, impacts: readonly Impact[]): readonly Leaving[] {
  if (tool.kind === 'mcp') return byTool(tool, impacts)
  if (tool.kind === 'fetch') return hasData(tool.url ?? '') ? [{ to: hostOf(tool.url ?? '') }] : []
  return shell.commands.flatMap((command, at): readonly Leaving[] => {
    const { network } = command
    if (network === undefined || isNearby(network.host ?? '')) return []
    const sends = network.direction === 'send' || network.direction === 'both' || hasData(network.url ?? '')
    // A remote that is named by its address need not be the project's own.
    const isElsewhere = network.kind === 'project' && network.direction === 'send' && network.url !== undefined
    if (!sends || (!handsOver.has(network.kind) && !isElsewhere)) return []
    if (network.kind === 'share') return [{ to: callOf(command), at }]
    return [{ to: network.kind === 'store' ? (bucketOf(command) ?? network.host) : network.host, at }]
  })
}

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

/** True if an address carries a text along, in its query or as an encoded part of its path. */
function hasData(url: string): boolean {
  const [path = '', query = ''] = url.replace(/#.*$/, '').split('?', 2)
  if (query.split('&').some((pair) => pair.replace(/^[^=]*=/, '').length >= dataCharactersMin)) return true
  return path.split('/').some((part) => part.length >= encodedCharactersMin && /^[\w+=%]+$/.test(part))
}

/** Areas of impacts by which a tool of an MCP server hands something to others. */
const reaching = setOf<Impact['area']>(['outgoing-messages', 'reaching-others'])

function byTool({ input }: PolicyTool, impacts: readonly Impact[]): readonly Leaving[] {
  const found = impacts.filter(({ area }) => reaching.has(area))
  const url = typeof input['url'] === 'string' ? input['url'] : ''
  const sendsTo = url !== '' && (hasData(url) || ['body', 'data', 'json'].some((field) => input[field] !== undefined))
  const names = [...found.flatMap((one) => one.names), ...(sendsTo ? [url] : [])]
  if (names.length > 0) return names.map((to) => ({ to: to.includes('://') ? hostOf(to) : to }))
  return found.map(() => ({ to: undefined }))
}
