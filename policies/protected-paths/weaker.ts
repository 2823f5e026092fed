import { type JudgedChange, linesOf } from './edited-files.ts'
import { loggedSecret } from './logged-secrets.ts'
import { lostRefusal } from './lost-refusals.ts'
import { wayPast } from './ways-past.ts'

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
    /\bMath\.random\b|\brandom\.(?:random|randint|choices?|getrandbits)\b|\bmt_rand\b|\bmath\/rand\b|\bnew Random\b|\buniqid\(|\bSmallRng\b|(?<![\w.])Random\(|\bDate\.now\(|\bcurrentTimeMillis\(|(?<![\w.])rand\(\)/,
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
    'read a token without looking at its signature',
    /\bjwt\.verify\(|\bjwtVerify\(|\bverifyIdToken\(/,
    /\bjwt\.decode\(|\bdecodeJwt\(|\bjwt_?decode\(/i,
  ],
  [
    'read or write memory without looking at its bounds',
    /\bsnprintf\(|\bstrn?lcpy\(|\bstrncpy\(|\bfgets\(|\.get\(|\.at\(|\bchecked_\w+|\blen\(\)/,
    /\bget_unchecked\w*|\bfrom_raw_parts\w*|(?<!\w)(?:strcpy|strcat|sprintf|gets)\(/,
  ],
  [
    'sign tokens by what those who read them know',
    /\b(?:[RPE]S(?:256|384|512)|EdDSA)\b/,
    /\bHS(?:256|384|512)\b|["']none["']/,
  ],
]

/** Queries that give everybody only what is theirs. */
const narrowed = /visible|accessible|permitted|for_?user|scoped?_?to|belongs|tenant|_own\b/i
/** Who gets a message. */
const messaging = /recipient|subscriber|newsletter|campaign|mailing|broadcast|\bsms\b|push_?notif/i
/** A choice of some, and what gives all. */
const chosen = /\.(?:filter|where|exclude)\(\s*[^\s)]|\bfind(?:All|Many)?\(\s*\{\s*\w|\bWHERE\b/
const everyone = /\.all(?:\(\)|\b(?!\())|\bfind(?:All|Many)?\(\s*(?:\{\s*\})?\s*\)|\bSELECT\b(?![^;]*\bWHERE\b)/

/** Words near which a text must be the same as another, and not merely begin like it. */
const exactly = /origin|redirect|callback|issuer|audience|referr?er|\bhost(?:name)?\b|webhook|signature/i
const same = /[^=!<>]===?[^=]|\.equals\(|\bEq\(|\.has\(|\.includes\(\w+\)|\bin\b/
const partly =
  /\.(?:startsWith|endsWith|includes|contains|indexOf|startswith|endswith|start_with\?|end_with\?|include\?|match)\(\s*["'`/]|\bstrings\.(?:Contains|HasPrefix|HasSuffix)\(|\bstr(?:pos|stri?|_contains|_starts_with)\(/

/** Code that goes on as if all were well after something failed. */
const wellAnyway =
  /\b(?:getOrDefault|orElse|unwrap_or|orElseGet|catch|except|rescue)\b[^\n]{0,60}\b(?:accept(?:ed)?|allow(?:ed)?|approved?|pass(?:ed)?|return true|permit(?:ted)?)\b|\b(?:getOrDefault|orElse|unwrap_or|orElseGet)\(\s*true\b/i
const acceptsFailure = ({ removed, added }: JudgedChange): boolean =>
  linesOf(added).some((line) => wellAnyway.test(line)) && !wellAnyway.test(removed) && removed !== ''

/** A failure that nobody gets to know. */
const swallowed =
  /\bcatch\s*(?:\(\s*\w*\s*\))?\s*\{\s*\}|\bexcept\b[^\n:]*:\s*(?:pass|\.\.\.|continue)|\brescue\b[^\n]*(?:nil|next)\s*$|\.catch\(\s*\(\w*\)\s*=>\s*(?:\{\s*\}|null|undefined)\s*\)|\b_\s*=\s*err\b|@suppress|\bunwrap_or\(true\)/m
const catching = /\b(?:catch|except|rescue)\b/
const raising =
  /\b(?:throw|raise|reject|panic!?|return\s+\w*err\w*)\b|\.(?:error|warn(?:ing)?|exception|critical|fatal|captureException)\(/i

/** A check whose result decides something, and one whose result goes nowhere. */
const heeded =
  /(?:\b(?:if|unless|guard|return|assert|require|err\w*\s*:?=)[^\n]{0,80}?(?<![\w.])(?:\w+\.)*(\w*(?:verif|valid|check|auth|permi|allow)\w*)\s*\()|\b(\w*(?:verif|valid|check|auth|permi|allow)\w*)\([^\n]*\)\s*\?;/i
const unheeded =
  /^\s*(?:\(void\)\s*|(?:let\s+|var\s+|const\s+)?_\s*:?=\s*)?(?:await\s+)?(?:\w+\.)*(\w*(?:verif|valid|check|auth|permi|allow)\w*)\s*\([^\n{}]*\)\s*;?\s*$/i

/** Returns the check that is still made, and whose result nobody looks at any more. */
function ignoredResult({ removed, added }: JudgedChange): string | undefined {
  const before = new Set(linesOf(removed).flatMap((line) => heeded.exec(line)?.slice(1) ?? []))
  const name = linesOf(added)
    .flatMap((line) => unheeded.exec(line)?.[1] ?? [])
    .find((one) => before.has(one))
  return name === undefined || linesOf(added).some((line) => heeded.exec(line)?.includes(name)) ? undefined : name
}

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
  const way = wayPast(change)
  if (way !== undefined) return way
  const secret = loggedSecret(change)
  if (secret !== undefined) return `would write \`${secret}\` into a log`
  if (catching.test(removed) && raising.test(removed) && catching.test(added) && !raising.test(added))
    return 'would go on as if nothing had failed'
  if (swallowed.test(added) && !swallowed.test(removed) && raising.test(removed) && !raising.test(added))
    return 'would have a failure go unnoticed'
  if (/audit/i.test(path) && linesOf(added).some((line) => /^\s*if\b.*\breturn\s*;?\s*\}?\s*$/.test(line)))
    return 'would leave something out of the audit'
  if (acceptsFailure(change)) return 'would go on as if nothing had failed'
  const ignored = ignoredResult(change)
  if (ignored !== undefined) return `would no longer care what \`${ignored}\` says`
  const refusal = lostRefusal(change, come)
  return refusal === undefined ? undefined : `would lose \`${refusal.slice(0, 80)}\``
}
