/** Fields of an input, and the value that lets more through than any other. */
const loose: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^(?:masked|protected|verify_?\w{1,20}|require[sd]?_?\w{0,30}|enforce_?\w{0,30}|mfa\w{0,20})$/i, /^false$/],
  [
    /^(?:privileged|auto_?appl(?:y|ied)|auto_?approve|skip_?\w{1,20}|bypass_?\w{1,20}|disable_?(?:auth|ssl|tls|check|verif)\w{0,20}|allow_?file_?discovery|force_?destroy)$/i,
    /^true$/,
  ],
  [/^(?:network|pid|ipc|userns)(?:_?mode)?$/i, /^host$/],
  [/^(?:volumes?|binds?|mounts?|source)$/i, /^\/:|docker\.sock/],
  [/(?:^|\.)(?:authentication|auth_?type|auth_?mode|auth)$/i, /^(?:none|anonymous|disabled)$/i],
  [/failure_?policy$/i, /^ignore$/i],
  [/^(?:type|scope|grantee|audience)$/i, /^(?:anyone|allUsers|public)$/],
  [/^(?:percent_?off|discount_?percent\w{0,10})$/i, /^(?:9\d|100)$/],
  [/^run_?type$/i, /destroy/i],
  [/^ignore_?mode$/i, /^forever$/],
  [
    /^(?:key|setting|name)$/i,
    /^(?:blocked_?commands|allowed_?(?:commands|directories|paths)|permission_?mode|sandbox\w{0,20})$/i,
  ],
]
/** Patches name the field in a value of its own. */
const patched = /failurePolicy$|\/rules$|\/verify\w*$|\/enabled$/

interface Entry {
  readonly key: string
  readonly value: string
}
function entriesIn(value: unknown, key: string, depth: number): readonly Entry[] {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return [{ key, value: String(value) }]
  if (typeof value !== 'object' || value === null || depth > deepest) return []
  if (Array.isArray(value)) return value.flatMap((one: unknown) => entriesIn(one, key, depth + 1))
  const own: readonly (readonly [string, unknown])[] = Object.entries(value)
  const path = own.find(([name, one]) => name === 'path' && typeof one === 'string' && patched.test(one))?.[1]
  return own.flatMap(([name, one]) =>
    entriesIn(
      one,
      name === 'value' && typeof path === 'string' ? path.slice(path.lastIndexOf('/') + 1) : name,
      depth + 1,
    ),
  )
}
/** No server nests its arguments deeper than this. */
const deepest = 8

/** Returns the field of an input that takes a guard away, with its value. */
export function loosened(input: unknown): string | undefined {
  const found = entriesIn(input, '', 0).find(({ key, value }) =>
    loose.some(([name, values]) => name.test(key) && values.test(value)),
  )
  return found === undefined ? undefined : `\`${found.key}\` to \`${found.value.slice(0, 60)}\``
}
