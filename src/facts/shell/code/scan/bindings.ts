import { isMark, isName } from '../tokens.ts'
import { unknownPart } from '../../../../model/shell.ts'
import { elementOf, list, nameValue, unknown, type Value } from '../values.ts'
import { bind, canonicalName, declares, peek, type Scanner, skip } from './scanner.ts'

/** Binds the names of a destructuring assignment: `a, b = 1, 2` or `const {a, b: c} = …`. */
export function bindSeveral(scanner: Scanner): boolean {
  const { tokens, scope } = scanner
  let at = scanner.at
  while (declares(tokens[at])) at++
  const braces = at > scanner.at && isMark(tokens[at], '{')
  const open = at > scanner.at && isMark(tokens[at], '{', '[', '(')
  if (open) at++
  const targets: { key: string; name: string }[] = []
  for (let token = tokens[at]; token?.kind === 'name'; token = tokens[at]) {
    const renamed = braces && isMark(tokens[at + 1], ':') ? tokens[at + 2] : undefined
    targets.push({ key: token.text, name: renamed?.kind === 'name' ? renamed.text : token.text })
    at += renamed === undefined ? 1 : 3
    if (!isMark(tokens[at], ',')) break
    at++
  }
  if (open && isMark(tokens[at], '}', ']', ')')) at++
  else if (targets.length < 2) return false
  if (!isMark(tokens[at], '=')) {
    // Names without an assignment have no effect, so the scan continues after them.
    if (!open) scanner.at = at - 1
    return false
  }
  scanner.at = at + 1
  const values = open ? [scanner.parts.expression(scanner)] : expressions(scanner)
  const [only = unknown] = values
  const [form] = only
  const parts = values.length === 1 && form?.kind === 'list' ? form.items : values
  for (const [place, { key, name }] of targets.entries()) {
    if (braces && form?.kind === 'name') scope.set(name, canonicalName(scanner, `${form.name}.${key}`))
    else if (braces) scope.set(name, form?.kind === 'map' ? (form.entries.get(key) ?? unknown) : unknown)
    else scope.set(name, parts[place] ?? unknown)
  }
  return true
}

/** Reads expressions separated by commas. */
function expressions(scanner: Scanner): readonly Value[] {
  const values = [scanner.parts.expression(scanner)]
  while (skip(scanner, ',')) values.push(scanner.parts.expression(scanner))
  return values
}

/** Returns the variable that an assignment sets: a single name before the operator. */
export function targetOf({ tokens, at }: Scanner): string | undefined {
  let place = at
  while (declares(tokens[place])) place++
  const token = tokens[place]
  return token?.kind === 'name' && isMark(tokens[place + 1], ...assignments) ? token.text : undefined
}

export const assignments = ['=', ':=', '<-', '+=', '.=', '||=', '??=']

/** Reads the head of a loop, and binds its variable to the elements it iterates over. */
export function bindLoop(scanner: Scanner): boolean {
  if (!skip(scanner, 'for', 'foreach')) return false
  skip(scanner, 'await', 'each')
  const isOpen = skip(scanner, '(')
  while (declares(peek(scanner))) scanner.at++
  const start = scanner.at
  const names = variablesOf(scanner)
  const { expression } = scanner.parts
  // A list follows perl's variable at once; a name before a bracket is a call, of PHP: `foreach (file("a") as $line)`.
  const isPerls = names[0]?.startsWith('$') === true && isMark(peek(scanner), '(')
  if (names.length > 0 && (skip(scanner, 'in', 'of') || isPerls)) {
    bindElements(scanner, names, expression(scanner))
    return true
  }
  scanner.at = start
  const values = isOpen ? expressions(scanner) : [expression(scanner)]
  const value = values.length === 1 ? (values[0] ?? unknown) : list(values)
  if (!skip(scanner, 'as')) bindElements(scanner, ['$_'], value)
  else {
    const [variable = ''] = variablesOf(scanner)
    bindElements(scanner, skip(scanner, '=>') ? variablesOf(scanner) : [variable], value)
  }
  return true
}

function variablesOf(scanner: Scanner): readonly string[] {
  const names: string[] = []
  skip(scanner, '[')
  for (let token = peek(scanner); token?.kind === 'name' && !isName(token, 'in', 'of', 'as'); token = peek(scanner)) {
    names.push(token.text)
    scanner.at++
    if (!skip(scanner, ',')) break
  }
  skip(scanner, ']')
  return names
}

function bindElements(scanner: Scanner, names: readonly string[], value: Value): void {
  const element = elementOf(value)
  const [form] = element
  for (const [at, name] of names.entries()) {
    const part = names.length > 1 && form?.kind === 'list' ? (form.items[at] ?? unknown) : element
    bind(scanner, name, part)
  }
}

/** Records the parameter names of `def f(a, b)` or `function f(a, b)`, so that calls can bind them. */
export function noteFunction(scanner: Scanner): void {
  const name = peek(scanner, 1)
  if (!isName(peek(scanner), 'def', 'function', 'fn') || name?.kind !== 'name' || !isMark(peek(scanner, 2), '(')) return
  const parameters: string[] = []
  let at = scanner.at + 3
  for (let token = scanner.tokens[at]; token?.kind === 'name'; token = scanner.tokens[at]) {
    parameters.push(token.text)
    at += isMark(scanner.tokens[at + 1], ',') ? 2 : 1
  }
  scanner.functions.set(name.text, parameters)
  // Skips the parameters: read as a call, the definition would bind the parameters to themselves.
  scanner.at = at
}

/** Binds the names of `import` and `from … import` in Python and JavaScript. */
export function bindImports(scanner: Scanner): boolean {
  if (isName(peek(scanner), 'from') && scanner.language.adjacentTexts === true) return fromModule(scanner)
  if (!isName(peek(scanner), 'import') || isMark(peek(scanner, 1), '(')) return false
  scanner.at++
  const bindings = bindingsOf(scanner)
  const isFrom = peek(scanner)?.newLine === false && skip(scanner, 'from')
  const source = peek(scanner)
  if (isFrom && source?.kind === 'string') {
    scanner.at++
    const module = source.parts.map((part) => (typeof part === 'string' ? part : unknownPart)).join('')
    for (const { from, to, isMember } of bindings)
      scanner.scope.set(to, canonicalName(scanner, isMember && from !== 'default' ? `${module}.${from}` : module))
    return true
  }
  for (const { from, to } of bindings) {
    const top = to.split('.')[0] ?? to
    scanner.scope.set(top, from === to ? nameValue(top) : canonicalName(scanner, from))
  }
  return true
}

interface Binding {
  readonly from: string
  readonly to: string
  /** The name is in braces, so it is a member of the module. */
  readonly isMember: boolean
}

/** Reads the names of an import: `a.b as c, d`, `* as a`, `a, { b as c }`. */
function bindingsOf(scanner: Scanner): readonly Binding[] {
  const bindings: Binding[] = []
  let isMember = false
  for (let token = peek(scanner); token !== undefined; token = peek(scanner)) {
    if (isMark(token, '{', '}')) isMember = isMark(token, '{')
    if (skip(scanner, '{', '}', ',')) continue
    const isStar = skip(scanner, '*')
    const from = isStar ? '*' : dottedName(scanner)
    if (from === '') break
    bindings.push({ from, to: skip(scanner, 'as') ? dottedName(scanner) : from, isMember })
    if (!isMark(peek(scanner), ',', '}')) break
  }
  return bindings
}

function fromModule(scanner: Scanner): boolean {
  scanner.at++
  const module = dottedName(scanner)
  if (!skip(scanner, 'import')) return false
  if (skip(scanner, '*')) {
    for (const name of scanner.tables.calls.keys())
      if (name.startsWith(`${module}.`)) scanner.scope.set(name.slice(module.length + 1), nameValue(name))
    return true
  }
  skip(scanner, '(')
  for (const { from, to } of bindingsOf(scanner)) scanner.scope.set(to, canonicalName(scanner, `${module}.${from}`))
  skip(scanner, ')')
  return true
}

/** Reads `a.b.c`; returns an empty string if the next token is no name. */
function dottedName(scanner: Scanner): string {
  let name = ''
  for (let token = peek(scanner); token?.kind === 'name' && !isName(token, 'from', 'as'); token = peek(scanner)) {
    name += token.text
    scanner.at++
    if (!skip(scanner, '.')) break
    name += '.'
  }
  return name
}
