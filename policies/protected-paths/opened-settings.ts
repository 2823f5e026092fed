import { isUnchecked } from 'hookgate/policy'
import { everywhere, type JudgedChange, linesOf } from './edited-files.ts'
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

/** Settings that only ever switch a check off. */
const unchecked: readonly (readonly [what: string, look: RegExp, insteadOf?: RegExp])[] = [
  [
    'accept any certificate',
    /\bverify\s*=\s*False\b|rejectUnauthorized["']?\s*:\s*false|InsecureSkipVerify\s*:\s*true|_create_unverified_context|\bCERT_NONE\b|\bVERIFY_NONE\b|check_hostname\s*=\s*False|CURLOPT_SSL_VERIFY(?:PEER|HOST)\s*(?:,|=>)\s*(?:false|0)\b|danger_accept_invalid_certs\(\s*true|ALLOW_ALL_HOSTNAME|NoopHostnameVerifier|badCertificateCallback\s*=[^\n]*true|ServerCertificate\w*Callback\s*\+?=[^\n]*true|http\.sslVerify\s*=?\s*false/,
  ],
  ['let a user become root without a password', /\bNOPASSWD\s*:\s*ALL\b/],
  ['let everybody write', /\bchmod\s+(?:-R\s+)?(?:0?777|a\+rwx)\b/, /\bchmod\b/],
  ['switch row security off', /DISABLE\s+ROW\s+LEVEL\s+SECURITY/i],
  ['let everybody read or write', /\ballow\s+[\w, ]+:\s*if\s+true\b|permissions\s*:\s*write-all\b/],
  [
    'take the protection against forged requests away',
    /@csrf_exempt\b|csrf\w*\W{1,12}(?:\w+\W+){0,3}disable\(|csrf\w*\(\s*\w+\.disable|protect_from_forgery\s+with:\s*:null_session|skip_before_action\s+:\w*(?:auth|verif)/i,
  ],
  [
    'decide nothing any more',
    /(?<!\$\([^()\n]{0,200})\|\|\s*true\s*\)|&&\s*false\s*\)|\bif\s*\(\s*(?:true|false)\s*\)|\bif (?:True|False):/,
    /\b(?:if|unless|return)\b/,
  ],
  [
    'run what data says',
    /\byaml\.(?:unsafe_)?load\((?![^)\n]*Safe)|(?<![\w.])eval\(/,
    /\bsafe_load\b|\bliteral_eval\b|SafeLoader/,
  ],
  ['sign what is released with the key of trials', /\bsigningConfigs\.debug\b/, /\bsigningConfigs\.release\b/],
  [
    'run code that comes with a model',
    /\btrust_remote_code\s*=\s*True|\ballow_pickle\s*=\s*True|\bweights_only\s*=\s*False/,
  ],
  [
    'let any origin in',
    /\borigin\s*:\s*(?:true\b|\([^)\n]{0,60}\)\s*=>\s*(?:true\b|\w{1,20}\(null,\s*true\)))|\ballowOrigins\s*\{\s*true\b|\banyHost\(\)|\bAllowAnyOrigin\(|\bcors\.AllowAll\(|\bAllowOriginFunc\w*\s*[:=]\s*func\([^)\n]{0,60}\)\s*bool\s*\{\s*return true|\bSetIsOriginAllowed\(\s*\w+\s*=>\s*true|\b(?:allowed_?|allow_?)?origins?(?:_?patterns?)?\b["']?\s*[:=(]?\s*(?:\w{1,12}(?:\.\w{1,12})?\()?[[(]?\s*["']\*["']|\bAccess-Control-Allow-Origin["']?\s*[,:=]?\s*["']\*["']/i,
    /origin|host|cors/i,
  ],
  [
    'let everybody in',
    /\bAllowAny\b|\[AllowAnonymous\]|@PermitAll\b|\.permitAll\(\)|@Public\(\)|\bskip_authorization\b/,
    /auth|permission|\broles?\b|guards?\b|secured|requires?/i,
  ],
  [
    'accept tokens that nobody signed',
    /verify_signature["']?\s*(?:[:=]|=>)\s*false|\bParseUnverified\(|\bparse(?:UnsecuredClaims|ClaimsJwt)\(|\balgorithms?["']?\s*[:=]\s*\[?\s*["']none["']|SkipAllValidators|\bRequireSignedTokens\s*=\s*false/i,
  ],
  [
    'no longer pin an action',
    /^\s*-?\s*uses\s*:\s*[\w./-]{3,120}@(?![0-9a-f]{40})[\w./-]+\s*(?:#[^\n]*)?$/m,
    /^\s*-?\s*uses\s*:\s*[\w./-]{3,120}@[0-9a-f]{40}\b/m,
  ],
  [
    'store every field that somebody sends',
    /\.permit!|\$guarded\s*=\s*\[\s*\]|\bunguard\(|\bfields\s*=\s*["']__all__["']|(?:\.|->)(?:update|create|fill|assign|save|insert\w*|findByIdAnd\w+)\(\s*(?:[\w.]{1,30},\s*)?(?:\{\s*\.\.\.)?(?:\$request->all\(\)|req(?:uest)?\.body\b)/i,
    /\bpermit\b|\$fillable|\$guarded|\bfields\s*=|\bvalidated\(|\bonly\(|\bpick\(|\.parse\(|\bschema\b/i,
  ],
  ['delete data by itself after a time', /\bexpire_?after_?seconds\b/i],
  ['accept tokens that nobody signed', /algorithms?["']?\s*[:=]\s*\[?\s*["']none["']/i],
]

/** Steps of a migration that take data away. */
const drops =
  /\b(?:drop_table|drop_column|remove_columns?|dropTable|dropColumn|DROP\s+(?:TABLE|COLUMN)|DELETE\s+FROM|TRUNCATE)\b/i
/** A step back that does nothing. */
const noWayBack =
  /\bdef\s+down(?:grade)?\b[^\n]{0,40}(?:;\s*end|\n\s*(?:pass|end|raise\b[^\n]*|return)\s*(?:\n|$))|\b(?:down|revert)\w*\s*(?:=\s*(?:async\s*)?)?\([^)\n]{0,60}\)[^{\n]{0,40}\{\s*(?:return;?\s*)?\}/

interface Setting {
  readonly name: string
  /** The name in small letters, without `_`, `-` and `.`. */
  readonly key: string
  readonly value: string
}

const pairs =
  /([A-Za-z_@$][\w.@$/-]{0,80})["'\]]*\s*(?::=|=>|==?|:(?!\/\/)|@|>|(?<=^\s*[\w-]+) )\s*[\s[({"']*((?:\*|[^\s,;"'()[\]{}])[^\s,;"')\]}<]*)/

/** Words in front of a variable that a file declares. */
const declaring = /^\s*(?:ENV|ARG|export)\s+(?=\w+=)/

/** Writes settings of property lists, headers of C and build configurations as `name=value`. */
const plainly = (text: string) =>
  text
    .replaceAll(/<key>([\w.]+)<\/key>\s*<(true|false)\/>/g, '$1=$2')
    // Setters and builders: `f.setXIncludeAware(true)`, `.httpOnly(false)`, `f.setFeature("…/disallow-doctype-decl", true)`.
    .replaceAll(/\.(?:set)?([A-Za-z]\w{2,60})\(\s*(true|false|\d{1,9})\s*\)/g, '; $1=$2 ')
    .replaceAll(/\bsetFeature\(\s*["'][^"'\n]*?([\w-]+)["']\s*,\s*(true|false)\s*\)/g, '; $1=$2 ')
    .replaceAll(/^\s*#\s*define\s+(\w+)\s+(\w+)\s*$/gm, '$1=$2')
    .replaceAll(/^\s*#\s*(CONFIG_\w+) is not set/gm, '$1=n')

function settingsIn(text: string): readonly Setting[] {
  return linesOf(plainly(text)).flatMap((line) =>
    [...line.replaceAll('android:', '').replace(declaring, '').matchAll(everywhere(pairs))].map(
      ([, name = '', value = '']) => ({
        name,
        key: name.replaceAll(/[_.-]/g, '').toLowerCase(),
        value,
      }),
    ),
  )
}

/** True for a line of settings that has a protection on. */
export const isSafeSetting = (line: string): boolean =>
  settingsIn(line).some(({ key, value }) =>
    (protecting.test(key) && !opening.test(key) ? on : opening.test(key) ? off : /^$/).test(value),
  )

/** True for a variable of the environment, or a setting in a file of settings, with which a check is off. */
const isOff = ({ name, value }: Setting, { sets, runs }: JudgedChange): boolean =>
  isUnchecked('variable', name.slice(name.search(/[\w-]*$/)), value) ||
  ((sets || runs) && isUnchecked('setting', name, value))

/** Returns what a change turns to the value that lets more through. */
export function opened(change: JudgedChange): string | undefined {
  const { removed, added, isTest, isOwn, path } = change
  if (isTest || isOwn) return undefined
  for (const [what, look, insteadOf] of unchecked) {
    if (look.test(added) && !look.test(removed) && insteadOf?.test(removed) !== false) return `would ${what}`
  }
  const uncheckedOne = settingsIn(added).find((one) => isOff(one, change) && !removed.includes(one.name))
  if (uncheckedOne !== undefined)
    return `would set \`${uncheckedOne.name}\` to \`${uncheckedOne.value}\`, so that nobody checks who answers or what comes`
  const before = new Map(settingsIn(removed).map(({ key, value }) => [key, value]))
  for (const { name, key, value } of before.size === 0 ? [] : settingsIn(added)) {
    const old = before.get(key)
    if (old !== undefined && old !== value && isOpened(key, old, value, change))
      return `would turn \`${name}\` from \`${old}\` to \`${value}\``
  }
  const pin = pinGone(removed, added) ?? looserRequirement(change)
  if (pin !== undefined) return `would no longer pin ${pin}`
  if (/migrat|\/versions\//i.test(path) && drops.test(added) && noWayBack.test(added))
    return 'would delete data with no way back'
  if (/(?:^|\/)codeowners$/i.test(path)) {
    const gone = linesOf(removed).find((line) => !added.includes(line.trim().split(/\s+/)[0] ?? ''))
    if (gone !== undefined) return 'would leave files without an owner who has to agree'
  }
  return undefined
}

/** Something that is called or made, rather than a word for off or for less. */
const given = /^[A-Za-z_][\w.]*(?:\(|$)|^\{/
const lintFile =
  /(?:eslint|oxlint|biome|stylelint|tslint|pylint|ruff|rubocop|golangci|clippy|detekt|semgrep|pyproject|tsconfig)[\w.-]*$/i

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

const pinned = /([\w./-]{2,80}?)(?::[\w.-]{1,40})?@(?:sha256:)?[0-9a-f]{6,64}\b/

/** Returns the name of what was pinned to its content, and is still used without it. */
function pinGone(removed: string, added: string): string | undefined {
  const still = new Set([...added.matchAll(everywhere(pinned))].map(([, name]) => name))
  return [...removed.matchAll(everywhere(pinned))]
    .map(([, name = '']) => name)
    .find((name) => !still.has(name) && linesOf(added).some((line) => line.split(/[\s"'@:=]+/).includes(name)))
}
