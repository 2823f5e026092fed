import { parsedJson } from '../../../model/json.ts'
import { setOf } from '../../../model/look-ups.ts'
import { toolWords } from '../../../words/names.ts'
import type { Impact, ImpactKind, ImpactThing } from '../../../model/impact.ts'
import { kindOf, singular, thingNamed } from '../naming.ts'
import { placeOf } from '../make-impact.ts'
import type { TouchedPath } from '../../../model/shell.ts'
import { findsSecrets, fitsAll, isWideRead } from '../readers/secret-searches.ts'

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
const placing =
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

/** The fields of a tool's impact that a reader finds; the others are computed from the call. */
export interface ToolImpactFound {
  readonly kind: ImpactKind
  /** Default: as the object's name says. */
  readonly thing?: ImpactThing
  /** Default: as the tool's name says. */
  readonly object?: string
  /** Default: as the fields of the input say. */
  readonly names?: readonly string[]
  readonly extent?: Impact['extent']
  /** The consequence, in words. */
  readonly consequence?: string
  /** A better way than to have the person do it, in words. */
  readonly instead?: string
  /** Default: with some work. */
  readonly undo?: Impact['undo']
  /** Set if code says so that the tool runs. */
  readonly through?: Impact['through']
  /** The field that says so. Default: the tool's name says it. */
  readonly by?: string
  /** The words of that field. */
  readonly said?: string
  /** Default: the fields that say where, with their values. */
  readonly targets?: Impact['targets']
}

/** As many names as a reason can have. */
const namesMax = 8
/** Characters of a field's value that a reason shows, UTF-16 units. */
const saidMax = 60

/** Makes the impact of a call. @param verb the word of the tool's name that says what it does */
export function impactOf(call: ServerCall, area: Impact['area'], found: ToolImpactFound, verb?: string): Impact {
  const { kind, by = call.name, said, undo = 'work' } = found
  const object = found.object ?? objectOf(call, verb)
  const targets = found.targets ?? targetsOf(call)
  // `status: disabled` says how the thing is weakened, and is not its name.
  const named =
    found.names ?? namesOf(call, object).filter((name) => kind !== 'weaken' || said?.includes(name) !== true)
  const names = [...new Set(named)].slice(0, namesMax)
  const shown = said !== undefined && said.length > saidMax ? `${said.slice(0, saidMax).toWellFormed()}…` : said
  return {
    kind,
    thing:
      found.thing ??
      (object === undefined ? undefined : thingNamed(object)) ??
      (infrastructure.test(object ?? '') ? 'infrastructure' : 'data'),
    area,
    ...(object !== undefined && { object }),
    names,
    where: placeOf([...Object.values(targets).flat(), ...names], []),
    extent: found.extent ?? (names.length === 0 ? 'unknown' : names.length === 1 ? 'one' : 'some'),
    undo,
    ...(found.consequence !== undefined && { consequence: found.consequence }),
    ...(found.instead !== undefined && { instead: found.instead }),
    ...(found.through !== undefined && { through: found.through }),
    by,
    words: shown === undefined ? call.name : `${call.name} … ${shown}`,
    command: call.name,
    targets,
  }
}

/** Things that run somewhere. */
const infrastructure =
  /\b(?:pod|container|cluster|namespace|instance|server|node|vm|machine|environment|stack|project|workspace)s?\b/

/** Fields that name the kind of a thing, where the tool's name does not. */
const typing = /^(?:(?:resource|object|entity|record)_?type|kind|resource)$/i

/** Returns what a tool acts on: the words behind its verb, or before it where these are things. */
export function objectOf({ parts, texts }: ServerCall, verb = verbOf(parts)): string | undefined {
  const at = verb === undefined ? -1 : parts.indexOf(verb)
  const behind = withoutFillers(parts.slice(at + 1)).slice(0, objectWordsMax)
  const before = withoutFillers(parts.slice(0, Math.max(at, 0))).slice(-objectWordsMax)
  const text = (behind.length > 0 ? behind : before.some((word) => thingNamed(word) !== undefined) ? before : []).join(
    ' ',
  )
  if (text !== '' && !isStage.test(text)) return singular(text)
  const type = texts.find((one) => typing.test(one.key) && /^\w{1,40}$/.test(one.text))?.text
  return type === undefined ? undefined : singular(type)
}
/** Words of a tool's name that say where it acts, and not on what: `deploy_production`. */
const isStage = /^(?:prod|production|live|stage|staging)$/
/** Returns the word of a tool's name that says what it does. */
const verbOf = (parts: readonly string[]): string | undefined =>
  parts.find((part) => kindOf(part) !== undefined) ?? parts[0]
const objectWordsMax = 3
/** Words that say how, how many or where, and no thing. */
const fillers = /^(?:a|an|the|by|for|from|in|on|of|to|with|and|id|ids|all|bulk|batch|manage|many|new|my)$/
const withoutFillers = (words: readonly string[]) => words.filter((word) => !fillers.test(word))

/** Ends of fields' names that name something. */
const naming = /^(?:.*[a-z_])?(?:ids?|names?|number|iid|arn|slug|identifier)$/i
/** Names are short; what is longer is a text. In UTF-16 units. */
const nameMax = 200

/** True if a field is of the thing itself, as `project_id` where a project is deleted. */
const isOf = (key: string, object: string | undefined) => {
  // One letter rules out most fields, of which an input may have very many.
  if (object === undefined || key.charAt(0).toLowerCase() !== object.charAt(0)) return false
  const plain = key.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/(?:[ _]?(?:name|id|number|iid))?s?$/i, '')
  return singular(plain) === object
}

function namesOf({ values }: ServerCall, object: string | undefined): readonly string[] {
  const named = values.filter(({ key, text }) => text !== '' && text.length <= nameMax && key.length <= nameMax)
  const own = named.filter(({ key }) => isOf(key, object))
  return (own.length > 0 ? own : named.filter(({ key }) => naming.test(key) && !placing.test(key))).map(
    ({ text }) => text,
  )
}

/** Characters of a value that says where, UTF-16 units. */
const targetMax = 1000

/** Returns the values of fields, by default those that say where. */
export function targetsOf({ texts }: ServerCall, fields = placing): Impact['targets'] {
  const targets: Record<string, string[]> = {}
  for (const { key, text } of texts) {
    if (fields.test(key) && text !== '') (targets[key] ??= []).push(text.slice(0, targetMax))
  }
  return targets
}

/** Verbs that change something. */
const changing = setOf(
  'set put update create add edit patch modify apply change make grant enable disable remove delete share allow authorize attach configure run start deploy manage',
)
/** Verbs that take a guard away, where the tool's name says which. */
const weakening = setOf('disable remove delete off')
const guarding =
  /\b(?:(?:branch|deletion|tag) protection|rule ?sets?|rls|row(?: level)? security|firewall|public access block|mfa)\b/

/** Names of rights to everything, as the clouds and Kubernetes have them. */
const wholeRights =
  /(?:^|[/:])(?:AdministratorAccess|PowerUserAccess|IAMFullAccess)$|^roles\/(?:owner|editor|resourcemanager\.\w+|iam\.\w*admin)$|^cluster-admin$|^(?:owner|contributor|user access administrator)$/i
/** Keys that stay valid until somebody takes them back. */
const lastingKey = /\b(?:access|service account|secret access) keys?\b/

/** Fields by the words of their names, with the values that let more through than any other. */
const loose: readonly (readonly [field: RegExp, value: RegExp])[] = [
  // Who may.
  [
    /\b(?:acl|visibility|access|principal|members?|cidr|source|ranges?|role|entity|sharing)\b/,
    /^(?:public|public-read(?:-write)?|0\.0\.0\.0\/0|::\/0|allusers|allauthenticatedusers|anyone|anyone_with_link)$/i,
  ],
  [/\b(?:principal|cidr)\b/, /^\*$/],
  [/^(?:type|scope|grantee|audience)$/, /^(?:anyone|allusers|public)$/i],
  [/\bauth(?:entication)?(?: type| mode)?$/, /^(?:none|anonymous|disabled)$/i],
  // Rights that let somebody do everything.
  [/\b(?:polic(?:y|ies)|role)\b|role$/, wholeRights],
  [/^action$/, /^\*$/],
  // How many have to agree, and whether a rule is kept.
  [/^(?=.*\b(?:approv\w+|review\w*)\b).*\b(?:required|count|before)\b/, /^0$/],
  [/^enforcement$/, /^(?:disabled|evaluate|off|none)$/i],
  // What is on.
  [
    /\b(?:public|publicly accessible|allow force pushes|allow public access)\b|^(?:privileged|auto (?:apply|applied|approve)|allow file discovery|force destroy)$|^(?:skip|bypass)\b|^disable (?:auth|ssl|tls|check|verif)/,
    /^true$/,
  ],
  [
    /\b(?:private|rls(?: enabled)?|row level security|block public \w+)\b|^(?:masked|protected)$|^(?:verify|require[sd]?|enforce|mfa)\b/,
    /^false$/,
  ],
  // What of the machine a container gets.
  [/^(?:network|pid|ipc|userns)(?: mode)?$/, /^host$/i],
  [/^(?:volumes?|binds?|mounts?|source)$/, /^\/:|docker\.sock/],
  // What becomes of a failure, a finding, a plan.
  [/\bfailure policy$/, /^ignore$/i],
  [/^ignore mode$/, /^forever$/i],
  [/^run type$/, /destroy/i],
  [
    /^(?:key|setting|name)$/,
    /^(?:blocked_?commands|allowed_?(?:commands|directories|paths)|permission_?mode|sandbox)$/i,
  ],
]

/** Returns how a tool opens what was closed. */
export function openingBy(parts: readonly string[], input: unknown): ToolImpactFound | undefined {
  const text = parts.join(' ')
  const guard = guarding.exec(text)?.[0]
  if (guard !== undefined && parts.some((part) => weakening.has(part)))
    return { kind: 'weaken', thing: 'guard', object: guard }
  const key = lastingKey.exec(text)?.[0]
  if (key !== undefined && parts.includes('create'))
    return { kind: 'create', thing: 'secret', object: `${key.replace(/s$/, '')} that stays valid` }
  if (!parts.some((part) => changing.has(part))) return undefined
  const found = entriesIn(input, '', 0).find(({ field, value }) =>
    // Values first: nearly none is one of these, and an input may have very many.
    loose.some(([fields, values]) => values.test(value) && fields.test(fieldWords(field))),
  )
  if (found === undefined) return undefined
  return {
    kind: 'weaken',
    thing: 'guard',
    object: 'the protection of',
    by: found.field,
    said: `${fieldWords(found.field)}: ${found.value}`,
  }
}

/** A value of an input, and the field that it stands in. */
interface AccessEntry {
  readonly field: string
  readonly value: string
}

function entriesIn(value: unknown, field: string, depth: number): readonly AccessEntry[] {
  if (depth > deepest) return []
  if (typeof value === 'string' && /^\s*\{/.test(value)) return entriesIn(parsedJson(value), field, depth + 1)
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return [{ field, value: String(value) }]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one: unknown) => entriesIn(one, field, depth + 1))
  const own: readonly (readonly [string, unknown])[] = Object.entries(value)
  // A patch names its field in a value of its own: `{ "path": "/webhooks/0/failurePolicy", "value": "Ignore" }`.
  const patched = own.find(([name, one]) => name === 'path' && typeof one === 'string')?.[1]
  return own.flatMap(([name, one]) => {
    // `{ "Principal": { "AWS": "*" } }`: the inner name says only whose account.
    if (name === 'AWS') return entriesIn(one, field, depth + 1)
    const named = name === 'value' && typeof patched === 'string' ? patched.slice(patched.lastIndexOf('/') + 1) : name
    return entriesIn(one, named, depth + 1)
  })
}
/** Names of fields are short: what is behind this many UTF-16 units is none. */
const fieldMax = 100
const fieldWords = (name: string) => toolWords(name.slice(0, fieldMax)).join(' ')

/** Names of a search tool's fields that hold the pattern. */
const searching = /^(?:pattern|query|queries|regex|regexp)$/i

/** Finds a search by a tool through a whole home or machine, for keys or with a pattern that matches every line. */
export function findToolSearches(tool: NamedTool, paths: readonly TouchedPath[]): readonly Impact[] {
  if (!paths.some(isWideRead)) return []
  const { texts } = readCall(tool)
  const forKeys = texts.find(({ text }) => findsSecrets(text))
  const found = forKeys ?? texts.find(({ key, text }) => searching.test(key) && fitsAll(text))
  if (found === undefined) return []
  return [
    {
      kind: 'show',
      thing: 'secret',
      area: 'secret-searches',
      object: forKeys === undefined ? 'every line in' : 'what looks like a key in',
      names: paths
        .filter(isWideRead)
        .map(({ written }) => written)
        .slice(0, 1),
      where: 'unknown',
      extent: 'all',
      undo: 'work',
      instead: 'name the file that is needed',
      by: found.key,
      words: tool.name,
      command: tool.name,
      targets: {},
    },
  ]
}
