import { descriptorOf } from '../../agents/registry.ts'
import type { ToolUse } from '../../model/event.ts'
import type { TouchedPath } from '../../model/shell.ts'
import { quoted } from '../../model/text.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { innerCodeOf } from './inner-code.ts'

/** Files from which agents take variables, in any folder. */
const variableFile = /(?:^|\/)\.env(?:rc|(?:\.(?:development|production|test))?(?:\.local)?)$/

/**
 * Says that a call writes a file of variables, or another that an agent reads at its start, and has a line with which one
 * of the agents does not ask hookgate. Where the line goes is not looked for: in a shell it may pass through any program.
 */
export function switchLine(
  tool: ToolUse,
  { paths, changes }: ToolFacts,
  agents: readonly string[],
): string | undefined {
  const text = () =>
    tool.command ?? (changes.length > 0 ? changes.map(({ added }) => added).join('\n') : JSON.stringify(tool.input))
  const named = innerCodeOf(agents).flatMap(({ line }) => {
    const at = line === undefined ? undefined : paths.find((path) => isWritten(path, line.file))
    return at !== undefined && line?.text.test(text()) === true ? [at] : []
  })[0]
  if (named !== undefined)
    return `${quoted(named.written)} would name code that an agent runs in its own process, where it can overrule hookgate`
  const written = paths.find((path) => isWritten(path, variableFile))
  return written === undefined ? undefined : variableLine(written.written, text(), agents)
}

function variableLine(file: string, text: string, agents: readonly string[]): string | undefined {
  for (const { title, variables } of agents.flatMap((name) => descriptorOf(name) ?? [])) {
    const rows = variables?.rows ?? []
    // An agent that takes none from a project reads them in no such file but its own, which self-protection keeps.
    if (!rows.some(({ from }) => from.includes('project'))) continue
    for (const { name, when = /./, does, from } of rows) {
      if (!from.some((one) => one === 'project' || one === 'user') || !text.includes(name)) continue
      const line = new RegExp(String.raw`(?:^|\W|\\n)${name}["']?\s*[=:]\s*\\?["']?([^\s"'\\;|&]*)`, 'g')
      if ([...text.matchAll(line)].some(([, value = '']) => value !== '' && when.test(value)))
        return `this would set ${name} in ${quoted(file)}, with which ${title} ${does}`
    }
  }
  return undefined
}

const isWritten = ({ access, written, absolute = written }: TouchedPath, file: RegExp) =>
  access === 'write' && file.test(absolute.replaceAll('\\', '/'))
