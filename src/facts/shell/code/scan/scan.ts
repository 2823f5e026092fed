import { codeLimits } from '../../../../model/limits.ts'
import { type CodeLanguage, unknownPart } from '../../../../model/shell.ts'
import { effectsByName, formatted } from '../effects.ts'
import { type CodeEnvironment, type Findings, newFindings } from '../findings.ts'
import { type Language, withHeredocs } from '../language.ts'
import { type CodeToken, isMark, isName, tokensOf } from '../tokens.ts'
import {
  combine,
  concatenated,
  either,
  elementOf,
  hasKind,
  itemsOf,
  joinPath,
  list,
  nameValue,
  unknown,
  type Value,
} from '../values.ts'
import { hasArrows, operand } from './calls.ts'
import {
  bind,
  canonicalName,
  declares,
  type EffectTables,
  peek,
  type Scanner,
  type ScannerParts,
  skip,
  startersIn,
} from './scanner.ts'

/**
 * Scans code for literals, and for the calls in its language's row. Arguments are followed through assignments, loops
 * and parameters; everything else is skipped. Syntax that is not understood does not stop the scan.
 */
export function scanCode(
  code: CodeLanguage,
  source: string,
  language: Language,
  findings: Findings,
  environment: CodeEnvironment,
): void {
  const shared = {
    tokens: preparedTokens(
      language.heredocs === undefined ? source : withHeredocs(source, language.heredocs),
      language,
    ),
    code,
    language,
    tables: tablesOf(language),
    environment,
    later: new Map<string, Value>(),
    functions: new Map<string, readonly string[]>(),
  }
  const scan = (into: Findings) => {
    const parts: ScannerParts = { expression, statement, embedded, stepsLeft: stepsMax }
    scanAll({ ...shared, findings: into, scope: new Map(), parts, depth: 0, at: 0 })
  }
  // A parameter's values come from calls after its use, and so may a loop's variable. A first scan collects them.
  if (bindsLater.test(source)) scan(newFindings())
  scan(findings)
}
/** Expressions to evaluate, including those in texts and repeated evaluations. */
export const stepsMax = 10_000

function preparedTokens(source: string, language: Language): readonly CodeToken[] {
  const tokens = tokensOf(source, language)
  return language.prepared?.(tokens) ?? tokens
}

const bindsLater = /\b(?:for|foreach|def|function|fn)\b/

const built = new WeakMap<Language, EffectTables>()

/** Returns a language's effects by name. Built on first use, since most processes never see most languages. */
function tablesOf(language: Language): EffectTables {
  const known = built.get(language)
  if (known !== undefined) return known
  const calls = effectsByName(language.calls)
  const tables = {
    calls,
    methods: effectsByName(language.methods ?? {}),
    methodsOfAny: effectsByName(language.methodsOfAny ?? {}),
    ...startersIn(calls),
  }
  built.set(language, tables)
  return tables
}

function scanAll(scanner: Scanner): Value {
  let last: Value = unknown
  while (scanner.at < scanner.tokens.length && scanner.parts.stepsLeft > 0) last = statement(scanner)
  if (scanner.parts.stepsLeft <= 0) scanner.findings.leftOut(tooMuch)
  return last
}

function embedded(code: string, scanner: Scanner): Value {
  const tokens = preparedTokens(code, scanner.language)
  scanner.parts.stepsLeft -= tokens.length
  return scanAll({ ...scanner, tokens, depth: scanner.depth + 1, at: 0 })
}

function statement(scanner: Scanner): Value {
  const start = scanner.at
  if (bindImports(scanner) || bindLoop(scanner)) return unknown
  noteFunction(scanner)
  const value = bindSeveral(scanner) ? unknown : expression(scanner)
  if (scanner.at === start) scanner.at++
  return value
}

function expression(scanner: Scanner): Value {
  const { parts } = scanner
  parts.stepsLeft--
  if (scanner.depth >= codeLimits.depthMax || parts.stepsLeft <= 0) {
    scanner.at = parts.stepsLeft <= 0 ? scanner.tokens.length : scanner.at + 1
    scanner.findings.leftOut(tooMuch)
    return unknown
  }
  scanner.depth++
  const value = operation(scanner)
  scanner.depth--
  return value
}

const tooMuch = 'its code is nested deeper, or does more, than is analyzed'

/** Operators whose value may be either side (`choices`), and operators whose right side is not part of the value. */
const choices = ['||', '??', '//', '&&', ':']
const comparisons = '== === != !== < > <= >= <=> =~ !~ - * << | & ^ **'.split(' ')

function operation(scanner: Scanner): Value {
  const { language, scope } = scanner
  const target = targetOf(scanner)
  let value = operand(scanner)
  let isTernary = false
  for (;;) {
    const token = peek(scanner)
    if (token === undefined || (language.lines === true && token.newLine && !isMark(token, '+', '..'))) return value
    if (target !== undefined && isMark(token, ...assignments)) {
      scanner.at++
      const assigned = expression(scanner)
      value = isMark(token, '+=', '.=') ? added(value, assigned) : assigned
      scope.set(target, value)
      return value
    }
    if (skip(scanner, ...language.concat)) value = added(value, operand(scanner))
    else if (isMark(token, '/')) {
      scanner.at++
      value = combine(value, operand(scanner), joinPath)
    } else if (skip(scanner, '%')) {
      const right = operand(scanner)
      value = formatted(value, hasKind(right, 'list') ? itemsOf(right) : [right])
    } else if (isMark(token, '=>') && hasArrows(scanner)) {
      scanner.at++
      expression(scanner)
      return unknown
    } else if (skip(scanner, '?')) {
      isTernary = true
      value = operand(scanner)
    } else if (isMark(token, ...comparisons) || isCondition(scanner, 'if')) {
      scanner.at++
      operand(scanner)
    } else if (
      (isMark(token, ...choices) && (isTernary || token.text !== ':')) ||
      isName(token, 'or') ||
      isCondition(scanner, 'else')
    ) {
      scanner.at++
      value = either(value, operand(scanner))
    } else return value
  }
}

const added = (left: Value, right: Value): Value =>
  hasKind(left, 'list') && hasKind(right, 'list')
    ? concatenated(left, right)
    : combine(left, right, (one, other) => one + other)

/** Recognises Python's `a if c else b`. In Perl and Ruby, an `if` there is a statement modifier. */
function isCondition(scanner: Scanner, word: string): boolean {
  const token = peek(scanner)
  return isName(token, word) && token?.newLine === false && scanner.language.bareCalls !== 'any'
}

/** Binds the names of a destructuring assignment, `a, b = 1, 2` or `const {a, b: c} = …`; false if there is none. */
function bindSeveral(scanner: Scanner): boolean {
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
function targetOf({ tokens, at }: Scanner): string | undefined {
  let place = at
  while (declares(tokens[place])) place++
  const token = tokens[place]
  return token?.kind === 'name' && isMark(tokens[place + 1], ...assignments) ? token.text : undefined
}

const assignments = ['=', ':=', '<-', '+=', '.=', '||=', '??=']

/** Reads the head of a loop, and binds its variables to the elements that it iterates over; false if there is no loop. */
function bindLoop(scanner: Scanner): boolean {
  if (!skip(scanner, 'for', 'foreach')) return false
  skip(scanner, 'await', 'each')
  const isOpen = skip(scanner, '(')
  while (declares(peek(scanner))) scanner.at++
  const start = scanner.at
  const names = variablesOf(scanner)
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
function noteFunction(scanner: Scanner): void {
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

/** Binds the names of `import` and `from … import` in Python and JavaScript; false if there is no such statement. */
function bindImports(scanner: Scanner): boolean {
  if (isName(peek(scanner), 'from') && scanner.language.adjacentTexts === true) return bindFromModule(scanner)
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

/** Binds the names of Python's `from … import`. */
function bindFromModule(scanner: Scanner): boolean {
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
