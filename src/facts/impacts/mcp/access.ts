import { parsedJson } from '../../../model/json.ts'
import type { ToolImpactFound } from './found.ts'
import { setOf } from '../../../model/look-ups.ts'
import { toolWords } from '../../../words/names.ts'

/** Verbs that change something. */
const changing = setOf(
  'set put update create add edit patch modify apply change make grant enable disable remove delete share allow authorize attach configure run start deploy manage',
)
/** Verbs that take a guard away, where the tool's name says which. */
const weakening = setOf('disable remove delete off')
const guarding =
  /\b(?:(?:branch|deletion|tag) protection|rule ?sets?|rls|row(?: level)? security|firewall|public access block|mfa)\b/

/** Names of rights to everything, as the clouds and Kubernetes have them. */
const wholeRights =
  /(?:^|[/:])(?:AdministratorAccess|PowerUserAccess|IAMFullAccess)$|^roles\/(?:owner|editor|resourcemanager\.\w+|iam\.\w*admin)$|^cluster-admin$|^(?:owner|contributor|user access administrator)$/i
/** Keys that stay valid until somebody takes them back. */
const lastingKey = /\b(?:access|service account|secret access) keys?\b/

/** Fields by the words of their names, with the values that let more through than any other. */
const loose: readonly (readonly [field: RegExp, value: RegExp])[] = [
  // Who may.
  [
    /\b(?:acl|visibility|access|principal|members?|cidr|source|ranges?|role|entity|sharing)\b/,
    /^(?:public|public-read(?:-write)?|0\.0\.0\.0\/0|::\/0|allusers|allauthenticatedusers|anyone|anyone_with_link)$/i,
  ],
  [/\b(?:principal|cidr)\b/, /^\*$/],
  [/^(?:type|scope|grantee|audience)$/, /^(?:anyone|allusers|public)$/i],
  [/\bauth(?:entication)?(?: type| mode)?$/, /^(?:none|anonymous|disabled)$/i],
  // Rights that let somebody do everything.
  [/\b(?:polic(?:y|ies)|role)\b|role$/, wholeRights],
  [/^action$/, /^\*$/],
  // How many have to agree, and whether a rule is kept.
  [
    /\b(?:approvals?|approvers|approving|reviews?|reviewers)\b.*\b(?:required|count|before)\b|\brequired\b.*\b(?:approv\w+|review\w*)/,
    /^0$/,
  ],
  [/^enforcement$/, /^(?:disabled|evaluate|off|none)$/i],
  // What is on.
  [
    /\b(?:public|publicly accessible|allow force pushes|allow public access)\b|^(?:privileged|auto (?:apply|applied|approve)|allow file discovery|force destroy)$|^(?:skip|bypass)\b|^disable (?:auth|ssl|tls|check|verif)/,
    /^true$/,
  ],
  [
    /\b(?:private|rls(?: enabled)?|row level security|block public \w+)\b|^(?:masked|protected)$|^(?:verify|require[sd]?|enforce|mfa)\b/,
    /^false$/,
  ],
  // What of the machine a container gets.
  [/^(?:network|pid|ipc|userns)(?: mode)?$/, /^host$/i],
  [/^(?:volumes?|binds?|mounts?|source)$/, /^\/:|docker\.sock/],
  // What becomes of a failure, a finding, a plan.
  [/\bfailure policy$/, /^ignore$/i],
  [/^ignore mode$/, /^forever$/i],
  [/^run type$/, /destroy/i],
  [
    /^(?:key|setting|name)$/,
    /^(?:blocked_?commands|allowed_?(?:commands|directories|paths)|permission_?mode|sandbox)$/i,
  ],
]

/** Returns how a tool opens what was closed. */
export function openingBy(parts: readonly string[], input: unknown): ToolImpactFound | undefined {
  const text = parts.join(' ')
  const guard = guarding.exec(text)?.[0]
  if (guard !== undefined && parts.some((part) => weakening.has(part)))
    return { kind: 'weaken', thing: 'guard', object: guard }
  const key = lastingKey.exec(text)?.[0]
  if (key !== undefined && parts.includes('create'))
    return { kind: 'create', thing: 'secret', object: `${key.replace(/s$/, '')} that stays valid` }
  if (!parts.some((part) => changing.has(part))) return undefined
  const found = entriesIn(input, '', 0).find(({ field, value }) =>
    // Values first: nearly none is one of these, and an input may have very many.
    loose.some(([fields, values]) => values.test(value) && fields.test(fieldWords(field))),
  )
  if (found === undefined) return undefined
  return {
    kind: 'weaken',
    thing: 'guard',
    object: 'the protection',
    by: found.field,
    said: `${fieldWords(found.field)}: ${found.value}`,
  }
}

/** A value of an input, and the field that it stands in. */
interface AccessEntry {
  readonly field: string
  readonly value: string
}

function entriesIn(value: unknown, field: string, depth: number): readonly AccessEntry[] {
  if (depth > deepest) return []
  if (typeof value === 'string' && /^\s*\{/.test(value)) return entriesIn(parsedJson(value), field, depth + 1)
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return [{ field, value: String(value) }]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one: unknown) => entriesIn(one, field, depth + 1))
  const own: readonly (readonly [string, unknown])[] = Object.entries(value)
  // A patch names its field in a value of its own: `{ "path": "/webhooks/0/failurePolicy", "value": "Ignore" }`.
  const patched = own.find(([name, one]) => name === 'path' && typeof one === 'string')?.[1]
  return own.flatMap(([name, one]) => {
    // `{ "Principal": { "AWS": "*" } }`: the inner name says only whose account.
    if (name === 'AWS') return entriesIn(one, field, depth + 1)
    const named = name === 'value' && typeof patched === 'string' ? patched.slice(patched.lastIndexOf('/') + 1) : name
    return entriesIn(one, named, depth + 1)
  })
}
/** Names of fields are short: what is behind this many UTF-16 units is none. */
const fieldMax = 100
const fieldWords = (name: string) => toolWords(name.slice(0, fieldMax)).join(' ')

/** No server nests its arguments deeper than this. */
const deepest = 8
