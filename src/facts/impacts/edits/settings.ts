import { isUnchecked } from '../../../words/variables.ts'
import { type JudgedChange, linesOf, type LostGuard } from './edited-file.ts'

const on = /^(?:true|yes|y|on|1|enabled?|required?|strict|always|error|warn|2|mandatory|restricted|enforcing)$/i
const off =
  /^(?:false|no|n|off|0|disabled?|none|never|optional|permissive|unconfined|privileged|trust|lax|ignore|warn-only)$/i
/** Names of settings that protect while they are on, and of those that open something. Without `_` and `-`. */
const protecting =
  /verif|validatecert|certvalid|ssl|tls|https|secur|strict|auth(?!or(?!i))|csrf|xsrf|protect|prevent|prohibit|enforc|block|restrict|sandbox|isolat|encrypt|checksum|integrity|signature|readonly|immutab|nonroot|httponly|firewall|mfa|twofactor|captcha|saniti[sz]|autoescape|selinux|apparmor|nonewpriv|hsts|noimplicit|ignorescripts|dismissstale|reviewrequired|requirereview|failon|failbuild|failfast$|abortonerror|audit|samesite|qualitygate|keyrotation|versioning|backup|dependabot|allowlist|^disallow|^mask(?:all)?|validate(?:exp|aud|nbf|iss|lifetime|signature|token)|signedimages?|requiresign/i
const opening =
  /^(?:privileged|host(?:network|pid|ipc)|public(?:lyaccessible|access)?|permitrootlogin|permitemptypasswords|passwordauthentication|nodeintegration|forcedestroy|persistcredentials|automountserviceaccounttoken|introspection|debuggable|allowbackup|exported|senddefaultpii|publicnetworkaccess|usescleartexttraffic)$|insecure|anonymous|unauthenticated|privilegeescalation|allowunsafe|skip(?:verif|ssl|tls|auth|tests?|final|check(?:s|sum)?$)|ignore(?:build|ssl|tls|cert|errors|duringbuilds|exit)|disable(?:ssl|tls|auth|csrf|check|host|verif|secur)|dangerous|bypass|emptypassword|ignoreexpir|allowall|alloweveryone|cleartext|arbitraryloads|xincludeaware|expandentit|externalentit|resolveentit/i
/** Names of settings that say who or what may. */
const admitting =
  /origin|hosts$|cidr|principal|^action|^resource|acl|permissions|ranges?$|members?$|^user$|^scope|grants?$|^contents$|verbs$|apigroups$|exposureinclude$/i
const wide = /^(?:\*|0\.0\.0\.0\/0|::\/0|all|allusers|public-read(?:-write)?|any|write-all|root)$/i
const floating = /^(?:latest|\*|main|master|head|develop|next|nightly|edge|x|canary)$/i
const exact = /^[v=~^]*\d[\w.+-]*$|^[0-9a-f]{7,64}$/i
const bounding =
  /threshold|failunder|coverage|^min(?:imum)?(?:length|score|passwordlength|reviewers|releaseage)|passwordlength|rounds|iterations|requiredapprov|requiredreview|retention|openpullrequestslimit|^(?:lines|branches|functions|statements)$/i

const counting =
  /^(?:(?:max|min)(?:size|instances|nodes|count|replicas)|desired(?:capacity|size|count)|replicas|nodecount|mincount|minsize|instancecount)$/i

interface WrittenSetting {
  readonly name: string
  /** The name in small letters, without `_`, `-` and `.`. */
  readonly key: string
  readonly value: string
}

const pairs =
  /(?<![A-Za-z_@$])([A-Za-z_@$][\w.@$/-]{0,80})["'\]]*\s*(?::=|=>|==?|:(?!\/\/)|@|>|(?<=^\s*[\w-]+) )\s*[\s[({"']*((?:\*|[^\s,;"'()[\]{}])[^\s,;"')\]}<]*)/g

/** Words in front of a variable that a file declares. */
const declaring = /^\s*(?:ENV|ARG|export)\s+(?=\w+=)/

/** Writes settings of property lists, headers of C and build configurations as `name=value`. */
const plainly = (text: string) =>
  text
    .replaceAll(/<key>([\w.]+)<\/key>\s*<(true|false)\/>/g, '$1=$2')
    // Setters and builders: `f.setXIncludeAware(true)`, `.httpOnly(false)`, `f.setFeature("…/disallow-doctype-decl", true)`.
    .replaceAll(/\.(?:set)?([A-Za-z]\w{2,60})\(\s*(true|false|\d{1,9})\s*\)/g, '; $1=$2 ')
    .replaceAll(/\bsetFeature\(\s*["'][^"'\n]*?([\w-]+)["']\s*,\s*(true|false)\s*\)/g, '; $1=$2 ')
    .replaceAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(\w+)[ \t]*$/gm, '$1=$2')
    .replaceAll(/^[ \t]*#[ \t]*(CONFIG_\w+) is not set/gm, '$1=n')

function settingsIn(text: string): readonly WrittenSetting[] {
  return linesOf(plainly(text)).flatMap((line) =>
    [...line.replaceAll('android:', '').replace(declaring, '').matchAll(pairs)].map(([, name = '', value = '']) => ({
      name,
      key: name.replaceAll(/[_.-]/g, '').toLowerCase(),
      value,
    })),
  )
}

/** True for a line of settings that has a protection on. */
export const isSafeSetting = (line: string): boolean =>
  settingsIn(line).some(({ key, value }) =>
    (protecting.test(key) && !opening.test(key) ? on : opening.test(key) ? off : /^$/).test(value),
  )

/** `NAME` of `process.env.NAME`. A setting's name is short. */
const lastWord = (name: string) => name.split(/[^\w-]/).at(-1) ?? ''
/** True for a variable of the environment, or a setting in a file of settings, with which a check is off. */
const isOff = ({ name, value }: WrittenSetting, { sets, runs }: JudgedChange): boolean =>
  isUnchecked('variable', lastWord(name), value) || ((sets || runs) && isUnchecked('setting', name, value))

/** Returns what a change turns to the value that lets more through. */
export function opened(change: JudgedChange): LostGuard | undefined {
  const { removed, added, isTest, isOwn, path } = change
  if (isTest || isOwn) return undefined
  const set = settingsIn(added)
  const uncheckedOne = set.find((one) => isOff(one, change) && !removed.includes(one.name))
  if (uncheckedOne !== undefined) return turned(uncheckedOne, 'set it to', uncheckedOne.value)
  const before = new Map(settingsIn(removed).map(({ key, value }) => [key, value]))
  for (const one of set) {
    const old = before.get(one.key)
    if (old !== undefined && old !== one.value && isOpened(one.key, old, one.value, change))
      return turned(one, `turn it from \`${old.slice(0, 20)}\` to`, one.value)
  }
  const pin = pinGone(removed, added) ?? looserRequirement(change)
  if (pin !== undefined) return { kind: 'delete', object: 'pin', name: pin }
  if (!/(?:^|\/)codeowners$/i.test(path)) return undefined
  const owned = linesOf(removed).find((line) => !added.includes(line.trim().split(/\s+/, 1)[0] ?? ''))
  return owned === undefined
    ? undefined
    : { kind: 'delete', object: 'owner', name: owned.trim(), would: 'leave files to nobody’s approval' }
}

const turned = ({ name }: WrittenSetting, how: string, value: string): LostGuard => ({
  kind: 'weaken',
  object: 'setting',
  name,
  would: `${how} \`${value.slice(0, 20)}\``,
})

/** Something that is called or made, rather than a word for off or for less. */
const given = /^[A-Za-z_][\w.]*(?:\(|$)|^\{/
const lintFile =
  /(?<![\w.-])(?=[\w.-]*$)[\w.-]*?(?:eslint|oxlint|biome|stylelint|tslint|pylint|ruff|rubocop|golangci|clippy|detekt|semgrep|pyproject|tsconfig)/i

function isOpened(key: string, old: string, value: string, { sets, path }: JudgedChange): boolean {
  if (opening.test(key)) return off.test(old) && on.test(value)
  const [least, now] = [Number.parseFloat(old), Number.parseFloat(value)]
  // A number of things that are billed each, so high that a slip of the hand is likelier than a need.
  if (counting.test(key) && least > 0 && now >= 100 && now >= least * 20) return true
  if (counting.test(key) && least > 1 && now <= least / 4 && /prod|live/i.test(path)) return true
  if (bounding.test(key) && least > 0 && now <= least / 2) return true
  if (given.test(old) && !on.test(old) && /^(?:false|none|null|off)$/i.test(value) && protecting.test(key)) return true
  if (on.test(old) && off.test(value)) {
    if (key === 'debug') return false
    return (
      (protecting.test(key) && (sets || !/^(?:is|has)/.test(key))) ||
      (lintFile.test(path) && /^(?:error|warn|2)$/i.test(old))
    )
  }
  if (isLooser(old, value) || isUnbounded(key, old, value)) return true
  if (key === 'debug') return /prod|base|settings\.py$/i.test(path) && off.test(old) && on.test(value)
  if (admitting.test(key)) return wide.test(value) && !wide.test(old)
  return floating.test(value) && exact.test(old)
}

/** Requirements of Python that name one version, with the hash of it or without. */
const exactly = /^\s*([\w.-]{1,60})(?:\[[\w,]{1,60}\])?\s*==/
const requirements = /(?:^|\/)(?:requirements|constraints)[\w.-]*\.(?:txt|in)$|(?:^|\/)requirements\/[^/]+$/
const looserRequirement = ({ path, removed, added }: JudgedChange) =>
  linesOf(requirements.test(path) ? removed : '')
    .flatMap((line) => exactly.exec(line)?.[1] ?? [])
    .find((name) => linesOf(added).some((line) => line.trim().startsWith(name) && !exactly.test(line)))

const pinned = /([\w./-]{2,80}?)(?::[\w.-]{1,40})?@(?:sha256:)?[0-9a-f]{6,64}\b/g

/** Returns the name of what was pinned to its content, and is still used without it. */
function pinGone(removed: string, added: string): string | undefined {
  const still = new Set([...added.matchAll(pinned)].map(([, name]) => name))
  return [...removed.matchAll(pinned)]
    .map(([, name = '']) => name)
    .find((name) => !still.has(name) && linesOf(added).some((line) => line.split(/[\s"'@:=]+/).includes(name)))
}

/** Values from strict to loose: a step to the right lets more through. */
const scales = [
  'deny ask allow',
  'deny permit',
  'deny audit allow',
  'drop accept',
  'reject quarantine none',
  'reject accept',
  'block report',
  'block count',
  'block allow',
  'private internal public',
  'private unlisted public',
  'internal external',
  'none all',
  'none read write admin',
  'read write',
  'readonly readwrite',
  'viewer editor admin owner',
  'view edit admin',
  'reader writer owner',
  'user admin',
  'member admin owner',
  'guest member admin',
  'strict lax none',
  'required preferred optional',
  'require prefer allow disable',
  'require optional none',
  'mandatory optional',
  'sandbox live',
  'sandbox production',
  'restricted baseline privileged',
  'enforcing permissive disabled',
  'enforce audit off',
  'enforce dryrun',
  'enforce report',
  'closed open',
  'manual automatic',
  'manual auto',
  'always never',
  'verifyfull verifyca require prefer disable',
  'sameorigin allowall',
  'clusterip loadbalancer',
  'clusterip nodeport',
  'confirm auto',
  'critical high medium warning low info none',
  'page ticket warning info none',
]

const normalizeValue = (value: string) => value.toLowerCase().replaceAll(/[^a-z0-9.]/g, '')

/** True if a value lets more through than the one before, by words that stand for more and less. */
function isLooser(before: string, after: string): boolean {
  const [from, to] = [normalizeValue(before), normalizeValue(after)]
  return scales.some((line) => {
    const scale = line.split(' ')
    return scale.includes(from) && scale.indexOf(to) > scale.indexOf(from)
  })
}

/** Names of numbers that bound what somebody may try, hold or take; larger ones let more through. */
const bounds =
  /attempts?|ratelimit|limit$|^limit|quota|throttle|burst|expir|ttl$|lifetime|maxage|ageseconds|maxupload|maxbody|validity|failures?$|maxamount|maxrefund/i
/** Names of numbers that keep something back or for long; smaller ones let more through. */
const delays =
  /lockout|cooldown|backoff|retention|keepfor|minage|minlength|minimum|quorum|approvals?$|reviewers?$|confirmations?$|gracePeriod|deletionwindow|pointintime|historydays|backups?$/i
/** Names of numbers that are somebody's money. */
const money = /price|fee$|fees$|commission|taxrate|vatrate|discount|payout|interestrate|refundlimit|surcharge|cashback/i

const units: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  sec: 1,
  m: 60,
  min: 60,
  h: 3600,
  hr: 3600,
  d: 86400,
  day: 86400,
  days: 86400,
  w: 604800,
  y: 31536000,
}
const amountOf = (value: string): number | undefined => {
  if (/^(?:infinity|unlimited|-1|never|none|null|max|0x7fffffff|number\.max_safe_integer)$/i.test(value))
    return Infinity
  const [, number, unit = ''] = /^([\d_]{0,30}\.?\d{1,30})\s{0,3}([a-z]{0,9})$/i.exec(value) ?? []
  return number === undefined ? undefined : Number(number.replaceAll('_', '')) * (units[unit.toLowerCase()] ?? 1)
}

/** True if a number bounds much less than the one before, or is another amount of money. */
function isUnbounded(key: string, before: string, after: string): boolean {
  const [from, to] = [amountOf(before), amountOf(after)]
  if (from === undefined || to === undefined || from === to || !(from > 0)) return false
  if (delays.test(key)) return to <= from / 2
  if (bounds.test(key)) return to >= from * 10 || to === 0
  return money.test(key) && (to === 0 || to >= from * 5 || to <= from / 5)
}
