import type { ExportDefaultDeclaration } from 'acorn'
import type { CompiledModule } from '../../../model/policy.ts'
import type { ModuleInterface } from '../syntax/module-interface.ts'
import { nodesOf } from '../syntax/nodes.ts'
import type { ParsedModule } from '../syntax/parse-module.ts'

/** Where a request finds its exports: hookgate's library, or the module of that place. */
export type Target = 'library' | number

/** What of a module is neither in its text nor in its interface. */
interface Links {
  /** For each request. */
  readonly targets: readonly Target[]
  readonly exports: readonly FactoryExport[]
  readonly runs: CompiledModule['runs']
  /** What is frozen of one that is run once, besides its exports. */
  readonly kept: readonly string[]
}

/** What of a factory is the same whatever policy it is a part of, and all that is needed of its syntax tree. */
export interface FactoryBody {
  readonly file: string
  readonly names: Names
  /** The module, with what an arrow function cannot contain overwritten. */
  readonly text: string
}

export function bodyOf(module: ParsedModule): FactoryBody {
  const names = namesFor(module)
  return { file: module.file, names, text: rewritten(module, names) }
}

/**
 * Makes a module into `export default (library, modules, freeze) => exports`. The modules are those that it requests,
 * hookgate's library left out, so that its code is the same whatever policy it is a part of.
 *
 * INVARIANT: no line and no column of the author's code moves. One line is put before it, one behind it, and what an
 * arrow function cannot contain is overwritten in place.
 */
export function factoryOf(
  { file, names, text }: FactoryBody,
  { imports }: ModuleInterface,
  { targets, exports, runs, kept }: Links,
): CompiledModule {
  const taken = [...new Set(targets.filter((target) => target !== 'library'))]
  const from = (request: number) => {
    const target = targets[request] ?? 'library'
    return target === 'library' ? names.library : `${names.modules}[${taken.indexOf(target)}]`
  }
  const bindings = [...Map.groupBy(imports, ({ request }) => request)].map(([request, some]) => {
    const named = some.flatMap(({ name, local }) => (name === undefined ? [] : [`${JSON.stringify(name)}:${local}`]))
    const whole = some.flatMap(({ name, local }) => (name === undefined ? [`const ${local}=${from(request)};`] : []))
    return `${named.length === 0 ? '' : `const {${named.join(',')}}=${from(request)};`}${whole.join('')}`
  })
  const returned = exports.map(({ as, value }) => `${keyOf(as)}:${valueOf(value, names, from)}`)
  const frozen = runs === 'once' && kept.length > 0 ? `${names.freeze}?.([${kept.join(',')}]);` : ''
  const code = [
    `export default (${names.library},${names.modules},${names.freeze})=>{${bindings.join('')}`,
    text,
    `${frozen}return{__proto__:null${returned.map((one) => `,${one}`).join('')}}}`,
  ]
  return { file, code: code.join('\n'), imports: taken, runs }
}

export interface FactoryExport {
  readonly as: string
  readonly value:
    | { readonly kind: 'local'; readonly local: string }
    | { readonly kind: 'default' }
    | { readonly kind: 'taken'; readonly request: number; readonly name: string | undefined }
}

interface Names {
  readonly library: string
  readonly modules: string
  readonly freeze: string
  readonly default: string
}

function valueOf(value: FactoryExport['value'], names: Names, from: (request: number) => string): string {
  switch (value.kind) {
    case 'local':
      return value.local
    case 'default':
      return names.default
    case 'taken':
      return `${from(value.request)}${value.name === undefined ? '' : `[${JSON.stringify(value.name)}]`}`
  }
}

/** In an object literal, `__proto__` is a name only when it is computed. */
const keyOf = (name: string) => (name === '__proto__' ? `["__proto__"]` : JSON.stringify(name))

/** INVARIANT: names that stand nowhere in the source, however they are spelled there. */
function namesFor({ ast }: ParsedModule): Names {
  const taken = new Set<string>()
  for (const { node } of nodesOf(ast)) if (node.type === 'Identifier') taken.add(node.name)
  const free = (name: string) => {
    let candidate = name
    for (let count = 0; taken.has(candidate); count++) candidate = `${name}${count.toString(36)}`
    return candidate
  }
  // The last must fit into `export default`, with six characters at most.
  return { library: free('$library'), modules: free('$modules'), freeze: free('$freeze'), default: free('$d') }
}

interface Edit {
  readonly start: number
  readonly end: number
  /** What stands there instead, followed by blanks. */
  readonly lead: string
}

function rewritten(module: ParsedModule, names: Names): string {
  const edits = [...statementEdits(module, names), ...commentEdits(module)].toSorted((a, b) => a.start - b.start)
  let text = ''
  let at = 0
  for (const { start, end, lead } of edits) {
    // A comment within a statement that is overwritten is gone with it.
    if (start < at) continue
    text += module.text.slice(at, start) + overwritten(module.text.slice(start, end), lead)
    at = end
  }
  return text + module.text.slice(at)
}

function* statementEdits({ ast, text }: ParsedModule, names: Names): Generator<Edit> {
  for (const node of ast.body) {
    const { start, end } = node
    // Each leads with a semicolon: a statement before it may have ended only because `import` or `export` followed.
    if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') yield { start, end, lead: ';' }
    else if (node.type === 'ExportNamedDeclaration') {
      yield { start, end: node.declaration ? start + 'export'.length : end, lead: ';' }
    } else if (node.type === 'ExportDefaultDeclaration') yield defaultEdit(node, text, names)
  }
}

function defaultEdit({ start, declaration }: ExportDefaultDeclaration, text: string, names: Names): Edit {
  const keyword = afterBlanks(text, start + 'export'.length) + 'default'.length
  if (declaration.type === 'ClassDeclaration') {
    if (declaration.id !== null) return { start, end: keyword, lead: ';' }
    return { start, end: declaration.start + 'class'.length, lead: `;class ${names.default}` }
  }
  if (declaration.type === 'FunctionDeclaration') {
    if (declaration.id !== null) return { start, end: keyword, lead: ';' }
    const end = declaration.start + 'function'.length
    if (!declaration.generator) return { start, end, lead: `;function ${names.default}` }
    return { start, end: afterBlanks(text, end) + 1, lead: `;function*${names.default}` }
  }
  return { start, end: keyword, lead: `;const ${names.default}=` }
}

/** Where the next token begins. */
function afterBlanks(text: string, start: number): number {
  const blanks = /(?:\s|\/\/.*|\/\*[^]*?\*\/)*/y
  blanks.lastIndex = start
  blanks.test(text)
  return blanks.lastIndex
}

/** Comments that a JavaScript engine obeys: the first line of a script, and what gives the file another name. */
function* commentEdits({ text, comments }: ParsedModule): Generator<Edit> {
  for (const { type, start, end } of comments) {
    const marked = text.startsWith('#!', start) || /^\/\/[#@]/.test(text.slice(start, start + 3))
    if (type === 'Line' && marked) yield { start, end, lead: '' }
  }
}

/** Blanks with the same line ends; the lead may lengthen a line only where nothing else of the line follows. */
function overwritten(text: string, lead: string): string {
  const blank = text.replaceAll(/[^\n\r\u2028\u2029]/g, ' ')
  const firstLine = /^ */.exec(blank)?.[0].length ?? 0
  return lead.padEnd(firstLine) + blank.slice(firstLine)
}
