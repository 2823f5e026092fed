import { isUnchecked } from '../../../words/variables.ts'
import { type JudgedChange, linesOf, type LostGuard } from './edited-file.ts'
import { isLooser, isUnbounded } from './looser-values.ts'

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
  /([A-Za-z_@$][\w.@$/-]{0,80})["'\]]*\s*(?::=|=>|==?|:(?!\/\/)|@|>|(?<=^\s*[\w-]+) )\s*[\s[({"']*((?:\*|[^\s,;"'()[\]{}])[^\s,;"')\]}<]*)/g

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
