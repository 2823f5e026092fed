import { unknownPart } from '../../model/shell.ts'
import type { ImpactKind, ImpactThing } from '../../model/impact.ts'
import type { LineWord, LooseLine } from '../../words/loose-line.ts'
import type { Saying } from '../programs/deeds/deeds.ts'
import { namesGiven } from './make-impact.ts'
import { toolWords } from '../../words/names.ts'

/** Verbs as programs have them, by what they do. A deed that grants, merges, sends or costs money says so itself. */
const verbsOf: Readonly<Partial<Record<ImpactKind, string>>> = {
  delete:
    'delete del destroy remove rm rmi purge drop wipe nuke erase prune truncate flush clear reset uninstall undeploy ' +
    'terminate deregister unregister deprovision decommission expunge forget release unset zap clean cleanup gc expire ' +
    'obliterate strip format discard dequeue invalidate teardown unpin trash dispose flushall flushdb',
  stop:
    'stop disable suspend pause drain cordon taint shutdown poweroff halt kill abort cancel detach disassociate deactivate evict ' +
    'deallocate lock hibernate abandon quit close leave seal mute unlink unmap unbind unmount unshare shelve offline fail ' +
    'disconnect freeze unload',
  restart: 'restart reboot failover switchover',
  rollback: 'rollback undo restore revert downgrade',
  revoke: 'revoke reject deny',
  deploy: 'deploy apply up promote',
  overwrite: 'replace overwrite import load rotate regenerate rebuild reimage rewrite',
  change:
    'run execute update edit modify put set patch scale autoscale resize rename transfer move mv alter swap migrate seek repair write',
  publish: 'publish submit',
  withdraw: 'unpublish yank deprecate retract retire archive withdraw',
  create: 'create add new',
  show: 'show print reveal',
  weaken: 'unprotect unlock',
}
/** Returns what a verb does. */
export const kindOf = (verb: string): ImpactKind | undefined => kindOfVerb.get(verb)

const kindOfVerb: ReadonlyMap<string, ImpactKind> = new Map(
  Object.entries(verbsOf).flatMap(([kind, verbs]) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the record are kinds
    verbs.split(' ').map((verb) => [verb, kind as ImpactKind] as const),
  ),
)

/** Words before a verb that only say how, or how many: `batch-delete-image`, `force_reset`. */
const manner = /^(?:batch|bulk|admin|force|hard|schedule|permanent)[-_](?=[a-z])/
/** Verbs that programs write without a gap before what they act on: `deletetopic`, `dropdb`. */
const squashed = /^(delete|remove|drop|purge|clear|wipe)(?!d$)([a-z]{2,})$/

interface Verb {
  readonly kind: ImpactKind
  /** The rest of the word: `image` in `batch-delete-image`, `domains` in `domains:remove`. */
  readonly joined?: string
}

/** Returns the verb that a word of a command line is or has. */
function verbIn(word: string): Verb | undefined {
  const text = word.toLowerCase().replace(manner, '')
  const whole = kindOfVerb.get(text)
  if (whole !== undefined) return { kind: whole }
  const [, first = '', rest = ''] = /^([a-z]+)[-_:](.+)$/.exec(text) ?? squashed.exec(text) ?? []
  const leading = kindOfVerb.get(first)
  if (leading !== undefined) return { kind: leading, joined: rest }
  const deleted = /^(.+)-deletion$/.exec(text)?.[1]
  if (deleted !== undefined) return { kind: 'delete', joined: deleted }
  const parts = text.split(/[:./_-]/)
  const trailing = parts.length === 1 ? undefined : kindOfVerb.get(parts.at(-1) ?? '')
  if (trailing === undefined) return undefined
  // `api:core:messages:remove` is about messages.
  const before = text.slice(0, -((parts.at(-1) ?? '').length + 1))
  return { kind: trailing, joined: before.split(/[:./]/).at(-1) ?? before }
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
    /\b(?:users?|roles?|(?<!\w )groups?|members?(?! of (?:etcd|the cluster))|teams?|orgs?|organizations?|accounts?|principals?|service[- ]accounts?|permissions?|owners?)\b/,
  ],
  [
    'data',
    /\b(?:databases?|dbs?|tables?|collections?|schemas?|index(?:es)?|buckets?|objects?|volumes?|disks?|pvcs?|pvs?|persistentvolume\w*|items?|entry|entries|rows?|queues?|topics?|streams?|keyspaces?|datasets?|files?|blobs?|messages?)\b/,
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

/** Words by which programs call things, where a stranger would not know them. */
const plainWords: Readonly<Record<string, string>> = {
  db: 'database',
  dbs: 'database',
  repo: 'repository',
  vm: 'virtual machine',
  ns: 'namespace',
  env: 'environment',
  org: 'organization',
  pg: 'database',
  kv: 'entry',
  fs: 'file',
  pr: 'pull request',
  mr: 'merge request',
  acl: 'access rule',
  cert: 'certificate',
  indice: 'index',
  svc: 'service',
  ou: 'organizational unit',
  dns: 'DNS record',
  dag: 'DAG',
}

/** Things of which no other list speaks, by which a word behind a verb is known to be no name. */
const otherThings =
  /^(?:clusters?|nodes?|instances?|servers?|namespaces?|pipelines?|connectors?|items?|kustomizations?|projects?|pods?|jobs?|applications?|consumers?|exchanges?|bindings?|vhosts?|policy|sites?|plugins?|zones?|cookbooks?|clients?|environments?|entries|subjects?|monitors?)$/

/** True for a word that is a kind of thing, and no name of one. */
const isThing = (word: string) =>
  /^[a-z]+(?:[-_][a-z]+)*$/.test(word) && (otherThings.test(word) || nounsOf.some(([, nouns]) => isAll(nouns, word)))

const isAll = (nouns: RegExp, word: string) => nouns.exec(word.replaceAll(/[-_]/g, ' '))?.[0].length === word.length

/** Returns the singular of a program's word for an object, its parts separated by blanks. */
export function singular(word: string, nicknames: Readonly<Record<string, string>> = {}): string {
  const text = word.toLowerCase().replace(/[-_:./]+/g, ' ')
  if (text.includes(','))
    return text
      .split(',')
      .map((part) => singular(part, nicknames))
      .join(' and ')
  const one = /(?:ss|us|is|dns|redis|status|aws|ios|alias|all|bus|kubernetes)$/.test(text)
    ? text
    : text
        .replace(/(?<=[a-z]{2})ies$/, 'y')
        .replace(/(?<=(?:ch|sh|x))es$/, '')
        .replace(/(?<=[a-z]{2}[^s])s$/, '')
  const [last = ''] = /[^ ]*$/.exec(one) ?? []
  const plain = nicknames[one] ?? nicknames[last] ?? plainWords[last]
  return plain === undefined ? one : one.slice(0, one.length - last.length) + plain
}

/** Returns what an operation acts on, by its name: `db instance` of `DeleteDBInstances`. */
export function objectIn(operation: string): { readonly object?: string } {
  const nouns = toolWords(operation).filter((word) => kindOf(word) === undefined)
  return nouns.length === 0 ? {} : { object: singular(nouns.join(' ')) }
}

/** The object of a command, and the names behind it. */
export interface NamedObject {
  readonly kind?: ImpactKind
  readonly object?: string
  readonly names: readonly string[]
  /** The word before the verb. */
  readonly before?: string
  /** The last word, if it is not known before the call runs. */
  readonly unknownEnd?: string
}

/** How a program names what it acts on. */
interface WayOfNaming {
  /** The words need not say what it is, and those behind the pattern's are names. */
  readonly isObjectSaid: boolean
  readonly isObjectLast: boolean
  readonly nicknames: Readonly<Record<string, string>>
  /** The options that say what the command does. */
  readonly options: readonly string[]
}

/**
 * Reads what a command acts on from its words.
 *
 * @param count of the words that say what it does
 */
export function namedIn(
  words: readonly LineWord[],
  count: number,
  { isObjectSaid, isObjectLast, nicknames, options }: WayOfNaming,
): NamedObject {
  const at = words.slice(0, count).findLastIndex(({ text, unknown }) => !unknown && verbIn(text) !== undefined)
  const verb = at === -1 ? undefined : verbIn(words[at]?.text ?? '')
  const behind = words
    .slice(at === -1 || isObjectSaid ? count : at + 1)
    .filter(({ maybeValue }) => !maybeValue)
    .map(({ text, unknown }) => (unknown ? '' : text))
  const [first = ''] = behind
  const last = words.at(-1)
  // `kafka-topics --delete`
  const byOption = options.map((option) => verbIn(option.replace(/^-+|=.*/g, ''))).find((one) => one !== undefined)
  const said = verb ?? byOption
  const before = at > 0 ? words[at - 1] : undefined
  const read = {
    ...(said !== undefined && { kind: said.kind }),
    ...(before !== undefined && !before.unknown && { before: before.text }),
    ...(last?.unknown === true && { unknownEnd: last.text.replaceAll(unknownPart, '…') }),
  }
  const of = (object: string, names: readonly string[]): NamedObject =>
    object === ''
      ? { ...read, names: known(names) }
      : { ...read, object: singular(object, nicknames), names: known(names) }
  if (said?.joined !== undefined) return of(said.joined, behind)
  if (isObjectLast) {
    const [type = '', own] = first.split('/', 2)
    return own === undefined ? of(first, behind.slice(1)) : of(type, [own, ...behind.slice(1)])
  }
  if (before !== undefined) return of(before.unknown ? '' : before.text, behind)
  // `delete cluster web`
  return at !== -1 && !isObjectSaid && isThing(first) ? of(first, behind.slice(1)) : of('', behind)
}

/** Leaves out what is not known, what says a variable, and `-`, which is what is piped in. */
const known = (names: readonly string[]) =>
  names.map((name) => name.replace(/^name=/, '')).filter((name) => !/^-?$|^[A-Z_]+=/.test(name))

/** Options whose value is what is written or kept, and no name. */
const unsaid = /^(?:password|passphrase|token|message|body|text|value|content|credentials?)$/

/** Returns what a command acts on by name. */
export function namesOf(
  line: LooseLine,
  which: Saying['names'],
  { object, names, before = '', unknownEnd }: Omit<NamedObject, 'object'> & { readonly object: string | undefined },
): readonly string[] {
  const valuesOf = (isMeant: (option: string) => boolean) =>
    known([...line.options].flatMap(([option, values]) => (isMeant(option) ? values : [])))
  switch (which) {
    case undefined: {
      const [, last = ''] = /([^ ]+)$/.exec(object ?? '') ?? []
      const called = (object ?? '').replaceAll(' ', '-')
      let isList = false
      const own = valuesOf((option) => {
        const plain = option.replace(/(?:^|-)(?:names?|ids?|arns?|identifiers?|urls?)$/, '')
        const isOwn =
          option === 'name' ||
          (plain !== '' && !unsaid.test(option) && (plain === called || plain === last || called.endsWith(`-${plain}`)))
        isList ||= isOwn && option.endsWith('s')
        return isOwn
      })
      if (own.length > 0) return isList ? [...own, ...names] : own
      return names.length > 0 ? names : namesGiven(line)
    }
    case 'none':
      return []
    case 'before':
      return known([before])
    case 'first':
      return names.slice(0, 1)
    case 'last':
      return unknownEnd === undefined ? names.slice(-1) : [unknownEnd]
    default: {
      const options = new Set(which.split('|').map((one) => one.replace(/^-+/, '')))
      return valuesOf((option) => options.has(option))
    }
  }
}
