import type { Assignment, Command } from 'unbash'
import { type CodeLanguage, unknownPart } from '../../../model/shell.ts'
import type { Unwrap } from '../../programs/starts.ts'
import { type Context, type Expanded, expandedFrom, type Frame } from '../state/context.ts'
import { inSubshell } from '../state/join.ts'
import type { State } from '../state/state.ts'

/**
 * Corrects the syntax tree of `A=<(x) cmd`, where the parser takes the substitution for the program, not for `A`'s
 * value.
 */
export function withPrefixSubstitution(node: Command): Command {
  const last = node.prefix.at(-1)
  const { name } = node
  if (last?.type !== 'Assignment' || last.value.type !== 'Word' || name === undefined) return node
  if (last.value.text !== '' || last.end !== name.pos || !/^[<>]\(/.test(name.text)) return node
  const [first, ...args] = node.args
  if (first !== undefined && first.type !== 'Word') return node
  // The parser's nodes have getters, which a spread copy would lose, so the fields are listed.
  const { type, pos, text, name: variable, append, index } = last
  const assigned: Assignment = {
    type,
    pos,
    end: name.end,
    text: text + name.text,
    name: variable,
    value: name,
    append,
    index,
  }
  const { suffix, redirects } = node
  const prefix = [...node.prefix.slice(0, -1), assigned]
  return { type: node.type, pos: node.pos, end: node.end, suffix, redirects, prefix, args, name: first }
}

/** Returns true for a text that may be a program: a path whose last name, behind its last dot, has a letter. */
const isName = (text: string) =>
  /^[\w./]+$/.test(text) && /[a-z]/.test(text.slice(Math.max(text.lastIndexOf('.'), text.lastIndexOf('/')) + 1))

/** Also runs the arguments of an unknown program: in `$SUDO rm -rf x` it may expand to nothing, or to a wrapper. */
export function runAfterUnknownProgram(
  context: Context,
  state: State,
  frame: Frame,
  expanded: Expanded,
  index: number,
): void {
  const [first, second] = expanded.fields
  if (first?.word.value !== unknownPart || second === undefined) return
  // An unknown command of a wrapper such as `xargs` is certainly a program, since the wrapper would be useless without
  // one.
  if (frame.reach.at(-1)?.through === 'wrapper') return
  if (second.word.unresolved === true || !isName(second.word.value)) return
  const reach = { through: 'wrapper', program: '' } as const
  const within: Frame = { ...frame, reach: [...frame.reach, reach], startedBy: index, depth: frame.depth + 1 }
  const fields = expanded.fields.slice(1)
  const place = context.commands[index]?.place ?? expanded.place
  inSubshell(context, state, within, (sub, inside) =>
    context.words(expandedFrom(fields, place, expanded.assignments), sub, inside, true),
  )
}

const interpreters: readonly (readonly [RegExp, CodeLanguage])[] = [
  [/python|pypy/, 'python'],
  [/node|bun|deno/, 'javascript'],
  [/perl/, 'perl'],
  [/ruby/, 'ruby'],
  [/php/, 'php'],
  [/lua/, 'lua'],
  [/Rscript/, 'r'],
  [/pwsh|powershell/, 'powershell'],
]

/** Runs a script that the command itself has written before: `cat > x.sh <<E …`, then `./x.sh`. */
export const ownScript: Unwrap = ({ written, args }, starts) => {
  const content = written === undefined ? undefined : starts.content(written)
  if (written === undefined || content === undefined) return
  const [, interpreter] = /^#!(.*)/.exec(content.value) ?? []
  const language = interpreters.find(([name]) => interpreter !== undefined && name.test(interpreter))?.[1]
  if (language === undefined) starts.script(content, { parameters: [written, ...args] })
  else starts.code(language, content, { parameters: args })
}
