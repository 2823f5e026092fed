import type { Comment, Program } from 'acorn'
import { extname } from 'node:path'
import { limits } from '../../../model/limits.ts'
import { printable } from '../../../model/text.ts'
import type { Problem } from '../../../model/problem.ts'
import { parseProgram, TooManyNames } from './linear-parser.ts'
import { placeAt, problemAt } from './problem-at.ts'
import { stripTypes, tooDeep } from './strip-types.ts'

/** A module parsed as JavaScript. Offsets are those of the source, without its byte order mark. */
export interface ParsedModule {
  readonly file: string
  /** The source, with its types blanked. */
  readonly text: string
  readonly ast: Program
  readonly comments: readonly Comment[]
}

/** Parses a module, as JavaScript or TypeScript by its file's extension, without running it. */
export function parseModule(source: string, file: string): ParsedModule | Problem {
  if (Buffer.byteLength(source) > limits.policyFileBytesMax) {
    const message = `it is larger than ${limits.policyFileBytesMax} bytes`
    return { severity: 'error', place: { file, line: 1, column: 1 }, message, remedy: 'split it into several files' }
  }
  const unmarked = source.startsWith('\ufeff') ? source.slice(1) : source
  const text = ['.ts', '.mts'].includes(extname(file)) ? stripTypes(unmarked, file) : unmarked
  if (typeof text !== 'string') return text
  const comments: Comment[] = []
  try {
    const ast = parseProgram(text, { ecmaVersion: 'latest', sourceType: 'module', onComment: comments })
    return { file, text, ast, comments }
  } catch (error) {
    return unparsed(error, { file, text })
  }
}

function unparsed(error: unknown, source: { file: string; text: string }): Problem {
  const place = { file: source.file, line: 1, column: 1 }
  if (error instanceof RangeError) return tooDeep(place)
  if (error instanceof TooManyNames) {
    const message = 'it declares too many names, or uses `var` in too many nested blocks'
    return { severity: 'error', place, message, remedy: 'put them into a table' }
  }
  if (!(error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number')) throw error
  // Acorn reports a stack overflow as a syntax error with this message.
  if (error.message.startsWith('Not enough stack space')) return tooDeep(placeAt(source, error.pos))
  const said = printable(error.message.replace(/ \(\d+:\d+\)$/, ''))
  return problemAt(source, error.pos, `it is not JavaScript: ${said.charAt(0).toLowerCase()}${said.slice(1)}`)
}
