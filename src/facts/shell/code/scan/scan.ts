import { codeLimits } from '../../../../model/limits.ts'
import type { CodeLanguage } from '../../../../model/shell.ts'
import { effectsByName, formatted } from '../effects.ts'
import type { CodeEnvironment } from '../findings.ts'
import { type Findings, newFindings } from '../findings.ts'
import { type Language, withHeredocs } from '../language.ts'
import { type CodeToken, isMark, isName, tokensOf } from '../tokens.ts'
import { combine, concatenated, either, hasKind, itemsOf, joinPath, unknown, type Value } from '../values.ts'
import { assignments, bindImports, bindLoop, bindSeveral, noteFunction, targetOf } from './bindings.ts'
import { hasArrows } from './calls.ts'
import { type EffectTables, peek, type Scanner, type ScannerParts, skip, startersIn } from './scanner.ts'
import { operand } from './operands.ts'

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
