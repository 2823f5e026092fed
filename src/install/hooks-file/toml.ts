/**
 * What a TOML file says, as it is written: each value by its table and key, `features.hooks`. Only what stands on a line
 * of its own is seen, which is how switches are written.
 */
export function tomlLines(text: string): ReadonlyMap<string, string> {
  const said = new Map<string, string>()
  let table = ''
  for (const line of text.split('\n')) {
    const header = /^\s*\[([^[].*)\]\s*(?:#.*)?$/.exec(line)?.[1]
    if (header !== undefined) table = `${header.trim()}.`
    const [, key, value] = /^\s*([\w.-]+)\s*=\s*("[^"]*"|'[^']*'|[^#]*?)\s*(?:#.*)?$/.exec(line) ?? []
    if (key !== undefined && value !== undefined) said.set(`${table}${key}`, value)
  }
  return said
}
