// What texts look like to a person: letters of other scripts beside the Latin ones that they are taken for.

/** Letters, each before the one of ASCII that it looks like. What Unicode itself holds for the same letter is not among them. */
const alike =
  'аaеeоoрpсcуyхxѕsіiјjԁdԛqԝwһhӏlкkѵvүyԍgАAВBЕEНHІIЈJКKМMОOРPСCТTХXЅSУYԌGԚQԜWӀl' +
  'αaοoρpνvιiκkυuγyϲcϳjΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX' +
  'օoոnսuհhցgյjıiɡgɑaȷjɩiɪiʟlʀrᴏoᴄcᴜuᴠvᴡwᴢzꜱsƅb'

const plainLetter = (letter: string): string => alike.charAt(alike.indexOf(letter) + 1)

/**
 * Returns the text of ASCII that another is taken for: letters that look like others are those, wide and other forms of
 * a letter are the letter, and invisible characters are none. `undefined` for ASCII itself, and for what reads otherwise.
 */
export function plainReading(text: string): string | undefined {
  if (isAscii.test(text)) return undefined
  const read = text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[。｡]/g, '.')
    .replaceAll(/[^\0-\x7F]/gu, (letter) => (alike.includes(letter) ? plainLetter(letter) : letter))
  return isAscii.test(read) ? read : undefined
}
// oxlint-disable-next-line no-control-regex -- all of ASCII
const isAscii = /^[\0-\x7F]*$/

/** Returns a host in the letters that its address shows, each `xn--…` decoded by RFC 3492. */
export const shownHost = (host: string): string =>
  host
    .split('.')
    .map((label) => (/^xn--/i.test(label) ? (decoded(label.slice(4).toLowerCase()) ?? label) : label))
    .join('.')

/** Decodes Punycode; `undefined` for what is none. A label has at most 63 characters. */
function decoded(label: string): string | undefined {
  const cut = label.lastIndexOf('-')
  const letters = Array.from(label.slice(0, Math.max(0, cut)), (letter) => letter.charCodeAt(0))
  if (label.length > 63) return undefined
  let [code, place, bias] = [128, 0, 72]
  for (let at = cut + 1; at < label.length;) {
    const before = place
    for (let [weight, base] = [1, 36]; ; base += 36) {
      const digit = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(label.charAt(at++) || ' ')
      if (digit === -1) return undefined
      place += digit * weight
      const least = base <= bias ? 1 : Math.min(26, base - bias)
      if (digit < least) break
      weight *= 36 - least
    }
    const count = letters.length + 1
    bias = adapted(place - before, count, before === 0)
    code += Math.floor(place / count)
    place %= count
    if (code > 0x10_ff_ff) return undefined
    letters.splice(place++, 0, code)
  }
  return letters.some((letter) => letter > 127) ? String.fromCodePoint(...letters) : undefined
}

function adapted(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2))
  rest += Math.floor(rest / count)
  let bias = 0
  for (; rest > 455; bias += 36) rest = Math.floor(rest / 35)
  return bias + Math.floor((36 * rest) / (rest + 38))
}
