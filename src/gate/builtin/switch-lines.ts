import { descriptorOf } from '../../agents/registry.ts'
import type { ToolUse } from '../../model/event.ts'
import type { TouchedPath } from '../../model/shell.ts'
import { quoted } from '../../model/text.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'

/** Files from which agents take variables, in any folder. */
const variableFile = /(?:^|\/)\.env(?:\.local|rc)?$/

/**
 * Says that a call writes a file of variables, and has a line with which one of the agents does not ask hookgate. Where
 * the line goes is not looked for: in a shell it may pass through any program.
 */
export function switchLine(
  tool: ToolUse,
  { paths, changes }: ToolFacts,
  agents: readonly string[],
): string | undefined {
  const written = paths.find(isVariableFile)
  if (written === undefined) return undefined
  const text =
    tool.command ?? (changes.length > 0 ? changes.map(({ added }) => added).join('\n') : JSON.stringify(tool.input))
  for (const { title, variables } of agents.flatMap((name) => descriptorOf(name) ?? [])) {
    for (const { name, when = /./, does, from } of variables?.rows ?? []) {
      if (!from.some((one) => one === 'project' || one === 'user') || !text.includes(name)) continue
      const line = new RegExp(String.raw`(?:^|\W|\\n)${name}["']?\s*[=:]\s*\\?["']?([^\s"'\\;|&]*)`, 'g')
      if ([...text.matchAll(line)].some(([, value = '']) => value !== '' && when.test(value)))
        return `this would set ${name} in ${quoted(written.written)}, with which ${title} ${does}`
    }
  }
  return undefined
}

const isVariableFile = ({ access, written, absolute = written }: TouchedPath) =>
  access === 'write' && variableFile.test(absolute.replaceAll('\\', '/'))
