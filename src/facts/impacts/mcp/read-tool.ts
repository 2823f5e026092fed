import type { Impact } from '../../../model/impact.ts'
import { doings } from './doings.ts'
import { impactOf, type ToolImpactFound } from './found.ts'
import { repositoryIn, type RepositoryName, repositoryWrite, withRepository, writesToForge } from '../forges.ts'
import { shownByCode } from '../code/shown-secrets.ts'
import { sqlDeeds } from '../texts/sql.ts'
import { systemChange } from './systems.ts'
import { hasPart, type NamedTool, readCall, type ServerCall } from './tool.ts'
import { namesReceiver } from '../receivers.ts'

/** Returns what the call of a server's tool would do, by the words of its name and the fields of its input. */
export function impactsOfTool(tool: NamedTool): readonly Impact[] {
  const call = readCall(tool)
  const inArea = (area: Impact['area'], found: ToolImpactFound | undefined) =>
    found === undefined ? [] : [impactOf(call, area, found)]
  const own = [
    ...(call.serverName === '' ? [] : inArea('mcp-tools', doingOf(call))),
    ...inArea('mcp-systems', systemChange(call)),
    ...(call.serverName === '' ? [] : inArea('outgoing-messages', messageSent(call))),
    ...(call.serverName === '' ? [] : shownBy(call).map((found) => impactOf(call, found.area, found))),
    ...(call.serverName === '' ? [] : statementsOf(call).map((found) => impactOf(call, 'sql', found))),
  ]
  if (call.serverName === '') return own
  return withRepository(own, repositoryOfTool(call), (names) =>
    impactOf(call, 'code-hosting', { ...repositoryWrite, names }),
  )
}

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
const statementsOf = ({ name, texts }: ServerCall): readonly ToolImpactFound[] =>
  searching.test(name)
    ? []
    : texts.flatMap(({ key, text }) =>
        sqlKey.test(key)
          ? sqlDeeds(text).map(({ words, ...deed }) => Object.assign(deed, { by: key, said: words }))
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

/** Names of receivers are no longer, in UTF-16 units. */
const receiverMax = 200

/** Returns the message that a tool sends to people in the user's name, or has a mailbox send on from now on. */
export function messageSent(call: ServerCall): ToolImpactFound | undefined {
  const forward = forwarding(call)
  if (forward !== undefined) return forward
  const names = call.texts.flatMap(({ key, text }) => (namesReceiver(key) && text.length < receiverMax ? [text] : []))
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
