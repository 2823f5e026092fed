/** Fields that say who gets a message. */
const receiving =
  'to|cc|bcc|recipients?|to_?(?:emails?|address(?:es)?)|channel|channel_?id|phone|phone_?number|chat_?id|user_?id'

/** True for the name of a field that says who gets a message. */
export const saysWho = (field: string): boolean => new RegExp(`^(?:${receiving})$`, 'i').test(field)

const addresses = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
/** `"channel": "C1"`, `chat_id=42`, `channel='#ops'`. */
const fields = new RegExp(`(?<![\\w-])(?:${receiving})["']?\\s*[:=]\\s*["']?([#@+\\w][\\w.@+#-]{0,80})`, 'gi')
/** The end of the text before a sender's address. */
const sender = /\b(?:(?:from|sender|source|reply_?to)\w*\W{0,6}(?:\w*email\W{0,6})?|sendmail\(\W?)$/i
/** No more than this is looked at before an address, in UTF-16 units. */
const before = 32

/** Returns who gets a message, by the addresses in a text and its fields: the body of a request, or code. */
export function receiversIn(text: string): readonly string[] {
  const mails = [...text.matchAll(addresses)].filter(
    ({ index }) => !sender.test(text.slice(Math.max(0, index - before), index)),
  )
  const named = [...text.matchAll(fields)].map(([, name = '']) => name)
  return [...new Set([...mails.map(([mail]) => mail), ...named])]
}
