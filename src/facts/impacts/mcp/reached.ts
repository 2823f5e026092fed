import type { ImpactKind, ImpactThing } from '../../../model/impact.ts'
import { setOf, type SetOf } from '../../../model/look-ups.ts'
import { namesReceiver } from '../apis.ts'
import { singular } from '../naming.ts'
import { hasPart, type ServerCall, type ToolImpactFound } from './tool.ts'

/** One way in which a tool hands something to others: by one of `verbs`, whatever it is done to, or by making one of `made`. */
interface Reach {
  readonly kind: ImpactKind
  readonly thing: ImpactThing
  readonly object: string
  readonly verbs: SetOf<string>
  /** Things that are others' as well once they are made or changed. */
  readonly made: SetOf<string>
}

const reach = (kind: ImpactKind, thing: ImpactThing, object: string, verbs: string, made: string): Reach => ({
  kind,
  thing,
  object,
  verbs: setOf(verbs.split(' ')),
  made: setOf(made.split(' ')),
})

/** The first that fits is what a tool does. */
const reaches: readonly Reach[] = [
  reach(
    'pay',
    'money',
    'payment',
    'pay transfer purchase buy sell trade rent bid tip donate withdraw wire checkout reserve book',
    'payment transaction transfer order booking reservation payout money fund crypto coin',
  ),
  reach(
    'grant',
    'account',
    'access',
    'invite grant',
    'member collaborator guest user invitation permission attendee participant password passcode pin',
  ),
  reach('open', 'machine', 'lock', 'unlock disarm', ''),
  reach('open', 'data', 'link', 'share', 'webhook'),
  reach(
    'send',
    'message',
    'message',
    'send post forward reply tweet publish submit upload notify broadcast comment dispatch email sms',
    'issue comment gist post message review appointment consultation shipment event meeting',
  ),
]
const makes = setOf('create add schedule make update change reset insert set place request send'.split(' '))
/** Words of tools that only prepare, or press keys. */
const prepares = /^(?:drafts?|templates?|resolve|browser|keys?|command|commands|input|workflow)$/
const money = /^(?:money|funds?|crypto|coins?)$/
/** Others see these only if they are asked to come. */
const withGuests = /^(?:event|meeting)s?$/

/** Returns what makes a tool's call reach others, by the words of its name, and whom, by the fields of its input. */
export function reached(call: ServerCall): ToolImpactFound | undefined {
  if (call.onlyLooks || hasPart(call, prepares)) return undefined
  const names = receiversOf(call)
  const { parts } = call
  const isMaking = parts.some((part) => makes.has(part))
  for (const { kind, thing, object, verbs, made } of reaches) {
    const verb = parts.find((part) => verbs.has(part))
    const noun = isMaking ? parts.findLast((part) => made.has(singular(part))) : undefined
    const isLink =
      object === 'link' && isMaking && hasPart(call, /^links?$/) && hasPart(call, /^(?:shared?|sharing|public)$/)
    if (verb === undefined && noun === undefined && !isLink) continue
    if (verb === undefined && noun !== undefined && withGuests.test(noun) && names.length === 0) continue
    return {
      kind,
      thing,
      object: noun === undefined || money.test(noun) ? object : singular(noun),
      names,
      undo: 'easily',
      targets: {},
    }
  }
  return undefined
}

/** Fields that say who gets it, or whose it is from then on, beside those of messages. */
const receiving =
  /^(?:\w*(?:e?mails?|recipients?|participants?|attendees?|guests?|members?|invitees?)(?:_?ids?)?|channels?(?:_?(?:ids?|names?))?|users?|user_?names?|payee|to_?account|account|iban|phone\w*|\w*webhook\w*|url|host|address|room)$/i
/** Fields that name what is written about: the issue of a tracker, a repository with its owner. */
const places =
  /^(?:(?:issue|ticket|pull|card|story|epic)(?:_?(?:id|key|number))?|id|repository_?full_?name|full_?name)$/i
const keyOfTracker = /^[A-Z][A-Z\d]+-\d+$|^[\w-]+\/[\w.-]+$/
/** Names of receivers are no longer, in UTF-16 units. */
const receiverMax = 200

/** Returns whom a call names, or else the thing of others that it writes about. */
export function receiversOf({ texts, values }: ServerCall): readonly string[] {
  const named = (some: typeof texts, fits: (key: string, text: string) => boolean) =>
    some.flatMap(({ key, text }) => (text !== '' && text.length < receiverMax && fits(key, text) ? [text] : []))
  const at = (field: string) => texts.find(({ key }) => key === field)?.text
  const [owner, repo] = [at('owner'), at('repo')]
  const own = named(values, (key) => namesReceiver(key) || receiving.test(key)).flatMap((text) => text.split(/[,;]\s*/))
  const repository = owner === undefined || repo === undefined ? [] : [`${owner}/${repo}`]
  const all = [...own, ...repository]
  return all.length > 0 ? all : named(texts, (key, text) => places.test(key) && keyOfTracker.test(text))
}
