import type { ImpactKind, ImpactThing } from '../../model/impact.ts'
import type { LineWord } from '../../model/loose-line.ts'

/** Verbs as programs have them, by what they do. A deed that grants, merges, sends or costs money says so itself. */
const verbsOf: Readonly<Partial<Record<ImpactKind, string>>> = {
  delete:
    'delete del destroy remove rm purge drop wipe nuke erase prune truncate flush clear reset uninstall undeploy ' +
    'terminate deregister unregister deprovision decommission expunge forget release unset zap clean cleanup gc expire',
  stop: 'stop disable suspend pause drain cordon taint shutdown poweroff halt kill abort cancel detach disassociate deactivate evict deallocate lock hibernate abandon',
  restart: 'restart reboot reload failover switchover',
  rollback: 'rollback undo restore revert downgrade',
  revoke: 'revoke reject deny',
  deploy: 'deploy apply up promote',
  overwrite: 'replace overwrite import load rotate regenerate',
  change: 'run execute update edit modify put set patch scale autoscale resize rename transfer move mv',
  publish: 'publish submit',
  withdraw: 'unpublish yank deprecate retract retire archive',
  create: 'create add new',
  show: 'show print reveal',
  weaken: 'unprotect unlock',
}
const kindOfVerb: ReadonlyMap<string, ImpactKind> = new Map(
  Object.entries(verbsOf).flatMap(([kind, verbs]) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the record are kinds
    verbs.split(' ').map((verb) => [verb, kind as ImpactKind] as const),
  ),
)

/** Verbs with a word that only says how many or how: `batch-delete-image`. */
const manner = /^(?:batch|bulk|admin|force|hard|schedule)-/

interface Verb {
  readonly kind: ImpactKind
  /** As it is written, without what it is joined to. */
  readonly verb: string
  /** The rest of the word: `image` in `batch-delete-image`, `domains` in `domains:remove`. */
  readonly joined?: string
}

/** Returns the verb that a word of a command line is or has. */
function verbIn(word: string): Verb | undefined {
  const text = word.toLowerCase().replace(manner, '')
  const whole = kindOfVerb.get(text)
  if (whole !== undefined) return { kind: whole, verb: text }
  const [first = '', ...rest] = text.split('-')
  const leading = rest.length === 0 ? undefined : kindOfVerb.get(first)
  if (leading !== undefined) return { kind: leading, verb: first, joined: rest.join('-') }
  const deleted = /^(.+)-deletion$/.exec(text)?.[1]
  if (deleted !== undefined) return { kind: 'delete', verb: text, joined: deleted }
  const parts = text.split(/[:._-]/)
  const last = parts.at(-1) ?? ''
  const trailing = parts.length === 1 ? undefined : kindOfVerb.get(last)
  return trailing === undefined ? undefined : { kind: trailing, verb: last, joined: parts.slice(0, -1).join(' ') }
}

/** Words by which an object is known to be a thing, whatever system has it. The first that fits counts. */
const nounsOf: readonly (readonly [ImpactThing, RegExp])[] = [
  ['backup', /\b(?:backups?|snapshots?|dumps?|recovery[- ]points?|archives?)\b/],
  ['guard', /\b(?:protection|policy|policies|rulesets?|webhooks? guard|quotas?)\b/],
  [
    'record',
    /\b(?:trails?|logs?|logging|log[- ]\w+|audit\w*|alarms?|alerts?|monitors?|metrics?|dashboards?|sinks?|recorders?|detectors?|diagnostic settings?)\b/,
  ],
  ['secret', /\b(?:secrets?|keys?|kms|tokens?|certificates?|certs?|passwords?|credentials?|key[- ]\w+|vaults?)\b/],
  [
    'account',
    /\b(?:users?|roles?|groups?|members?|teams?|orgs?|organizations?|accounts?|principals?|service[- ]accounts?|permissions?|owners?)\b/,
  ],
  [
    'data',
    /\b(?:databases?|dbs?|tables?|collections?|schemas?|index(?:es)?|buckets?|objects?|volumes?|disks?|pvcs?|pvs?|persistentvolume\w*|items?|rows?|queues?|topics?|streams?|keyspaces?|datasets?|files?|blobs?|messages?)\b/,
  ],
  [
    'network',
    /\b(?:dns|domains?|zones?|record[- ]sets?|routes?|vpcs?|subnets?|networks?|firewalls?|load[- ]balancers?|distributions?|addresses|ips?)\b/,
  ],
  ['repository', /\b(?:repos?|repository|repositories|branch(?:es)?|tags?|commits?)\b/],
  ['deployment', /\b(?:deployments?|releases?|apps?|applications?|services?|functions?|sites?|revisions?)\b/],
]

/** Returns what an object is, by its name. */
export const thingNamed = (object: string): ImpactThing | undefined =>
  nounsOf.find(([, nouns]) => nouns.test(object.toLowerCase()))?.[0]

/** Returns the singular of a program's word for an object, its parts separated by blanks. */
function singular(word: string): string {
  const text = word.toLowerCase().replace(/[-_:.]+/g, ' ')
  if (/(?:ss|us|is|dns|redis|status|aws|ios)$/.test(text)) return text
  return text
    .replace(/(?<=[a-z]{2})ies$/, 'y')
    .replace(/(?<=(?:ch|sh|x))es$/, '')
    .replace(/(?<=[a-z]{2}[^s])s$/, '')
}

/** The object of a command, and the names behind it. */
export interface NamedObject {
  readonly kind?: ImpactKind
  readonly object?: string
  readonly names: readonly string[]
}

/**
 * Reads what a command acts on from its words.
 *
 * @param count of the words that say what it does
 * @param isLast the object follows the verb
 */
export function namedIn(words: readonly LineWord[], count: number, isLast: boolean): NamedObject {
  const said = words.slice(0, Math.max(count, 1))
  const at = said.findLastIndex(({ text }) => verbIn(text) !== undefined)
  const verb = at === -1 ? undefined : verbIn(words[at]?.text ?? '')
  const behind = words
    .slice(at === -1 ? count : at + 1)
    .filter(({ maybeValue }) => !maybeValue)
    .map(({ text, unknown }) => (unknown ? '' : text))
  const kind = verb === undefined ? {} : { kind: verb.kind }
  if (verb?.joined !== undefined && verb.joined !== '')
    return { ...kind, object: singular(verb.joined), names: known(behind) }
  if (isLast) {
    const [object = '', ...names] = behind
    const [type = '', own] = object.split('/', 2)
    if (own !== undefined) return { ...kind, object: singular(type), names: known([own, ...names]) }
    return object === '' ? { ...kind, names: [] } : { ...kind, object: singular(object), names: known(names) }
  }
  const before = at > 0 ? words[at - 1]?.text : undefined
  return before === undefined
    ? { ...kind, names: known(behind) }
    : { ...kind, object: singular(before), names: known(behind) }
}

const known = (names: readonly string[]) => names.filter((name) => name !== '')
