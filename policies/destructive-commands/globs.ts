/** True if a name matches a part of a pathname pattern. Groups (`@(a|b)`) match any text. */
export function isMatch(name: string, part: string): boolean {
  // Most parts are plain names, and making an expression costs more than all else that a policy does.
  return isPlain(part) ? name === part : new RegExp(`^${expressionOf(part)}$`).test(name)
}

const isPlain = (part: string) => !/[?*+@![\\]/.test(part)

/** True if a path matches an absolute pattern. `**` matches any number of folders. */
export function isPathMatch(path: string, pattern: string): boolean {
  return areMatches(path.split('/').slice(1), pattern.split('/').slice(1))
}

function areMatches(names: readonly string[], parts: readonly string[]): boolean {
  const [part, ...others] = parts
  if (part === undefined) return names.length === 0
  if (part === '**') return names.some((_, at) => areMatches(names.slice(at), others)) || areMatches([], others)
  const [name, ...rest] = names
  return name !== undefined && isMatch(name, part) && areMatches(rest, others)
}

/** True if a part of a pattern matches nearly every name: `*`, `.*`, `[!.]*`, `!(x)`. */
export const isEverything = (part: string) => isMatch('zq7_kj4', part) || isMatch('.zq7_kj4', part)

const special = () => /[.*+?^${}()|[\]\\/-]/g

function expressionOf(part: string): string {
  let expression = ''
  for (let at = 0; at < part.length; at++) {
    const character = part.charAt(at)
    const closing = part.indexOf(')', at)
    if (/[?*+@!]/.test(character) && part.charAt(at + 1) === '(' && closing !== -1) {
      expression += '.*'
      at = closing
    } else if (character === '*') expression += '.*'
    else if (character === '?') expression += '.'
    else if (character === '[' && classEnd(part, at) !== -1) {
      const end = classEnd(part, at)
      expression += classOf(part.slice(at + 1, end))
      at = end
    } else if (character === '\\' && at + 1 < part.length) expression += literal(part.charAt(++at))
    else expression += literal(character)
  }
  return expression
}

const literal = (text: string) => text.replaceAll(special(), '\\$&')

/** Returns the end of a character class. A `]` directly after its beginning is a member. */
function classEnd(part: string, start: number): number {
  const first = /[!^]/.test(part.charAt(start + 1)) ? start + 2 : start + 1
  let end = part.indexOf(']', first + 1)
  // `[[:alpha:]]` holds a `]` of its own.
  while (end > 0 && part.charAt(end - 1) === ':') end = part.indexOf(']', end + 1)
  return end
}

function classOf(inside: string): string {
  if (inside.includes('[:')) return '.'
  const not = /^[!^]/.test(inside)
  const characters = inside.slice(not ? 1 : 0).replaceAll(/[\\\]^[]/g, '\\$&')
  // A range that runs backwards matches nothing, and would be no expression.
  return /(.)-(.)/.test(characters) && !isOrdered(characters) ? '(?!)' : `[${not ? '^' : ''}${characters}]`
}

const isOrdered = (characters: string) =>
  [...characters.matchAll(/(.)-(.)/g)].every(([, from = '', to = '']) => from <= to)
