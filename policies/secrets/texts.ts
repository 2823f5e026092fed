/** Signs of a line of code: how it begins, or how it ends. */
const begins =
  /^\s*(?:import|export|from|const|let|var|def|class|function|func|fn|pub|public|private|protected|return|if|elif|else|for|while|switch|case|try|catch|except|with|package|using|use|require|module|interface|type|struct|enum|async|await|raise|throw|end|SELECT|INSERT|CREATE|ALTER|#include|#define|<\?php|@\w+|\w+(?:\.\w+)*\s*(?:[-+*/|]?=|:=)\s*\S|\w+(?:\.\w+)*\(|[})\]])/
const ends = /(?:[;{}([]|=>|\)\s*:|[\w)\]'"],)\s*$/
/** A line of a report on a failure. */
const traced = /^\s*(?:at\s|File "|#\d+\s|\d+[:|])/
const setting = /^(?:export )?[A-Z][A-Z0-9_]*=\S/
const dumped = /^(?:INSERT INTO\s+\S+|COPY .{1,400}\bFROM stdin)/im
const change = /^@@ -\d+(?:,\d+)? \+\d+/m

/** As many lines are a file; fewer are a quotation. */
const linesMin = 10
const settingsMin = 5
/** A longer text is judged by its beginning. */
const charactersMax = 20_000

/** True if as many lines are of a table, with the same number of separators in each. */
function isTable(lines: readonly string[]): boolean {
  return [',', ';', '\t'].some((mark) => {
    const counts = lines.map((line) => line.split(mark).length - 1)
    const [first = 0] = counts
    return first > 1 && counts.every((count) => count === first) && lines.every((line) => !/[.!?]$/.test(line))
  })
}

/** Words before a password, and what stands right in front of it. */
const announced = () => /\b(?:pass(?:word|phrase|code)|pwd?|credentials?|creds|log-?in)\b/gi
const said = () => /(?:\b(?:is|are|with)|[:=/|→])\s{1,4}["'`]?([^\s"'`]{8,64})/g
/** A sentence says its password soon. */
const sentenceMax = 160

/** True if a sentence says a password: letters of both kinds or signs, with digits, and no name of anything. */
function saysPassword(text: string): boolean {
  return [...text.matchAll(announced())].some(({ index }) =>
    [...text.slice(index, index + sentenceMax).matchAll(said())].some(([, word = '']) => isPassword(word)),
  )
}

function isPassword(word: string): boolean {
  const bare = word.replace(/[.,;:!?)]+$/, '')
  if (/[/\\$<>{}*]|^v?\d+\.|^\d{4}-\d\d|^[A-Z]+-\d+$|^[\w.-]+@|\.[a-z]{2,5}(?::\d+)?$/.test(bare)) return false
  return bare.length >= 8 && /\d/.test(bare) && /[a-z]/.test(bare) && /[A-Z!#%&+?@^~_-]/.test(bare)
}

/** Returns what a text is, if it is no message but what somebody keeps: source, settings, rows, a dump, a change. */
export function keptIn(whole: string): string | undefined {
  const text = whole.slice(0, charactersMax)
  if (saysPassword(text)) return 'a password'
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.filter((line) => setting.test(line)).length >= settingsMin) return 'settings of an environment'
  if (dumped.test(text) || (lines.length >= linesMin && isTable(lines))) return 'rows of data'
  // The body of a request is JSON.
  if (lines.length < linesMin || /^\s*[[{]\s*["{\]}]/.test(text)) return undefined
  if (change.test(text)) return 'a change of source'
  const code = lines.filter((line) => !traced.test(line) && (begins.test(line) || ends.test(line))).length
  return code >= linesMin && code * 10 >= lines.length * 7 ? 'source' : undefined
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes base64 and its form for addresses; `undefined` where it is none, or no text. */
function decoded(text: string): string | undefined {
  if (text.length < 100 || !/^[\w+/-]+={0,2}$/.test(text)) return undefined
  let plain = ''
  let bits = 0
  let held = 0
  for (const sign of text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '')) {
    held = (held * 64 + digits.indexOf(sign)) % 65_536
    bits += 6
    if (bits < 8) continue
    bits -= 8
    plain += String.fromCharCode(Math.floor(held / 2 ** bits) % 256)
  }
  return /^[\t\n\r -~]*$/.test(plain) ? plain : undefined
}

/** Returns what an address carries, written into it as it is or encoded. */
export function keptInAddress(address: string): string | undefined {
  for (const part of address.slice(0, charactersMax).split(/[/?&#=]/)) {
    let text = part
    try {
      text = decodeURIComponent(part.replaceAll('+', ' '))
    } catch {
      // A text that is no encoding stays as written.
    }
    const kept = keptIn(decoded(part) ?? text)
    if (kept !== undefined) return kept
  }
  return undefined
}
