import type { ImpactKind, ImpactThing } from '../../../model/impact.ts'
import { setOf } from '../../../model/look-ups.ts'
import { toolWords } from '../../../words/names.ts'
import { singular, thingNamed } from '../naming.ts'
import { outsideSystems } from '../outside-systems.ts'
import type { ToolImpactFound } from './found.ts'
import { hasPart, kindOfTool, type ServerCall } from './tool.ts'

/** Verbs that change what is there; what is made anew can be taken away again. */
const changes = setOf(
  'update set edit patch modify change replace put upsert enable disable activate deactivate archive close cancel pause resume suspend move transfer assign reassign override send trigger start stop restart scale rollback apply rotate reset resolve toggle bulk batch import manage',
)
/** Things that only a person reads: nothing runs by them, and nobody pays. */
const written = setOf(
  'comment comments note notes dashboard dashboards notebook notebooks doc docs description tag tags label labels draft drafts task tasks',
)

/** Verbs that take a guard or an alarm away by themselves, and actions so called. */
const unguards = setOf('unprotect disarm unlock dismiss mute silence snooze suppress bypass downtime')
const actions = /^(?:service|action|operation|command|menu_?path|menu|event|transition|state|status)$/i
const undoing = setOf(
  'delete deleted destroy destroyed purge wipe erase unprotect disarm unlock dismiss dismissed mute muted silence silenced ignore ignored suppress suppressed snoozed bypass bypassed',
)

/** Buttons of a page that cannot be pressed back. */
const pressing = setOf('click press tap select submit')
const final =
  /\b(?:place (?:the )?order|buy(?: now)?|pay(?: now)?|purchase|check ?out|confirm (?:and )?(?:payment|order|purchase|transfer)|transfer|send money|withdraw|(?:delete|close|remove) (?:this |the |my |your )?(?:account|project|repository|organi[sz]ation|workspace|team|site|store|database|everything|all)|permanently|deactivate|unsubscribe|publish|go live|deploy to production|merge pull request|approve)\b/i
/** Effects of buttons by the words that `final` finds in their texts. The first match counts. */
const ofButtons: readonly (readonly [words: RegExp, kind: ImpactKind, thing: ImpactThing])[] = [
  [/^(?:delete|close|remove|permanently|deactivate|unsubscribe)/, 'delete', 'account'],
  [/^(?:publish|go live)/, 'publish', 'deployment'],
  [/^deploy/, 'deploy', 'deployment'],
  [/^merge/, 'merge', 'repository'],
  [/^approve/, 'grant', 'account'],
  [/^/, 'pay', 'money'],
]
/** Things that run by themselves on a service, once they are switched on. */
const automatic = /^(?:workflow|zap|scenario|automation)s?$/

/** A security finding that is dismissed, by the key of its issue and what becomes of it. */
const ofSecurity = /\b(?:sec|security|vuln\w*|cve)(?:-\d+)?\b/i
const dismissed = /^(?:won['’]?t (?:fix|do)|false positive|(?:risk )?accepted(?: risk)?|dismissed)$/i
const ownPage = /^(?:emulator|simulator)|^https?:\/\/(?:localhost|127\.|\[::1\]|[\w.-]+\.(?:local|test|localhost))/i

/** Sentences that would stand in a memory, and take the person out later. */
const standing =
  /\b(?:never ask|(?:permanently|always|already) (?:approv\w+|allow\w*|permit\w*)|approved all|without asking|(?:prompts?|questions?) \S+(?: \S+){0,4} (?:answered|approved)|(?:ignore|skip|bypass) (?:\S+ ){0,3}(?:hooks?|prompts?|guards?|permissions?))/i

/** Names of buttons and actions are no longer, in UTF-16 units. */
const labelMax = 200

/** Returns what a tool changes in a system that customers, colleagues or alarms rely on. */
export function systemChange(call: ServerCall): ToolImpactFound | undefined {
  return call.onlyLooks ? undefined : (guardRemoved(call) ?? automated(call) ?? pressed(call) ?? changed(call))
}

function guardRemoved({ parts, texts, server }: ServerCall): ToolImpactFound | undefined {
  const labels = texts.filter(({ text }) => text.length < labelMax)
  const action = labels.find(({ key, text }) => actions.test(key) && toolWords(text).some((word) => undoing.has(word)))
  const finding = labels.find(({ text }) => dismissed.test(text))
  if (action !== undefined || parts.some((part) => unguards.has(part)))
    return {
      kind: 'weaken',
      thing: 'guard',
      object: 'the protection or the alarm',
      ...(action !== undefined && { by: action.key, said: action.text }),
    }
  const issue = finding && labels.find(({ text }) => ofSecurity.test(text))
  if (finding !== undefined && issue !== undefined)
    return {
      kind: 'withdraw',
      thing: 'record',
      object: 'security finding',
      names: [issue.text],
      by: finding.key,
      said: finding.text,
      targets: {},
    }
  const consent = server.includes('memory') ? texts.find(({ text }) => standing.test(text)) : undefined
  return (
    consent && {
      kind: 'weaken',
      thing: 'guard',
      object: 'the rule that the person is asked',
      by: consent.key,
      targets: {},
    }
  )
}

function automated(call: ServerCall): ToolImpactFound | undefined {
  const thing = call.parts.find((part) => automatic.test(part))
  return thing !== undefined && hasPart(call, /^(?:activate|enable|publish)$/)
    ? { kind: 'deploy', thing: 'pipeline', object: singular(thing) }
    : undefined
}

function pressed({ parts, texts }: ServerCall): ToolImpactFound | undefined {
  if (!parts.some((part) => pressing.has(part)) || texts.some(({ text }) => ownPage.test(text))) return undefined
  for (const { key, text } of texts) {
    const words = text.length < labelMax ? final.exec(text.replaceAll(/[_-]/g, ' '))?.[0].toLowerCase() : undefined
    const found = words === undefined ? undefined : ofButtons.find(([all]) => all.test(words))
    if (found === undefined) continue
    const [, kind, thing] = found
    return {
      kind,
      thing: thingNamed(text) ?? thing,
      object: 'the thing behind it',
      consequence: 'which is final',
      names: [],
      by: key,
      said: text,
      targets: {},
    }
  }
  return undefined
}

const byThePerson = 'show it to the person, and have them do it'

function changed({ parts, server }: ServerCall): ToolImpactFound | undefined {
  if (parts.some((part) => written.has(part))) return undefined
  for (const { thing, consequence, names, made } of outsideSystems) {
    if (!names.split(' ').some((name) => server.includes(name))) continue
    const verb = parts.find((part) => changes.has(part))
    if (verb !== undefined)
      return { kind: parts.map(kindOfTool).find(Boolean) ?? 'change', thing, consequence, instead: byThePerson }
    if (made.split(' ').some((one) => parts.includes(one) || parts.includes(`${one}s`)))
      return { kind: 'create', thing, consequence }
  }
  return undefined
}
