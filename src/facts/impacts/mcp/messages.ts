import type { ToolImpactFound } from './found.ts'
import { namesReceiver } from '../receivers.ts'
import { hasPart, type ServerCall } from './tool.ts'

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
