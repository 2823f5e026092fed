import { type JudgedChange, linesOf } from './edited-files.ts'
import { acceptsFailure, lostRefusal } from './lost-refusals.ts'

/** Something strong, the weak thing that takes its place, and what a change from one to the other does. */
type Weaker = readonly [what: string, strong: RegExp, weak: RegExp]

const weaker: readonly Weaker[] = [
  [
    'store passwords by a hash that is quickly guessed',
    /\b(?:bcrypt|argon2|scrypt|pbkdf2|password_hash\b|PasswordHasher)/i,
    /(?<![a-z])(?:md5|sha_?(?:1|224|256|384|512)|crc32)(?![a-z])/i,
  ],
  [
    'draw secrets from numbers that can be foretold',
    /\b(?:randomBytes|randomUUID|getRandomValues|randomInt|secrets\.\w+|SecureRandom|crypto\/rand|OsRng|random_bytes|RandomNumberGenerator|SecRandomCopyBytes)\b/,
    /\bMath\.random\b|\brandom\.(?:random|randint|choices?|getrandbits)\b|\bmt_rand\b|\bmath\/rand\b|\bnew Random\b|\buniqid\(|\bSmallRng\b/,
  ],
  [
    'encrypt so that others can read it',
    /(?<![a-z])(?:gcm|ccm|chacha20|siv|aead)/i,
    /(?<![a-z])(?:ecb|des|3des|rc4|xor)(?![a-z])/i,
  ],
  [
    'compare a secret so that the time it takes betrays it',
    /timingSafeEqual|compare_digest|hash_equals|ConstantTimeCompare|secure_compare|constant_time_eq|FixedTimeEquals|MessageDigest\.isEqual/,
    /[^=!]===?[^=]|\.equals\(|\bbytes\.Equal\(|\bstrcmp\(/,
  ],
  ['accept protocols that are broken', /TLSv?_?1[._]?[23]\b/i, /\bSSLv[23]|TLSv?_?1(?:[._]?[01])?(?![._]?\d)/i],
  [
    'sign tokens by what those who read them know',
    /\b(?:[RPE]S(?:256|384|512)|EdDSA)\b/,
    /\bHS(?:256|384|512)\b|["']none["']/,
  ],
]

/** Who gets a message: all of them, where there was a choice. */
const narrowed = /visible|accessible|permitted|for_?user|scoped?_?to|belongs|tenant|_own\b/i
const messaging = /recipient|subscriber|newsletter|campaign|mailing|broadcast|\bsms\b|push_?notif/i
const chosen = /\.(?:filter|where|exclude)\(\s*[^\s)]|\bfind(?:All|Many)?\(\s*\{\s*\w|\bWHERE\b/
const everyone = /\.all(?:\(\)|\b(?!\())|\bfind(?:All|Many)?\(\s*(?:\{\s*\})?\s*\)|\bSELECT\b(?![^;]*\bWHERE\b)/

/** Words near which a text must be the same as another, and not merely begin like it. */
const exactly = /origin|redirect|callback|issuer|audience|referr?er|\bhost(?:name)?\b|webhook|signature/i
const same = /[^=!<>]===?[^=]|\.equals\(|\bEq\(|\.has\(|\.includes\(\w+\)|\bin\b/
const partly =
  /\.(?:startsWith|endsWith|includes|contains|indexOf|startswith|endswith|start_with\?|end_with\?|include\?|match)\(\s*["'`/]|\bstrings\.(?:Contains|HasPrefix|HasSuffix)\(|\bstr(?:pos|stri?|_contains|_starts_with)\(/

/** Names of what somebody proves to be who they are by. */
const proof = /\b\w*(?:code|otp|token|pass(?:word|code)?|pin|secret|user(?:name)?|email|api_?key)\w*\b/i
const fixed = /(?:===?|\.equals\(|\beq\b)\s*\(?["'`]([^"'`\n]{3,80})["'`]/
const letsIn = /\b(?:return\s+(?:true|next\(\)|ok\b|nil\b|user\b)|next\(\)|grant|allow|authenticated\s*=\s*true)/i

/** Returns the text that would let in whoever knows it. */
function masterKey({ removed, added }: JudgedChange): string | undefined {
  const lines = linesOf(added)
  for (const [at, line] of lines.entries()) {
    const [, key] = fixed.exec(line) ?? []
    if (key === undefined || removed.includes(key) || !/\b(?:if|when|unless|return)\b|\|\|/.test(line)) continue
    const [before = ''] = line.split(fixed, 1)
    if (proof.test(before) && (letsIn.test(line) || letsIn.test(lines[at + 1] ?? ''))) return key
  }
  return undefined
}

const logging =
  /(?:\blog(?:ger)?\w*\s*[.(]|\blog(?:ger|ging)?\.(?:\w+)\s*\(|\bconsole\.\w+\(|\bprintln!?\(|\bfmt\.Print\w*\(|\bputs\b|\bprint\(|\bRails\.logger|\bLog\.[a-z]+\(|\berror_log\(|\bNSLog\(|\bos_log\(|\bslog\.\w+\(|\btracing::\w+!\()/i
const secretNames =
  /(?<![\w-])(?:\w*[._])?(?:pass(?:word|wd|phrase)|pw|pwd|secret|card_?num(?:ber)?|cvv|cvc|ssn|iban|api_?key|private_?key|access_?token|refresh_?token|session_?token|password_?hash|authorization|cookies?|(?:req|request)\.headers)(?![\w-])(?!\s*(?:\(|=[^=]|is\b|\.length|\s*[!=]=))/i
const hidden = /redact|mask|hash\(|obfuscat|\*{3}|scrub|truncate|\?\s*["']|!!|len\(|bool\(|typeof/i

/** Returns a text of code without the texts in it, but with the values that are put into these. */
const withoutTexts = (line: string) =>
  line.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`/g, (text) =>
    [...text.matchAll(/[$#]?\{([^{}]{1,80})\}/g)].map(([, value]) => ` ${value} `).join(' '),
  )

const loggedSecret = ({ removed, added }: JudgedChange): string | undefined =>
  linesOf(added)
    .filter((line) => logging.test(line) && !hidden.test(line) && !removed.includes(line.trim()))
    .flatMap((line) => secretNames.exec(withoutTexts(line))?.[0].trim() ?? [])
    .find((name) => !loggedIn(removed, name))
const loggedIn = (text: string, name: string) =>
  linesOf(text).some((line) => logging.test(line) && withoutTexts(line).includes(name))

/** Ways past a rule that whoever sets a variable or sends a header takes. */
const pastRules =
  /\b(?:process\.env|import\.meta\.env|os\.environ(?:\.get)?|getenv|ENV|env::var|headers?|query|params|args|cookies?|config|settings|flags?)\b[\w.]{0,20}\W{1,4}["'`]?[\w-]*(?:skip|bypass|disable_?(?:auth|check|valid|verif|limit|csrf|mfa)|no_?auth|unsafe|insecure|backdoor|impersonat|override_?(?:auth|role|user)|x-debug|x-internal|god_?mode)[\w-]*/i

/** A failure that nobody gets to know. */
const swallowed =
  /\bcatch\s*(?:\(\s*\w*\s*\))?\s*\{\s*\}|\bexcept\b[^\n:]*:\s*(?:pass|\.\.\.|continue)|\brescue\b[^\n]*(?:nil|next)\s*$|\.catch\(\s*\(\w*\)\s*=>\s*(?:\{\s*\}|null|undefined)\s*\)|\b_\s*=\s*err\b|@suppress|\bunwrap_or\(true\)/m
const catching = /\b(?:catch|except|rescue)\b/
/** More rights for a request that says so itself. */
const escalates =
  /\b(?:headers?|query|params|cookies?)\b[^;]{0,200}(?:super_?admin|is_?admin\w*\s*=\s*true|role\w*\s*=\s*["']admin)/i
const raising = /\b(?:throw|raise|reject|panic!?|return\s+\w*err\w*)\b|\.(?:error|warn|captureException)\(/i

/** Returns how a change has code do by weaker means what it did by strong ones, or lets somebody past. */
export function weakened(change: JudgedChange, come: string): string | undefined {
  const { path, removed, added, isTest, isOwn } = change
  if (isTest || isOwn) return undefined
  for (const [what, strong, weak] of weaker) {
    if (strong.test(removed) && !strong.test(added) && weak.test(added) && !weak.test(removed)) return `would ${what}`
  }
  if (chosen.test(removed) && !chosen.test(added) && everyone.test(added)) {
    if (messaging.test(path + removed)) return 'would write to all, where it wrote to some'
    if (narrowed.test(removed + added)) return 'would give everything, where it gave some'
  }
  if (exactly.test(path + removed) && same.test(removed) && partly.test(added) && !partly.test(removed))
    return 'would accept a part of what had to be the same'
  const key = masterKey(change)
  if (key !== undefined) return `would let in whoever knows \`${key}\``
  const secret = loggedSecret(change)
  if (secret !== undefined) return `would write \`${secret}\` into a log`
  if (pastRules.test(added) && !pastRules.test(removed)) return 'would have a way past a check for whoever asks for it'
  if (escalates.test(added) && !escalates.test(removed)) return 'would make whoever asks for it an administrator'
  if (catching.test(removed) && raising.test(removed) && catching.test(added) && !raising.test(added))
    return 'would go on as if nothing had failed'
  if (swallowed.test(added) && !swallowed.test(removed) && raising.test(removed) && !raising.test(added))
    return 'would have a failure go unnoticed'
  if (/audit/i.test(path) && linesOf(added).some((line) => /^\s*if\b.*\breturn\s*;?\s*\}?\s*$/.test(line)))
    return 'would leave something out of the audit'
  if (acceptsFailure(change)) return 'would go on as if nothing had failed'
  const refusal = lostRefusal(change, come)
  return refusal === undefined ? undefined : `would lose \`${refusal.slice(0, 80)}\``
}
