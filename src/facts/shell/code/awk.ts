import { isShellName } from '../../programs/command-text.ts'
import { unknownPart } from '../../../model/shell.ts'
import type { CodeEnvironment } from './findings.ts'
import type { Findings } from './findings.ts'
import { isMark, slashes, type CodeToken, tokensOf } from './tokens.ts'
import { text } from './values.ts'

const awk = {
  blank: /[^\S\n]+|#[^\n]*|\n/y,
  name: /[A-Za-z_]\w*/y,
  strings: [{ open: /(?<mark>")/y }, slashes],
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
    if (token.newLine || isMark(token, ';', '{', '}')) prints = false
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
