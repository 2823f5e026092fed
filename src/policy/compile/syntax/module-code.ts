import type { Program } from 'acorn'
import { nodesOf, topLevelValues } from './nodes.ts'
import type { ParsedModule } from './parse-module.ts'

/**
 * Returns the code that an isolate runs for a module: its text, and a last line that freezes all top-level values.
 *
 * INVARIANT: the author's code keeps its lines and columns.
 */
export function moduleCode(module: ParsedModule): string {
  const freeze = unusedName(module.ast)
  const names = [...topLevelValues(module.ast).keys()].join(',')
  return `${withoutDirectives(module)}\n;import{freeze as ${freeze}}from'hookgate:freeze';${freeze}(${names})`
}

function unusedName(ast: Program): string {
  const used = new Set<string>()
  for (const { node } of nodesOf(ast)) if (node.type === 'Identifier') used.add(node.name)
  let name = '$freeze'
  while (used.has(name)) name += '$'
  return name
}

/** Blanks the comments that an engine interprets: `#!` lines, and `//#` directives, which can rename the file. */
function withoutDirectives({ text, comments }: ParsedModule): string {
  let code = ''
  let at = 0
  for (const { type, start, end } of comments) {
    const isDirective = text.startsWith('#!', start) || /^\/\/[#@]/.test(text.slice(start, start + 3))
    if (type !== 'Line' || !isDirective) continue
    code += text.slice(at, start) + ' '.repeat(end - start)
    at = end
  }
  return code + text.slice(at)
}
