import type { Impact, ImpactKind, ImpactThing } from '../../../model/impact.ts'
import { doings } from './doings.ts'
import {
  hasPart,
  impactOf,
  kindOfTool,
  type NamedTool,
  readCall,
  type ServerCall,
  type ToolImpactFound,
  targetsOf,
} from './tool.ts'
import {
  repositoryIn,
  type RepositoryName,
  repositoryWrite,
  withRepository,
  writesToForge,
} from '../readers/outgoing.ts'
import { shownByCode } from '../code/shown-secrets.ts'
import { sqlDeeds } from '../texts/sql.ts'
import { outsideSystems } from '../apis.ts'
import { hostOf, isLoopback } from '../../../words/request.ts'
import { reached, receiversOf } from './reached.ts'
import { setOf } from '../../../model/look-ups.ts'
import { toolWords } from '../../../words/names.ts'
import { singular, thingNamed } from '../naming.ts'

/** Returns what the call of a server's tool would do, by the words of its name and the fields of its input. */
export function impactsOfTool(tool: NamedTool): readonly Impact[] {
  const call = readCall(tool)
  const inArea = (area: Impact['area'], found: ToolImpactFound | undefined) =>
    found === undefined ? [] : [impactOf(call, area, found)]
  const own = [
    ...(call.serverName === '' ? [] : inArea('mcp-tools', doingOf(call))),
    ...inArea('mcp-systems', systemChange(call)),
    ...(call.serverName === '' ? [] : told(call)),
    ...(call.serverName === '' ? [] : shownBy(call).map((found) => impactOf(call, found.area, found))),
    ...(call.serverName === '' ? [] : statementsOf(call).map((found) => impactOf(call, 'sql', found))),
  ]
  if (call.serverName === '') return own
  return withRepository(own, repositoryOfTool(call), (names) =>
    impactOf(call, 'code-hosting', { ...repositoryWrite, names }),
  )
}

/** Returns the message that a tool sends, or whatever else it makes reach others. */
function told(call: ServerCall): readonly Impact[] {
  const message = messageSent(call)
  const found = message ?? reached(call)
  return found === undefined
    ? running.test(call.name)
      ? requestsOf(call)
      : []
    : [impactOf(call, message === undefined ? 'reaching-others' : 'outgoing-messages', found)]
}

/** Matches what has a page load an address, or send something to it. */
const requesting = /\b(?:fetch|sendBeacon|WebSocket|EventSource|open)\s*\(|\.(?:src|href|action|location)\s*=(?!=)/
const quotedAddress = /(?<=["'`])(?:https?|wss?):\/\/[^"'`\s]{1,200}/g

/** Returns the requests of code that a tool runs: a script in the page of a browser. */
const requestsOf = (call: ServerCall): readonly Impact[] =>
  call.texts.flatMap(({ key, text }) => {
    const hosts = (requesting.test(text) ? (text.match(quotedAddress) ?? []) : [])
      .filter((url) => !isLoopback(url))
      .map((url) => hostOf(url))
    if (hosts.length === 0) return []
    const found = { kind: 'send', thing: 'data', object: 'request', through: 'code', undo: 'easily' } as const
    return [impactOf(call, 'reaching-others', { ...found, names: [...new Set(hosts)], by: key, targets: {} })]
  })

function doingOf(call: ServerCall): ToolImpactFound | undefined {
  for (const { find, whereOnlyLooked } of doings) {
    const found = call.onlyLooks && whereOnlyLooked !== true ? undefined : find(call)
    if (found !== undefined) return found
  }
  return undefined
}

/** Names of tools that run code, or the cells of a notebook. */
const running = /eval|exec|run|code|cell|kernel|notebook|script/i

/** Returns what code shows of variables that a tool runs. */
const shownBy = ({ name, texts }: ServerCall): readonly (ToolImpactFound & Pick<Impact, 'area'>)[] =>
  running.test(name)
    ? texts.flatMap(({ key, text }) =>
        shownByCode(text).map((found) => Object.assign({}, found, { by: key, through: 'code' as const })),
      )
    : []

/** Fields in which tools of servers take SQL. */
const sqlKey = /^(?:sql|query|queries|statements?|sql_?(?:quer(?:y|ies)|text|statements?)|script)$/i

/** Tools that search texts, for which a query is a text itself. */
const searching = /(?:^|[_-])(?:docs?|documentation|search|wiki|knowledge)(?:[_-]|$)/i

/** Returns what the SQL does that a tool is given. */
const statementsOf = (call: ServerCall): readonly ToolImpactFound[] =>
  searching.test(call.name)
    ? []
    : call.texts.flatMap(({ key, text }) =>
        sqlKey.test(key)
          ? sqlDeeds(text).map(({ words, targets, ...deed }) =>
              Object.assign(deed, { by: key, said: words, targets: { ...targetsOf(call), ...targets } }),
            )
          : [],
      )

/** Fields of MCP tools that name a repository: alone, or behind its owner. */
const owning = /^(?:owner|org|organization|namespace|workspace)$/i
const named =
  /^(?:repo|repository|repo_?name|repository_?name|project|project_?id|project_?path|full_?name|repo_?slug)$/i

/** Returns the repository that an MCP tool would change. */
export function repositoryOfTool({
  serverName: server,
  parts,
  onlyLooks,
  texts,
}: ServerCall): RepositoryName | undefined {
  if (!/git|^gh$|forge|bitbucket|codeberg/i.test(server) || onlyLooks || !parts.some((part) => writesToForge(part)))
    return undefined
  if (texts.some(({ key, text }) => key === 'method' && /^(?:get|list|search)/i.test(text))) return undefined
  const owner = texts.find(({ key }) => owning.test(key))?.text
  const repository = texts.find(({ key, text }) => named.test(key) && !/^\d+$/.test(text))?.text
  if (repository === undefined) return undefined
  return repositoryIn(owner === undefined || repository.includes('/') ? repository : `${owner}/${repository}`)
}

/** Words by which a chat calls all of its members. */
const everybody = /(?:^|[\s(])@(?:channel|here|everyone|all)\b|<!(?:channel|here|everyone)>/

/** Servers of chats: what is posted there can be taken back. */
const chats =
  /(?:^|[_-])(?:slack|discord|telegram|teams|mattermost|rocket_?chat|zulip|matrix|google_?chat|chat|lark|feishu|dingtalk|wecom|line|ntfy)(?:$|[_-])/i

/** Returns the message that a tool sends to people in the user's name, or has a mailbox send on from now on. */
export function messageSent(call: ServerCall): ToolImpactFound | undefined {
  const forward = forwarding(call)
  if (forward !== undefined) return forward
  const names = receiversOf(call)
  const object = objectSaid(call)
  if (object !== undefined) return { kind: 'send', thing: 'message', object, names }
  return isPosted(call) ? { kind: 'send', thing: 'message', object: 'chat message', names, undo: 'easily' } : undefined
}

/** A rule that has a mailbox send on what it gets. */
function forwarding(call: ServerCall): ToolImpactFound | undefined {
  if (!hasPart(call, /^(?:filters?|rules?|forwarding)$/) || !hasPart(call, /^(?:create|add|set|update)$/))
    return undefined
  const to = call.texts.find(({ key, text }) => /forward|redirect/i.test(key) && text.includes('@'))
  return (
    to && { kind: 'create', thing: 'message', object: 'rule that sends on all mail to', names: [to.text], by: to.key }
  )
}

/** True for a message in a chat that calls nobody in particular. */
const isPosted = (call: ServerCall): boolean =>
  !call.onlyLooks &&
  chats.test(call.serverName) &&
  hasPart(call, /^(?:send|post|reply|publish|schedule)$/) &&
  !hasPart(call, /^(?:draft|drafts|template|templates|reaction|emoji)$/)

function objectSaid(call: ServerCall): string | undefined {
  const { serverName: server, texts } = call
  if (!hasPart(call, /^(?:send|publish|broadcast|schedule|post|reply|forward|create|add|tweet)$/)) return undefined
  if (hasPart(call, /^(?:draft|drafts|template|templates|list|get|search|read|preview)$/)) return undefined
  if (hasPart(call, /^(?:emails?|mail|gmail|sms|mms|tweet|tweets|campaign|campaigns|newsletter|broadcast)$/))
    return !hasPart(call, /^create$/) || hasPart(call, /^(?:tweet|broadcast|sms)$/) ? 'message' : undefined
  if (/gmail|outlook|mail(?!chimp)/i.test(server) && hasPart(call, /^(?:send|reply|forward)$/)) return 'mail'
  if (/twilio|vonage|whatsapp|signal|imessage/i.test(server) && hasPart(call, /^(?:messages?|calls?)$/))
    return 'message'
  if (/twilio|vonage|whatsapp|signal|imessage/i.test(server)) return undefined
  if (/^(?:x|twitter|linkedin|facebook|instagram|mastodon|bluesky|reddit|threads)(?:$|[_-])/i.test(server))
    return hasPart(call, /^(?:post|posts|status|thread|share|comment)$/) ? 'post' : undefined
  const calls = texts.some(
    ({ key, text }) => /^(?:text|message|content|body|markdown|payload|blocks)$/i.test(key) && everybody.test(text),
  )
  return calls ? 'message that calls everybody' : undefined
}

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
  [/^/, 'spend', 'money'],
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

const alarms = /^(?:downtimes?|silences?|mutes?|alerts?|alarms?|issues?|incidents?|monitors?)$/

function guardRemoved({ parts, texts, server }: ServerCall): ToolImpactFound | undefined {
  const labels = texts.filter(({ text }) => text.length < labelMax)
  const action = labels.find(({ key, text }) => actions.test(key) && toolWords(text).some((word) => undoing.has(word)))
  const finding = labels.find(({ text }) => dismissed.test(text))
  if (action !== undefined || parts.some((part) => unguards.has(part)))
    return {
      kind: 'weaken',
      thing: 'guard',
      object: parts.some((part) => alarms.test(part)) ? 'the alarm' : 'the protection of',
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
