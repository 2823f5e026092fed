import { isShellName } from '../../programs/command-text.ts'
import { unknownPart } from '../../../model/shell.ts'
import type { CodeEnvironment } from './findings.ts'
import type { Findings } from './findings.ts'
import { isMark, slashes, type CodeToken, tokensOf } from './tokens.ts'
import { text } from './values.ts'

const awk = {
  blank: /[^\S\n]+|#[^\n]*|\n/y,
  name: /[A-Za-z_]\w*/y,
  strings: [{ open: /(?<mark>")/y }, { ...slashes, behind: beginsPattern }],
}

/** Tells whether a slash behind a token begins a pattern: a pattern stands behind `}` too, where a rule begins. */
function beginsPattern(previous: CodeToken | undefined): boolean {
  if (previous?.kind === 'name') return /^(?:print|printf|return|in|getline|do|else)$/.test(previous.text)
  return previous === undefined || (previous.kind === 'mark' && !isMark(previous, ')', ']', '$'))
}

/** Tells whether a statement ends before a token: at a new line, unless what stands before it goes on there. */
const beginsStatement = (token: CodeToken, previous: CodeToken | undefined): boolean =>
  isMark(token, ';', '{', '}') || (token.newLine && !isMark(previous, ',', '&&', '||', '\\'))

/**
 * Tells whether a program only prints: it starts nothing, reads no command's output and no variable of the environment,
 * and writes no file. What may be read in two ways counts against it.
 */
export function onlyPrints(source: string): boolean {
  // These count wherever they stand: what looks like a text may be none.
  if (/\b(?:system|getline|fflush|close|extension|ENVIRON|SYMTAB|FUNCTAB)\b|@/.test(source)) return false
  const tokens = tokensOf(source, awk)
  let prints = false
  let depth = 0
  return tokens.every((token, at) => {
    const previous = tokens[at - 1]
    if (beginsStatement(token, previous)) prints = false
    if (token.kind === 'string') return token.quoted !== 'pattern' || isClearPattern(token, previous, tokens[at - 2])
    if (token.kind === 'name' && /^printf?$/.test(token.text)) {
      prints = true
      depth = 0
    }
    if (token.kind !== 'mark') return true
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    if (token.text === '\\') return tokens[at + 1]?.newLine === true
    if (token.text.includes('|')) return token.text === '||'
    if (token.text.startsWith('/')) return !token.newLine && !isMark(previous, ')')
    return !(prints && depth <= 0 && token.text.includes('>'))
  })
}

/** Tells whether a pattern is surely no division: behind `x++` it may be, and a slash in brackets ends it for some. */
function isClearPattern(
  token: CodeToken & { readonly kind: 'string' },
  previous: CodeToken | undefined,
  before: CodeToken | undefined,
): boolean {
  const written = textOf(token)
  const isStep = isMark(previous, '+', '-') && isMark(before, '+', '-')
  return !isStep && written.endsWith('/') && !written.slice(1, -1).replaceAll(/\\./g, '').includes('/')
}

/**
 * Finds the commands that awk starts by `system` and at the pipes of `print` and `getline`, and the files of its
 * redirections.
 */
export function scanAwk(source: string, findings: Findings, { stdin }: CodeEnvironment): void {
  const tokens = tokensOf(source, awk)
  const assigned = new Map<string, string>()
  let prints = false
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]
    const behind = () => textFrom(tokens, at + 1, assigned)
    if (beginsStatement(token, tokens[at - 1])) prints = false
    if (token.kind === 'string') {
      const [, net, , , host] = textOf(token).split('/')
      if (/^inet[46]?$/.test(net ?? '')) findings.network(text(host ?? ''))
    } else if (token.kind === 'name') {
      if (isMark(next, '=')) assigned.set(token.text, textFrom(tokens, at + 2, assigned))
      if (/^printf?$/.test(token.text)) prints = true
      if (token.text === 'system' && isMark(next, '(')) {
        const isLine = isMark(tokens[at + 2], '$') && tokens[at + 3]?.text === '0' && stdin !== undefined
        const lines =
          isLine && stdin.unresolved !== true ? stdin.value.split('\n') : [textFrom(tokens, at + 2, assigned)]
        for (const line of lines) findings.script(text(line))
      }
      if (token.text === 'getline') {
        // `getline line < file`: a variable may stand in between.
        const from = next?.kind === 'name' ? at + 2 : at + 1
        if (isMark(tokens[from], '<')) findings.path(text(textFrom(tokens, from + 1, assigned)), 'read')
      }
    } else if (isMark(token, '|', '|&')) {
      if (prints && isShellName(behind())) findings.script(text(textBefore(tokens, at, assigned)))
      else if (prints) findings.script(text(behind()))
      else if (next?.text === 'getline') findings.script(text(textBefore(tokens, at, assigned)))
    } else if (prints && isMark(token, '>', '>>')) {
      const file = behind()
      if (!file.startsWith('/dev/std')) findings.path(text(file), 'write')
    }
  }
}

const textOf = (token: CodeToken & { readonly kind: 'string' }): string => token.parts.map(String).join('')

/** Concatenates the adjacent operands from a token on: awk concatenates texts without an operator. */
function textFrom(tokens: readonly CodeToken[], from: number, assigned: ReadonlyMap<string, string>): string {
  let value = ''
  let at = isMark(tokens[from], '(') ? from + 1 : from
  const start = at
  for (let token = tokens[at]; token !== undefined; token = tokens[++at]) {
    if ((token.newLine && at > start) || (token.kind === 'mark' && token.text !== '$')) break
    if (token.kind === 'name' && /^(?:getline|print|printf|in)$/.test(token.text)) break
    value += wordOf(token, assigned)
  }
  return at === start ? unknownPart : value
}

function textBefore(tokens: readonly CodeToken[], pipe: number, assigned: ReadonlyMap<string, string>): string {
  let value = ''
  for (let at = pipe - 1; at >= 0; at--) {
    const token = tokens[at]
    if (token === undefined || (token.kind === 'mark' && !isMark(token, '$', ')'))) break
    if (token.kind === 'name' && /^printf?$/.test(token.text)) break
    value = wordOf(token, assigned) + value
  }
  return value === '' ? unknownPart : value
}

const wordOf = (token: CodeToken, assigned: ReadonlyMap<string, string>): string => {
  if (token.kind === 'string') return token.quoted === 'pattern' ? unknownPart : textOf(token)
  return token.kind === 'mark' ? '' : (assigned.get(token.text) ?? unknownPart)
}
