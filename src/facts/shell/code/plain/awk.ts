import { unknownPart } from '../../../../model/shell.ts'
import type { Found } from '../found.ts'
import type { CodeSurroundings } from '../recognised.ts'
import { between } from '../strings.ts'
import { text } from '../value.ts'

interface Piece {
  readonly kind: 'string' | 'name' | 'mark'
  readonly text: string
}

/** awk starts what it is given by `system`, and what stands at a pipe of `print` or `getline`. */
export function recogniseAwk(source: string, found: Found, { stdin: given }: CodeSurroundings): void {
  const stdin = given?.unresolved === true ? undefined : given?.value
  const pieces = piecesOf(source)
  const assigned = new Map<string, string>()
  const isMark = (at: number, mark: string): boolean => pieces[at]?.kind === 'mark' && pieces[at]?.text === mark
  /** The texts that stand beside each other from here on, and where they end. */
  const textFrom = (from: number): { readonly value: string; readonly end: number } => {
    let value = ''
    let at = from
    for (; at < pieces.length; at++) {
      const piece = pieces[at]
      if (piece === undefined || (piece.kind === 'mark' && piece.text !== '$')) break
      if (piece.kind === 'string') value += piece.text
      else if (piece.kind === 'name' && /^(?:getline|print|printf|in)$/.test(piece.text)) break
      else value += piece.kind === 'mark' ? '' : (assigned.get(piece.text) ?? unknownPart)
    }
    return { value: at === from ? unknownPart : value, end: at }
  }
  let output = false
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at]
    if (piece?.kind === 'mark' && /^[;{}\n]$/.test(piece.text)) output = false
    if (piece?.kind === 'name' && isMark(at + 1, '=') && !isMark(at + 2, '=')) {
      const { value } = textFrom(at + 2)
      assigned.set(piece.text, value)
    }
    if (piece?.kind === 'name' && /^printf?$/.test(piece.text)) output = true
    if (piece?.kind === 'name' && piece.text === 'system' && isMark(at + 1, '('))
      if (pieces[at + 2]?.text === '$' && pieces[at + 3]?.text === '0' && stdin !== undefined)
        for (const line of stdin.split('\n')) found.script(text(line))
      else found.script(text(textFrom(at + 2).value))
    if (piece?.kind === 'mark' && (piece.text === '|' || piece.text === '|&')) {
      if (output) found.script(text(textFrom(at + 1).value))
      else if (pieces[at + 1]?.text === 'getline') found.script(text(textBefore(pieces, at, assigned)))
    }
    if (output && piece?.kind === 'mark' && /^>>?$/.test(piece.text)) {
      const { value } = textFrom(at + 1)
      if (!value.startsWith('/dev/std')) found.path(text(value), 'write')
    }
    if (piece?.kind === 'name' && piece.text === 'getline' && isMark(at + 1, '<'))
      found.path(text(textFrom(at + 2).value), 'read')
    if (piece?.kind === 'string' && /^\/inet[46]?\//.test(piece.text))
      found.network(text(piece.text.split('/')[4] ?? ''))
  }
}

function textBefore(pieces: readonly Piece[], pipe: number, assigned: ReadonlyMap<string, string>): string {
  let value = ''
  for (let at = pipe - 1; at >= 0; at--) {
    const piece = pieces[at]
    if (piece === undefined || (piece.kind === 'mark' && piece.text !== '$' && piece.text !== ')')) break
    if (piece.kind === 'string') value = piece.text + value
    else if (piece.kind === 'name') value = (assigned.get(piece.text) ?? unknownPart) + value
  }
  return value === '' ? unknownPart : value
}

function piecesOf(source: string): readonly Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < source.length;) {
    const char = source.charAt(at)
    if (char === '#') at = lineEnd(source, at)
    else if (char === '"') {
      const read = between(source, at + 1, { close: '"', escapes: 'c' })
      pieces.push({ kind: 'string', text: read.parts.map(String).join('') })
      at = read.end
    } else if (
      char === '/' &&
      /^(?:|[({,;!~&|\n])$/.test(
        pieces.at(-1)?.kind === 'mark' || pieces.length === 0 ? (pieces.at(-1)?.text ?? '') : 'x',
      )
    ) {
      const end = /^\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])*\//.exec(source.slice(at))?.[0].length ?? 1
      at += end
    } else {
      nameAt.lastIndex = at
      const name = nameAt.exec(source)?.[0]
      const mark =
        name ??
        (source.startsWith('>>', at) || source.startsWith('|&', at) || source.startsWith('||', at)
          ? source.slice(at, at + 2)
          : char)
      if (name !== undefined) pieces.push({ kind: 'name', text: name })
      else if (!/[ \t]/.test(char)) pieces.push({ kind: 'mark', text: mark })
      at += mark.length
    }
  }
  return pieces
}
const nameAt = /[A-Za-z_]\w*/y

const lineEnd = (source: string, at: number): number => {
  const end = source.indexOf('\n', at)
  return end === -1 ? source.length : end
}
