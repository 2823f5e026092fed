import type { Impact, ImpactKind, ImpactThing } from '../../../model/impact.ts'
import { kindOf, singular, thingNamed } from '../naming.ts'
import { placeOf } from '../places.ts'
import { placing, type ServerCall } from './tool.ts'

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
  const names = [...new Set(found.names ?? namesOf(call, object))].slice(0, namesMax)
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
  if (text !== '') return singular(text)
  const type = texts.find((one) => typing.test(one.key) && /^\w{1,40}$/.test(one.text))?.text
  return type === undefined ? undefined : singular(type)
}
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
