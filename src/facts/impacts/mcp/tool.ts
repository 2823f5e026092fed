import { parsedJson } from '../../../model/json.ts'
import { setOf } from '../../../model/look-ups.ts'
import { toolWords } from '../../../words/names.ts'
import type { ImpactKind } from '../../../model/impact.ts'
import { kindOf } from '../naming.ts'

/** A tool that is called by its name with an input: one of an MCP server, or of a browser. */
export interface NamedTool {
  readonly name: string
  readonly input: unknown
}

/** A text of a tool's input, and the key that it stands under. */
interface InputText {
  readonly key: string
  readonly text: string
}

/** A call of a named tool, read. */
export interface ServerCall extends NamedTool {
  /** The words of the server's name; empty for a tool that belongs to no MCP server. */
  readonly server: readonly string[]
  /** As it is written. */
  readonly serverName: string
  /** The words of the tool's name, without the server's name that some servers repeat. */
  readonly parts: readonly string[]
  /** The tool only looks, by its first word. */
  readonly onlyLooks: boolean
  /** Every text of the input. */
  readonly texts: readonly InputText[]
  /** Texts and numbers of the input. */
  readonly values: readonly InputText[]
}

/** Verbs that only look, at the start of a tool's name. */
const looks = setOf(
  'get list search find read view describe show count query fetch check preview validate explain lookup retrieve download export inspect',
)

/** Fields that say where a call goes to, or which task it starts. */
export const placing =
  /^(?:env|environment|stage|target|namespace|context|cluster|project|workflow|job|pipeline|task|trigger|function|app|application|service|server|host|stack|inventory|store|account|zone|scope|workspace)(?:_?(?:name|id|file|key))?$/i

export function readCall({ name, input }: NamedTool): ServerCall {
  const [first = '', serverName = '', ...tool] = name.split('__')
  const words = toolWords(tool.length === 0 ? first : tool.join('_'))
  const server = toolWords(serverName)
  const own = words.filter((word, at) => at > 0 || !server.includes(word))
  const parts = own.length === 0 ? words : own
  const values: InputText[] = []
  const texts: InputText[] = []
  addValues(input, '', 0, values, texts)
  return { name, input, server, serverName, parts, onlyLooks: looks.has(parts[0] ?? ''), texts, values }
}

/** Adds all values of an input, at any depth; some agents wrap the arguments of MCP tools in JSON. */
function addValues(value: unknown, key: string, depth: number, values: InputText[], texts: InputText[]): void {
  if (typeof value === 'number') values.push({ key, text: String(value) })
  else if (typeof value === 'string') {
    const inner = key === 'arguments' ? parsedJson(value) : undefined
    if (inner !== undefined) return addValues(inner, key, depth + 1, values, texts)
    const text = { key, text: value }
    values.push(text)
    texts.push(text)
  } else if (typeof value === 'object' && value !== null && depth <= deepest) {
    if (Array.isArray(value)) for (const one of value) addValues(one, key, depth + 1, values, texts)
    else for (const [name, one] of Object.entries(value)) addValues(one, name, depth + 1, values, texts)
  }
}

/** No server nests its arguments deeper than this. */
const deepest = 8

export const hasPart = ({ parts }: ServerCall, words: RegExp): boolean => parts.some((part) => words.test(part))

/** Verbs after which something is gone, whatever it is; others that delete are also had for filters and caches. */
export const deletingVerbs =
  'delete del destroy drop purge wipe truncate terminate uninstall erase flush flushall flushdb revoke deprovision decommission nuke teardown dispose expunge undeploy deregister unregister'
const deleting = setOf(deletingVerbs)
export const isDeleting = (word: string): boolean => deleting.has(word)

/** Returns the kind of a tool's verb. A reset restores the first state and deletes nothing, so it is a rollback. */
export const kindOfTool = (verb: string): ImpactKind | undefined => (verb === 'reset' ? 'rollback' : kindOf(verb))

/** Things that come back with difficulty, if at all. */
const lasting = setOf(
  'repository repo project projects database databases db table tables schema collection collections bucket buckets namespace namespaces cluster clusters instance instances server servers service services volume volumes disk snapshot backup backups stack environment environments organization org account user users team workspace zone domain deployment app application index topic queue branch release records rows customer customers',
)
export const isLasting = (word: string): boolean => lasting.has(word)

/** Things that nobody misses, or that are the agent's own. */
const passing = setOf(
  'reaction reactions bookmark tab tabs draft drafts node nodes entity entities observation observations relation relations memory memories filter breakpoint cursor selection element gameobject gameobjects layer layers shape shapes mesh meshes cell cells todo todos thought session',
)
export const isPassing = (word: string): boolean => passing.has(word)

/** Returns the verb of a tool's name after which something is gone. */
export const deletingVerb = ({ parts }: ServerCall): string | undefined =>
  parts.find((part) => isDeleting(part) || (/^(?:remove|rm|kill|prune)$/.test(part) && isRemoval(parts)))
/** A label is removed from something; a container is gone. */
const isRemoval = (parts: readonly string[]) =>
  parts.some((part) => lasting.has(part) || /^(?:containers?|images?|pods?)$/.test(part))

const changes = setOf(
  'deploy redeploy update apply patch set create restart rollback scale exec execute run migrate promote publish release remove put edit write replace modify stop start reset restore sync',
)
/** True for a verb that changes what is there. */
export const isChanging = (word: string): boolean => changes.has(word)

/** Verbs by which a version comes to serve others, or to serve them anew. */
const releases = setOf('deploy redeploy apply rollback migrate promote publish release restart')
export const isReleasing = (word: string): boolean => releases.has(word)

/** True if a task's name says that it releases: `deploy-production`, which a tool only builds or triggers. */
export const namesRelease = (text: string): boolean => toolWords(text).some((word) => releases.has(word))
