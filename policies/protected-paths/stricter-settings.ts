import { setOf, type TextChange } from 'hookgate/policy'

/** An agent's settings of a project, in which lists say what it may not do, or has to ask about. */
const file = /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/
/** Settings of other files that permit less with one value, and that value. */
const stricter =
  /^\s*(?:"security\.workspace\.trust\.(?:enabled|emptyWindow)"\s*:\s*true|"chat\.tools\.(?:global\.)?autoApprove"\s*:\s*false|"task\.allowAutomaticTasks"\s*:\s*"off")\s*,?\s*$/
const editor = /(?:^|\/)\.vscode\/settings\.json$/i

/** Matches a list of rules that deny or ask, with its entries as the second group. */
const lists = () => /("(?:deny|ask)"\s*:\s*\[)((?:\s*"(?:[^"\\]|\\.)*"\s*,?)*)(\s*\])?/g

/** Returns the rules that a text denies or asks about, and what else is in it but brackets. */
function rulesIn(text: string): { readonly rules: readonly string[]; readonly rest: string } {
  const rules: string[] = []
  const rest = text.replaceAll(lists(), (_, key: string, entries: string) => {
    rules.push(...[...entries.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([entry]) => `${key.slice(1, 4)} ${entry}`))
    return ''
  })
  return { rules, rest: rest.replaceAll(/"permissions"\s*:|[\s{}\],]/g, '') }
}

/** Lists in which an entry more permits less, and lists in which an entry less does. */
const refusing = setOf(['deny', 'ask', 'excludeTools', 'exclude', 'disallowedTools'])
const permitting = setOf(['allow', 'additionalDirectories'])

/** Values of settings, each of which permits less than those before it; `''` where there is none. */
const ladders: readonly (readonly [key: string, ...values: string[]])[] = [
  ['defaultMode', 'bypassPermissions', 'acceptEdits', '', 'default', 'plan'],
  ['disableBypassPermissionsMode', '', 'disable'],
  ['disableAutoMode', '', 'disable'],
  ['disableYoloMode', 'false', '', 'true'],
  ['enableAllProjectMcpServers', 'true', '', 'false'],
  ['approval_policy', 'never', 'on-failure', 'on-request', 'untrusted'],
  ['sandbox_mode', 'danger-full-access', 'workspace-write', 'read-only'],
  ['network_access', 'true', 'false'],
]

/** True if a value of a setting permits less than, or as much as, the one before. */
function isLess(key: string, before: unknown, after: unknown): boolean {
  const [, ...values] = ladders.find(([name]) => name === key) ?? []
  const [from, to] = [before, after].map((one) =>
    values.indexOf(typeof one === 'string' ? one : one === undefined ? '' : JSON.stringify(one)),
  )
  return from !== undefined && to !== undefined && from !== -1 && from <= to
}

/** True if settings permit no more than before: of what has changed, each part is known to permit less. */
function permitsLess(before: unknown, after: unknown, key = ''): boolean {
  if (JSON.stringify(before) === JSON.stringify(after)) return true
  if (refusing.has(key) || permitting.has(key)) {
    const [less, more] = (refusing.has(key) ? [before, after] : [after, before]).map((one): unknown => one ?? [])
    return (
      Array.isArray(less) && Array.isArray(more) && less.every((one) => typeof one === 'string' && more.includes(one))
    )
  }
  if (!isObject(before ?? {}) || !isObject(after ?? {})) return isLess(key, before, after)
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...was.keys(), ...is.keys()])].every((name) => permitsLess(was.get(name), is.get(name), name))
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (value: unknown) => new Map<string, unknown>(isObject(value) ? Object.entries(value) : [])

/** Reads JSON that has no comments; `undefined` for anything else. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A line of TOML that sets one value of a ladder. */
const setting = /^\s*(\w+)\s*=\s*(?:"([\w-]*)"|(true|false))\s*(?:#.*)?$/
const valuesIn = (text: string) =>
  text.split('\n').flatMap((line): [string, string][] => {
    const [, key, quoted, plain] = setting.exec(line) ?? []
    return line.trim() === '' ? [] : [[key ?? '', quoted ?? plain ?? '']]
  })

/** True for lines of TOML that set the value that permits least, wherever in the file they stand. */
function setsLeast(removed: string, added: string): boolean {
  const [before, after] = [valuesIn(removed), valuesIn(added)]
  return (
    before.length === after.length &&
    after.every(
      ([key, value], at) =>
        before[at]?.[0] === key &&
        ladders.find(([name]) => name === key)?.at(-1) === value &&
        isLess(key, before[at]?.[1], value),
    )
  )
}

/** True for a change of settings after which an agent may do less than before, and nothing else is other. */
export function isStricter(way: string, { removed, added, file: whole }: TextChange): boolean {
  if (added === '' && whole === undefined) return false
  if (editor.test(way)) return added.split('\n').every((line) => line.trim() === '' || stricter.test(line))
  if (way.endsWith('.toml')) return setsLeast(removed, added)
  const [old, made] = whole === undefined ? [] : [jsonOf(whole.before), jsonOf(whole.after)]
  if (old !== undefined && made !== undefined) return permitsLess(old, made)
  if (!file.test(way)) return false
  const [before, after] = [rulesIn(removed), rulesIn(added)]
  return (
    before.rest === after.rest &&
    after.rules.length > before.rules.length &&
    before.rules.every((rule) => after.rules.includes(rule))
  )
}
