import { hostOf, isLoopback, type NetworkKind, type PolicyTool, setOf, type ShellFacts } from 'hookgate/policy'

/** Something that goes out, and to whom: a host, an address, a channel; `undefined` if that is not known. */
export interface Leaving {
  readonly to: string | undefined
  /** Set if whoever looks can get it, whoever has named the host. */
  readonly isPublic?: true
  /** Index of the shell command that sends it. */
  readonly at?: number
}

const handsOver = setOf<NetworkKind>(['request', 'stream', 'transfer', 'mail', 'copy', 'share'])

/** Returns what a call sends to others, and not to servers of this machine or the project's own repository. */
export function leaving(tool: PolicyTool, shell: ShellFacts): readonly Leaving[] {
  if (tool.kind === 'mcp') return byTool(tool)
  if (tool.kind === 'fetch') return hasData(tool.url ?? '') ? [{ to: hostOf(tool.url ?? '') }] : []
  return shell.commands.flatMap(({ network }, at): readonly Leaving[] => {
    if (network === undefined || !handsOver.has(network.kind) || isLoopback(network.host ?? '')) return []
    if (network.kind === 'share') return [{ to: network.host, isPublic: true, at }]
    const sends = network.direction === 'send' || network.direction === 'both' || hasData(network.url ?? '')
    return sends ? [{ to: network.host, at }] : []
  })
}

/** More than names and numbers of pages have. */
const dataCharactersMin = 40
const encodedCharactersMin = 48

/** True if an address carries a text along, in its query or as an encoded part of its path. */
function hasData(url: string): boolean {
  const [path = '', query = ''] = url.replace(/#.*$/, '').split('?', 2)
  if (query.split('&').some((pair) => pair.replace(/^[^=]*=/, '').length >= dataCharactersMin)) return true
  return path.split('/').some((part) => part.length >= encodedCharactersMin && /^[\w+=%]+$/.test(part))
}

const verbs = setOf(
  'send post share forward reply invite publish upload transfer pay grant tweet comment submit buy purchase email sms notify broadcast'.split(
    ' ',
  ),
)
const makes = setOf('create add schedule make update insert'.split(' '))
const reaching = setOf(
  'issue comment gist post event meeting invitation payment transaction transfer webhook member collaborator user message review'.split(
    ' ',
  ),
)

/** Words that a tool's name begins with if it only looks or prepares. */
const looks = setOf('get list search read find fetch query draft resolve describe show check browser'.split(' '))

/** True if a server's tool makes something reach others, as its name says. */
function reachesOthers(name: string): boolean {
  const words = name
    .replace(/^mcp__.+?__/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
  if (looks.has(words[0] ?? '')) return false
  return (
    words.some((word) => verbs.has(word)) ||
    (words.some((word) => makes.has(word)) && words.some((word) => reaching.has(word)))
  )
}

const recipient =
  /^(?:to|cc|bcc|recipients?|\w*e?mails?|participants?|attendees?|guests?|guest_ids|members?|channel(?:_id|_name)?|users?|user_?(?:name|id)|url|to_account|account|iban|phone\w*|chat_id|host|webhook\w*)$/i

function byTool({ name, input }: PolicyTool): readonly Leaving[] {
  const url = typeof input['url'] === 'string' ? input['url'] : ''
  const sendsTo = url !== '' && (hasData(url) || ['body', 'data', 'json'].some((field) => input[field] !== undefined))
  if (!reachesOthers(name) && !sendsTo) return []
  const named = Object.entries(input).flatMap(([field, value]) => (recipient.test(field) ? textsIn(value) : []))
  const { owner, repo } = input
  const all = typeof owner === 'string' && typeof repo === 'string' ? [...named, `${owner}/${repo}`] : named
  return all.length === 0 ? [{ to: undefined }] : all.map((to) => ({ to: to.includes('://') ? hostOf(to) : to }))
}

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? value.split(/[,;]\s*/) : Array.isArray(value) ? value.flatMap(textsIn) : []
