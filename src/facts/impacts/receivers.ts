/** Names of fields that say who gets a message. */
const receiving =
  'to|cc|bcc|recipients?|to_?(?:emails?|address(?:es)?)|channel|channel_?id|phone|phone_?number|chat_?id|user_?id'

const receivingField = new RegExp(`^(?:${receiving})$`, 'i')

/** True for the name of a field that says who gets a message. */
export const namesReceiver = (field: string): boolean => receivingField.test(field)

const addresses = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
/** Matches fields with a receiver: `"channel": "C1"`, `chat_id=42`, `channel='#ops'`. */
const fields = new RegExp(`(?<![\\w-])(?:${receiving})["']?\\s*[:=]\\s*["']?([#@+\\w][\\w.@+#-]{0,80})`, 'gi')
/** Matches the end of the text before a sender's address, which is no receiver. */
const sender = /\b(?:(?:from|sender|source|reply_?to)\w*\W{0,6}(?:\w*email\W{0,6})?|sendmail\(\W?)$/i
/** Length of the text before an address that is read, in UTF-16 units. */
const charactersBefore = 32

/** Returns the receivers of a message from the addresses and fields in a request's body, or in code. */
export function receiversIn(text: string): readonly string[] {
  const mails = [...text.matchAll(addresses)].filter(
    ({ index }) => !sender.test(text.slice(Math.max(0, index - charactersBefore), index)),
  )
  const named = [...text.matchAll(fields)].map(([, name = '']) => name)
  return [...new Set([...mails.map(([mail]) => mail), ...named])]
}
