/** A call of a tool as hooks get it: all values are texts. */
interface TextCall {
  readonly name: string
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * Finds the calls in a message of a model that writes them as tags: `<execute_command><command>ls</command>…`.
 *
 * A call without its end is none: Cline waits for the end, and a session that was cut off has none.
 */
export function callsInText(text: string, tools: ReadonlySet<string>): readonly TextCall[] {
  const calls: TextCall[] = []
  const opening = /<(\w+)>/g
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    const [whole, name = ''] = tag
    const from = tag.index + whole.length
    const end = tools.has(name) ? text.indexOf(`</${name}>`, from) : -1
    if (end < 0) continue
    calls.push({ name, parameters: parametersIn(text.slice(from, end)) })
    opening.lastIndex = end
  }
  return calls
}

/** The parameters that hold a file's text, which may itself have tags: they end with their last closing tag. */
const verbatim: ReadonlySet<string> = new Set(['content', 'diff'])

function parametersIn(text: string): Readonly<Record<string, string>> {
  const parameters: [string, string][] = []
  const opening = /<(\w+)>/g
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    const [whole, name = ''] = tag
    const from = tag.index + whole.length
    const closing = `</${name}>`
    const end = verbatim.has(name) ? text.lastIndexOf(closing) : text.indexOf(closing, from)
    if (end < from) continue
    const value = text.slice(from, end)
    parameters.push([name, verbatim.has(name) ? value.replace(/^\n/, '').replace(/\n$/, '') : value.trim()])
    opening.lastIndex = end
  }
  return Object.fromEntries(parameters)
}
