import { extname, basename, dirname, resolve } from 'node:path'
import { type Comment, type Options, Parser, type Program, type AnyNode } from 'acorn'
import { limits } from '../../../model/limits.ts'
import { printable, quoted } from '../../../model/text.ts'
import type { Problem, Place, PlaceOf } from '../../../model/errors.ts'
import { nodesOf, placeAt, problemAt, topLevelValues, nodeName, propertyName } from './nodes.ts'
import { stripTypes, tooDeep } from './strip-types.ts'
import { readFileSync } from 'node:fs'
import { realPath } from '../../../files/real-path.ts'
import type { Unreadable } from '../../../model/disk.ts'
import { isBelow } from '../../../words/machine-paths.ts'

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

/** Thrown for a source that declares more than `policyNamesMax` names. */
class TooManyNames extends Error {}

/**
 * Parses untrusted source with acorn.
 *
 * INVARIANT: the time is proportional to the source's length, whatever it declares.
 *
 * @throws SyntaxError with `pos`
 * @throws RangeError if it is nested too deeply
 * @throws TooManyNames
 */
function parseProgram(text: string, options: Options): Program {
  return LinearParser.parse(text, options)
}

/** Replaces acorn's arrays of a scope's names, which it searches for each new name: 64,000 names took 5 s. */
class Names {
  /** The first name, which acorn reads for a `catch` clause. */
  0: string | undefined
  readonly #names = new Set<string>()
  readonly #count: () => void

  constructor(count: () => void) {
    this.#count = count
  }

  push(name: string): void {
    this.#count()
    this[0] ??= name
    this.#names.add(name)
  }

  indexOf(name: string): number {
    return this.#names.has(name) ? 0 : -1
  }
}

/** The members of acorn's parser that plugins override, which its types omit. */
interface Scoped {
  readonly scopeStack: { var: Names; lexical: Names; functions: Names }[]
  enterScope(flags: number): void
}

/** Names that one file of a policy declares. A `var` counts once for each enclosing block, as parsers store it. */
export const policyNamesMax = 100_000

const LinearParser = Parser.extend((Base) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see `Scoped`
  const acorn = Base.prototype as unknown as Scoped
  return class extends Base {
    // No initial value: the first scope is entered while the parser is being constructed.
    declare names: number | undefined

    enterScope(this: Scoped & { names: number | undefined }, flags: number): void {
      acorn.enterScope.call(this, flags)
      const scope = this.scopeStack.at(-1)
      if (scope === undefined) return
      const count = () => {
        this.names = (this.names ?? 0) + 1
        if (this.names > policyNamesMax) throw new TooManyNames()
      }
      scope.var = new Names(count)
      scope.lexical = new Names(count)
      scope.functions = new Names(count)
    }
  }
})

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

/** Returns a function that finds parts of a policy's definition in its file. The file is parsed lazily. */
export function placesIn(file: string): PlaceOf {
  let module: ReturnType<typeof parseModule> | undefined
  const start = { file, line: 1, column: 1 }
  return (path) => {
    try {
      module ??= parseModule(readFileSync(file, 'utf8'), file)
    } catch {
      // The file was deleted after it was compiled.
      return start
    }
    return ('severity' in module ? undefined : placeInDefinition(module, path)) ?? start
  }
}

/**
 * Returns the place of a part of a policy's definition: of a key, or of an array element. If the part is not written
 * out, returns the place of its nearest ancestor that is; `undefined` if there is no default export.
 */
export function placeInDefinition(module: ParsedModule, path: readonly PropertyKey[]): Place | undefined {
  const exported = defaultValue(module.ast)
  if (exported === undefined) return undefined
  const call = written(exported, module.ast)
  let at = call.start
  let value = call.type === 'CallExpression' ? call.arguments[0] : call
  for (const step of path) {
    const part = value && partOf(written(value, module.ast), step)
    if (part === undefined) break
    at = part.at
    value = part.value
  }
  return placeAt(module, at)
}

/** Returns the node that is exported as `default`. */
export function defaultValue({ body }: Program): AnyNode | undefined {
  for (const node of body) {
    if (node.type === 'ExportDefaultDeclaration') return node.declaration
    if (node.type !== 'ExportNamedDeclaration') continue
    const named = node.specifiers.find(({ exported }) => nodeName(exported) === 'default')
    if (named !== undefined) return named.local
  }
  return undefined
}

/** Resolves an identifier to the value of the module's variable of that name; returns other nodes as they are. */
export function written(node: AnyNode, program: Program): AnyNode {
  return (node.type === 'Identifier' ? topLevelValues(program).get(node.name) : undefined) ?? node
}

interface DefinitionPart {
  readonly at: number
  readonly value: AnyNode
}

function partOf(node: AnyNode, step: PropertyKey): DefinitionPart | undefined {
  if (node.type === 'ArrayExpression') {
    const index = Number(step)
    const element = node.elements[index]
    // After a spread such as `...others` the indices of elements are not known.
    const counted = node.elements.slice(0, index + 1).every((one) => one?.type !== 'SpreadElement')
    return element && counted ? { at: element.start, value: element } : undefined
  }
  if (node.type !== 'ObjectExpression') return undefined
  // Of properties with the same name, the last one counts.
  const property = node.properties.findLast((one) => one.type === 'Property' && propertyName(one) === String(step))
  return property?.type === 'Property' ? { at: property.start, value: property.value } : undefined
}

/** Reads a file's text; returns `undefined` if there is no such file. */
export type ReadText = (path: string) => string | Unreadable | undefined

/** The target of an import, or the reason why it is refused, with the remedy. */
type ResolvedImport =
  | { readonly kind: 'library' }
  /** The coverage counters of instrumented code. */
  | { readonly kind: 'counters' }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'refused'; readonly message: string; readonly remedy: string }

export const libraryName = 'hookgate/policy'
export const countersName = 'hookgate:counters'
const extensions = ['.ts', '.js', '.mts', '.mjs']

/**
 * Resolves an import as Node does: relative to the importing file's real path, with the extension written out.
 *
 * INVARIANT: nothing outside the folder is read, whatever links lead there.
 */
export function resolveImport(
  specifier: string,
  importer: string,
  { folder, isInstrumented }: { readonly folder: string; readonly isInstrumented: boolean },
): ResolvedImport {
  if (specifier === libraryName) return { kind: 'library' }
  if (specifier === countersName && isInstrumented) return { kind: 'counters' }
  if (!/^\.\.?\//.test(specifier)) {
    const meant = specifier === 'hookgate' ? `write \`${libraryName}\`` : undefined
    const remedy = meant ?? `import \`${libraryName}\` and files by relative paths (\`./names.ts\`) only`
    return { kind: 'refused', message: `a policy cannot import ${quoted(specifier)}`, remedy }
  }
  // An import is a URL: Node would decode `%`, cut at `?` and `#`, and convert or drop the other characters.
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what this pattern is for
  if (/[%?#\\\u0000-\u001f]/.test(specifier)) {
    const message = `the path ${quoted(specifier)} has a character with a special meaning in an import`
    return { kind: 'refused', message, remedy: 'write a plain path, without `%`, `?`, `#` and `\\`' }
  }
  const file = resolve(dirname(realPath(importer)), specifier)
  if (!isBelow(file, folder) || !isBelow(realPath(file), folder)) {
    const message = `${quoted(specifier)} leads outside ${quoted(folder)}`
    return { kind: 'refused', message, remedy: 'move the file into that folder: a policy can use no other files' }
  }
  return { kind: 'file', file }
}

export const isModuleName = (file: string) => extensions.includes(extname(file))

/** Returns a remedy for a path without a file, if the same name exists with an extension or with another one. */
export function nearPath(specifier: string, file: string, readText: ReadText): string | undefined {
  const extension = extname(file)
  const stems = extension === '' || !isModuleName(file) ? [''] : ['', extension]
  for (const stem of stems.toReversed()) {
    for (const end of [...extensions, ...extensions.map((one) => `/index${one}`)]) {
      const candidate = `${stem === '' ? file : file.slice(0, -stem.length)}${end}`
      if (candidate === file || typeof readText(candidate) !== 'string') continue
      const bare = stem === '' ? specifier : specifier.slice(0, -stem.length)
      return `write ${quoted(`${bare.replace(/\/$/, '')}${end}`)}`
    }
  }
  return undefined
}

export function nameRemedy(file: string): string {
  return `name it ${quoted(`${basename(file, extname(file))}.ts`)} or ${quoted(`${basename(file, extname(file))}.js`)}`
}
