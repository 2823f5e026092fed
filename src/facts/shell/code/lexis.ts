import { beginsOperand, between, bracketed, delimiters } from './strings.ts'
import type { Lexis, StringRead, Token } from './tokens.ts'

const sticky = (expression: RegExp, source: string, at: number): RegExpExecArray | null => {
  expression.lastIndex = at
  return expression.exec(source)
}

/** `f'{name}'`: what stands behind a colon or an exclamation mark says how to write it. */
function pythonCode(source: string, at: number) {
  if (source.charAt(at) !== '{' || source.charAt(at + 1) === '{') return undefined
  const { code, end } = bracketed(source, at + 1, '{', '}')
  return { code: code.replace(/(?:![rsa])?(?::[^'"\])}]*)?$/, ''), end }
}

const pythonString = /([rRbBuUfF]{0,2})('''|"""|'|")/y
export const python: Lexis = {
  blank: /\s+|#[^\n]*|\\\n/y,
  name: /[A-Za-z_]\w*/y,
  string: (source, at) => {
    const found = sticky(pythonString, source, at)
    if (found?.[2] === undefined) return undefined
    const flags = found[1]?.toLowerCase() ?? ''
    return between(source, at + found[0].length, {
      close: found[2],
      escapes: flags.includes('r') ? 'none' : 'c',
      ...(flags.includes('f') && { code: pythonCode }),
    })
  },
}

const dollarBrace = (source: string, at: number) =>
  source.startsWith('${', at) ? bracketed(source, at + 2, '{', '}') : undefined

const slashes = (source: string, at: number, previous: Token | undefined): StringRead | undefined => {
  if (source.charAt(at) !== '/' || !beginsOperand(previous)) return undefined
  const end = sticky(/\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y, source, at)
  return end === null ? undefined : { parts: [end[0]], quoted: 'pattern', end: at + end[0].length }
}

export const javascript: Lexis = {
  blank: /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#![^\n]*/y,
  name: /[A-Za-z_$][\w$]*|#\w+/y,
  string: (source, at, previous) => {
    const char = source.charAt(at)
    if (char === '`') return between(source, at + 1, { close: '`', escapes: 'c', code: dollarBrace })
    if (char === "'" || char === '"') return between(source, at + 1, { close: char, escapes: 'c' })
    return slashes(source, at, previous)
  },
}

/** `#{…}` of ruby. */
const hashBrace = (source: string, at: number) =>
  source.startsWith('#{', at) ? bracketed(source, at + 2, '{', '}') : undefined

/** `<<~EOS`, `<<'EOS'`, `<<<EOT`: the text is in the lines behind this one. */
function hereDocument(source: string, at: number, opening: RegExp, code: typeof hashBrace): StringRead | undefined {
  const found = sticky(opening, source, at)
  const [, squiggle = '', quote = '', tag] = found ?? []
  if (found === null || tag === undefined) return undefined
  const from = source.indexOf('\n', at)
  if (from === -1) return undefined
  const end = new RegExp(`^[ \\t]*${tag}\\b`, 'm')
  const behind = source.slice(from + 1)
  const close = end.exec(behind)
  const body = behind.slice(0, close?.index)
  const flat = squiggle === '~' ? body.replaceAll(/^[ \t]+/gm, '') : body
  const parts = quote === "'" ? [flat] : between(flat, 0, { close: '\0', escapes: 'c', code }).parts
  // The rest of the line is let go, so that no line of the text is taken for code.
  const length = close === null ? behind.length : close.index + close[0].length
  return { parts, quoted: quote === '`' ? 'command' : 'text', end: from + 1 + length }
}

export const ruby: Lexis = {
  blank: /[^\S\n]+|\n=begin\b[\s\S]*?(?:\n=end\b[^\n]*|$)|\n|#[^\n]*|\\\n|__END__[\s\S]*/y,
  name: /@{0,2}[A-Za-z_]\w*[?!]?(?!=[^=~>])|@{0,2}[A-Za-z_]\w*|\$\w+/y,
  string: (source, at, previous) => {
    const char = source.charAt(at)
    if (char === "'") return between(source, at + 1, { close: "'", escapes: 'quote' })
    if (char === '"') return between(source, at + 1, { close: '"', escapes: 'c', code: hashBrace })
    if (char === '`') return between(source, at + 1, { close: '`', escapes: 'c', code: hashBrace, quoted: 'command' })
    const symbol = sticky(/:([A-Za-z_]\w*[?!]?)/y, source, at)
    if (symbol?.[1] !== undefined && source.charAt(at - 1) !== ':' && beginsSymbol(previous)) {
      return { parts: [symbol[1]], quoted: 'text', end: at + symbol[0].length }
    }
    const percent = sticky(/%([qQwWxiIrs]?)([^\s\w=])/y, source, at)
    const isArgument =
      previous?.kind === 'name' && /\s/.test(source.charAt(at - 1)) && /^%[qQwWxiI]\W/.test(source.slice(at, at + 3))
    if (percent?.[2] !== undefined && (isArgument || beginsOperand(previous))) {
      const [, letter = ''] = percent
      const plain = 'qwis'.includes(letter) && letter !== ''
      return between(source, at + percent[0].length, {
        ...delimiters(percent[2]),
        escapes: plain ? 'quote' : 'c',
        ...(!plain && { code: hashBrace }),
        quoted: letter === 'x' ? 'command' : letter === 'r' ? 'pattern' : /[wWiI]/.test(letter) ? 'words' : 'text',
      })
    }
    return hereDocument(source, at, /<<([~-]?)(['"`]?)([A-Z_]\w*)\2/y, hashBrace) ?? slashes(source, at, previous)
  },
}
const beginsSymbol = (previous: Token | undefined): boolean => previous?.kind !== 'mark' || previous.text !== '?'

/** A variable in a text of perl: `$name`, `${name}`, `$ENV{HOME}`, `$x->{y}`, `@{[ … ]}`. */
function perlCode(source: string, at: number) {
  if (source.startsWith('@{[', at)) {
    const close = source.indexOf(']}', at + 3)
    return close === -1 ? undefined : { code: source.slice(at + 3, close), end: close + 2 }
  }
  const found = sticky(/[$@]\{\s*(\w+)\s*\}|[$@](?:\w|::(?=\w))+/y, source, at)
  if (found === null) return undefined
  let end = at + found[0].length
  if (found[1] !== undefined) return { code: `${source.charAt(at)}${found[1]}`, end }
  for (;;) {
    const open = source.startsWith('->', end) ? end + 2 : end
    const opening = source.charAt(open)
    const behind = opening === '[' || opening === '{' ? source.indexOf(delimiters(opening).close, open + 1) : -1
    if (behind === -1) return { code: source.slice(at, end), end }
    end = behind + 1
  }
}

const perlQuote = /(?<![\w$@%&>{])(q|qq|qw|qx|qr|m|s|tr|y)(?:\s*([^\s\w,;=)#])|\s+([^\s\w,;=)#]))/y
export const perl: Lexis = {
  blank: /[^\S\n]+|(?:^|\n)=[a-z]\w*\b[\s\S]*?(?:\n=cut\b[^\n]*|$)|\n|#[^\n]*|\b__(?:END|DATA)__\b[\s\S]*/y,
  name: /[$@%&]\${0,2}(?:\w|::(?=\w))+|\$[!@&_,;./\\0]|[A-Za-z_](?:\w|::(?=\w))*/y,
  string: (source, at, previous) => {
    const char = source.charAt(at)
    if (char === "'") return between(source, at + 1, { close: "'", escapes: 'quote' })
    if (char === '"') return between(source, at + 1, { close: '"', escapes: 'c', code: perlCode })
    if (char === '`') return between(source, at + 1, { close: '`', escapes: 'c', code: perlCode, quoted: 'command' })
    const quote = sticky(perlQuote, source, at)
    const opening = quote?.[2] ?? quote?.[3]
    const isKey = previous?.text === '->' || (previous?.text === '{' && /^\w+\s*\}/.test(source.slice(at, at + 8)))
    if (quote?.[1] !== undefined && opening !== undefined && !isKey && !/^\w+\s*=>/.test(source.slice(at, at + 8))) {
      return perlQuoted(source, at + quote[0].length, quote[1], opening)
    }
    const glob = sticky(/<([^<>\s=]*)>/y, source, at)
    if (glob?.[1] !== undefined && /[*?./~]/.test(glob[1]) && (beginsOperand(previous) || isBareWord(previous))) {
      return { parts: [glob[1]], quoted: 'text', end: at + glob[0].length }
    }
    return hereDocument(source, at, /<<([~-]?)(['"`]?)([A-Z_]\w*)\2/y, perlCode) ?? slashes(source, at, previous)
  },
}

/** `unlink <*.log>`: what stands behind a name that is no variable is compared with nothing. */
const isBareWord = (previous: Token | undefined): boolean => previous?.kind === 'name' && /^\w/.test(previous.text)

function perlQuoted(source: string, from: number, operator: string, opening: string): StringRead {
  const marks = delimiters(opening)
  const plain = operator === 'q' || operator === 'qw' || opening === "'"
  const first = between(source, from, {
    ...marks,
    escapes: plain ? 'quote' : 'c',
    ...(!plain && (operator === 'qq' || operator === 'qx') && { code: perlCode }),
    quoted:
      operator === 'qx'
        ? 'command'
        : operator === 'qw'
          ? 'words'
          : operator.startsWith('q') && operator !== 'qr'
            ? 'text'
            : 'pattern',
  })
  if (operator !== 's' && operator !== 'tr' && operator !== 'y') return first
  // The second part, with delimiters of its own where the first had brackets. `s///e` runs it.
  const bracket = marks.close !== opening
  const start = bracket ? source.slice(first.end).search(/\S/) + first.end : first.end
  const second = between(source, bracket ? start + 1 : start, {
    ...(bracket ? delimiters(source.charAt(start)) : marks),
    escapes: 'quote',
  })
  const flags = /^[a-z]*/.exec(source.slice(second.end))?.[0] ?? ''
  const code = second.parts.map((part) => (typeof part === 'string' ? part : part.code)).join('')
  const parts = operator === 's' && flags.includes('e') ? [{ code }] : ['']
  return { parts, quoted: 'pattern', end: second.end + flags.length }
}

/** A variable in a text of php: `$name`, `{$name}`, `${name}`, `$a[key]`, `$a->b`. */
function phpCode(source: string, at: number) {
  if (source.startsWith('{$', at)) return bracketed(source, at + 1, '{', '}')
  const found = sticky(/\$\{(\w+)\}|\$[A-Za-z_]\w*(?:\[[^\]]{0,128}\]|->\w+)?/y, source, at)
  if (found === null) return undefined
  const key = /^(\$\w+)\[([A-Za-z_]\w*)\]$/.exec(found[0])
  const code = key === null ? (found[1] === undefined ? found[0] : `$${found[1]}`) : `${key[1]}['${key[2]}']`
  return { code, end: at + found[0].length }
}

export const php: Lexis = {
  blank: /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#(?!\[)[^\n]*|<\?(?:php\b|=)?|\?>[\s\S]*?(?:<\?(?:php\b|=)?|$)/y,
  name: /\$?[A-Za-z_\\][\w\\]*/y,
  string: (source, at) => {
    const char = source.charAt(at)
    if (char === "'") return between(source, at + 1, { close: "'", escapes: 'quote' })
    if (char === '"') return between(source, at + 1, { close: '"', escapes: 'c', code: phpCode })
    if (char === '`') return between(source, at + 1, { close: '`', escapes: 'c', code: phpCode, quoted: 'command' })
    return hereDocument(source, at, /<<<()\s*(['"]?)([A-Z_]\w*)\2/y, phpCode)
  },
}

export const lua: Lexis = {
  blank: /\s+|--\[(=*)\[[\s\S]*?(?:\]\1\]|$)|--[^\n]*/y,
  name: /[A-Za-z_]\w*/y,
  string: (source, at) => {
    const char = source.charAt(at)
    if (char === "'" || char === '"') return between(source, at + 1, { close: char, escapes: 'c' })
    const long = sticky(/\[(=*)\[\n?/y, source, at)
    return long === null
      ? undefined
      : between(source, at + long[0].length, { close: `]${long[1] ?? ''}]`, escapes: 'none' })
  },
}

export const r: Lexis = {
  blank: /\s+|#[^\n]*/y,
  name: /[A-Za-z.][\w.]*/y,
  string: (source, at) => {
    const raw = sticky(/[rR](["'])-*([([{])/y, source, at)
    if (raw?.[1] !== undefined) {
      return between(source, at + raw[0].length, {
        close: `${delimiters(raw[2] ?? '(').close}${raw[1]}`,
        escapes: 'none',
      })
    }
    const char = source.charAt(at)
    return char === "'" || char === '"' ? between(source, at + 1, { close: char, escapes: 'c' }) : undefined
  },
}

function juliaCode(source: string, at: number) {
  if (source.startsWith('$(', at)) return bracketed(source, at + 2, '(', ')')
  const found = sticky(/\$([A-Za-z_]\w*)/y, source, at)
  return found?.[1] === undefined ? undefined : { code: found[1], end: at + found[0].length }
}

export const julia: Lexis = {
  blank: /\s+|#=[\s\S]*?(?:=#|$)|#[^\n]*/y,
  name: /[A-Za-z_]\w*!?/y,
  string: (source, at) => {
    const found = sticky(/(raw|r|b)?("""|")|`/y, source, at)
    if (found === null) return undefined
    const from = at + found[0].length
    if (found[0] === '`') return between(source, from, { close: '`', escapes: 'quote', code: juliaCode })
    const close = found[2] ?? '"'
    return between(
      source,
      from,
      found[1] === undefined ? { close, escapes: 'c', code: juliaCode } : { close, escapes: 'quote' },
    )
  },
}
