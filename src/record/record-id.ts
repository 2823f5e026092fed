/**
 * Returns a new id: the time in ms in its first ten characters, most significant first, and 30 random bits. Ids sort as
 * text by time.
 */
export function newRecordId(atMs: number): string {
  const random = Math.floor(Math.random() * 32 ** randomDigits)
  return idAt(atMs) + base32(random, randomDigits)
}

/** Returns the smallest id of a moment: every id made then or later is not less. */
export const idAt = (atMs: number): string => base32(Math.max(0, Math.floor(atMs)), timeDigits)

/** Returns the moment of an id, ms since the epoch. */
export const momentOf = (id: string): number =>
  Array.from(id.slice(0, timeDigits)).reduce((ms, digit) => ms * 32 + Math.max(0, digits.indexOf(digit)), 0)

const timeDigits = 10
const randomDigits = 6
/** In ASCII order, without letters that look like digits. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz'

function base32(value: number, length: number): string {
  let left = value
  let text = ''
  for (let index = 0; index < length; index += 1) {
    text = (digits[left % 32] ?? '0') + text
    left = Math.floor(left / 32)
  }
  return text
}
