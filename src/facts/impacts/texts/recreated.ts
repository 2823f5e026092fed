/** Finds what SQL drops only to create it again under the same name: as a change of a view or a trigger is written. */

const name = String.raw`(?:"[^"]*"|\`[^\`]*\`|\[[^\]]*\]|[\w$]+)(?:\.(?:"[^"]*"|\`[^\`]*\`|\[[^\]]*\]|[\w$]+)){0,2}`
const kinds = 'VIEW|INDEX|FUNCTION|PROCEDURE|TRIGGER|POLICY|RULE|TYPE|EVENT'
const keys = String.raw`CONSTRAINT|INDEX|KEY|FOREIGN\s+KEY|CHECK`

/** A statement that drops one object, and nothing that depends on it. */
const drop = new RegExp(
  String.raw`^\s*DROP\s+(?:MATERIALIZED\s+)?(${kinds})\s+(?:CONCURRENTLY\s+)?(?:IF\s+EXISTS\s+)?(${name})\s*(?:\([^()]*\)\s*)?(?:ON\s+(${name})\s*)?(?:RESTRICT\s*)?$`,
  'i',
)
const create = new RegExp(
  String.raw`^\s*CREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:\w+\s+){0,3}?(${kinds})\s+(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?(${name})`,
  'i',
)
const table = new RegExp(String.raw`^\s*ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?(${name})\s`, 'i')
const droppedKeys = () => new RegExp(String.raw`\bDROP\s+(?:(?:${keys})\s+)?(?:IF\s+EXISTS\s+)?(${name})`, 'gi')
const addedKeys = () =>
  new RegExp(String.raw`\bADD\s+(?:UNIQUE\s+|FULLTEXT\s+)?(?:${keys})\s+(?:IF\s+NOT\s+EXISTS\s+)?(${name})`, 'gi')
const tables = () => new RegExp(String.raw`\bON\s+(${name})`, 'gi')

const plain = (written = '') =>
  written
    .replaceAll(/["`[\]]/g, '')
    .toLowerCase()
    .replace(/^(?:public|dbo)\./, '')
const all = (pattern: RegExp, text: string): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found]) => plain(found))
const keyOf = (kind: string, owner: string, object: string) => [kind.toUpperCase(), owner, object].join(' ')

/** Returns what a statement drops; nothing if it drops more than these, or what depends on them as well. */
function dropsOf(statement: string): readonly string[] {
  const [, kind, object, on] = drop.exec(statement) ?? []
  if (kind !== undefined) return [keyOf(kind, plain(on), plain(object))]
  const [, altered] = table.exec(statement) ?? []
  return altered === undefined ||
    /\bCASCADE\b/i.test(statement.replaceAll(/\bON\s+(?:DELETE|UPDATE)\s+CASCADE\b/gi, ''))
    ? []
    : all(droppedKeys(), statement).map((one) => keyOf('KEY', plain(altered), one))
}

function createsOf(statement: string): readonly string[] {
  const [, kind, object] = create.exec(statement) ?? []
  if (kind !== undefined) return ['', ...all(tables(), statement)].map((owner) => keyOf(kind, owner, plain(object)))
  const [, altered] = table.exec(statement) ?? []
  return altered === undefined ? [] : all(addedKeys(), statement).map((one) => keyOf('KEY', plain(altered), one))
}

/**
 * Returns a check of statements: true for one that drops only what the same SQL creates again after it.
 *
 * @param code without comments
 * @param split into statements
 */
export function recreatedIn(code: string, split: (code: string) => readonly string[]): (statement: string) => boolean {
  const bodies = /\$(\w*)\$([\s\S]*?)\$\1\$/g
  // What a body or a text drops, or creates, may never run.
  if ([...code.matchAll(bodies)].some(([, , body = '']) => /\bDROP\b/i.test(body))) return () => false
  if ([...code.matchAll(/"[^"]*"/g)].some(([found]) => found.includes(';'))) return () => false
  const dropped = new Map<string, number>()
  const created = new Map<string, number>()
  for (const [at, statement] of split(code.replace(bodies, ' ').replace(/'(?:[^']|'')*'/g, "''")).entries()) {
    for (const key of dropsOf(statement)) dropped.set(key, at)
    for (const key of createsOf(statement)) created.set(key, at)
  }
  return (statement) => {
    const own = dropsOf(statement)
    return own.length > 0 && own.every((key) => (created.get(key) ?? -1) >= (dropped.get(key) ?? Infinity))
  }
}
