import { type JudgedChange, linesOf } from './edited-files.ts'

/** Calls that print or log. */
const logging =
  /(?:\blog(?:ger)?\w*\s*[.(]|\blog(?:ger|ging)?\.(?:\w+)\s*\(|\bconsole\.\w+\(|\bprintln!?\(|\bfmt\.Print\w*\(|\bputs\b|\bprint\(|\bRails\.logger|\bLog\.[a-z]+\(|\berror_log\(|\bNSLog\(|\bos_log\(|\bslog\.\w+\(|\btracing::\w+!\()/i
/** Names of values that others entrusted, in code: not where they are compared or called. */
const secretNames =
  /(?<![\w-])(?:\w*[._])?(?:pass(?:word|wd|phrase)|pw|pwd|secret|card_?num(?:ber)?|cvv|cvc|ssn|iban|api_?key|private_?key|access_?token|refresh_?token|session_?token|password_?hash|authorization|cookies?|(?:req|request)\.headers)(?![\w-])(?!\s*(?:\(|=[^=]|is\b|\.length|\s*[!=]=))/i
/** Words by which a line logs something in place of the value: its length, a mask, whether it is there. */
const hidden =
  /redact|mask|hash\(|obfuscat|\*{3}|scrub|truncate|\b(?:drop|omit|except|without|reject|exclude)\w*\(|\?\s*["']|!!|len\(|bool\(|typeof/i

/** Returns a text of code without the texts in it, but with the values that are put into these. */
const withoutTexts = (line: string) =>
  line.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`/g, (text) =>
    [...text.matchAll(/[$#]?\{([^{}]{1,80})\}/g)].map(([, value]) => ` ${value} `).join(' '),
  )

/** Returns the name of a value that a change would have logged. */
export const loggedSecret = ({ removed, added }: JudgedChange): string | undefined =>
  linesOf(added)
    .filter((line) => logging.test(line) && !hidden.test(line) && !removed.includes(line.trim()))
    .flatMap((line) => secretNames.exec(withoutTexts(line))?.[0].trim() ?? [])
    .find((name) => !loggedIn(removed, name))
const loggedIn = (text: string, name: string) =>
  linesOf(text).some((line) => logging.test(line) && withoutTexts(line).includes(name))
