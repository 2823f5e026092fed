/** Longer parts of a pattern are taken for ones that match anything: no name is half as long, and reading them takes long. */
const partCharactersMax = 512

/** Returns a test of names by a part of a pathname pattern. Groups (`@(a|b)`) match any text. */
function nameMatcher(part: string): (name: string) => boolean {
  // Most parts are plain names, and making an expression costs more than all else that a policy does.
  if (isPlain(part)) return (name) => name === part
  if (part.length > partCharactersMax) return () => true
  const expression = new RegExp(`^${expressionOf(part)}$`)
  return (name) => expression.test(name)
}

const isPlain = (part: string) => !/[?*+@![\\]/.test(part)

/** Returns a test of names by several parts of patterns, which is true if one of them matches. */
export function namesMatcher(all: readonly string[]): (name: string) => boolean {
  const plain = new Set(all.filter(isPlain))
  const others = all.filter((part) => !isPlain(part)).map(nameMatcher)
  return (name) => plain.has(name) || others.some((matches) => matches(name))
}

/** Returns a test of paths, as lists of names, by an absolute pattern. `**` matches any number of folders. */
export function pathMatcher(pattern: string): (names: readonly string[]) => boolean {
  const parts = pattern
    .split('/')
    .slice(1)
    .filter((part, at, all) => part !== '**' || all[at - 1] !== '**')
  const single = parts.filter((part) => part !== '**').length
  const matchers: ((name: string) => boolean)[] = []
  const matches = (at: number, name: string) => (matchers[at] ??= nameMatcher(parts[at] ?? ''))(name)

  function areMatches(names: readonly string[], from: number, at: number): boolean {
    if (at === parts.length) return from === names.length
    if (parts[at] === '**') {
      for (let next = from; next <= names.length; next++) if (areMatches(names, next, at + 1)) return true
      return false
    }
    const name = names[from]
    return name !== undefined && matches(at, name) && areMatches(names, from + 1, at + 1)
  }

  return (names) => {
    // Each part but `**` matches one name: most patterns are too long for the path, or too short.
    const canFit = single === parts.length ? names.length === single : names.length >= single
    return canFit && areMatches(names, 0, 0)
  }
}

/** True if a part of a pattern matches nearly every name: `*`, `.*`, `[!.]*`, `!(x)`. */
export function isEverything(part: string): boolean {
  if (isPlain(part) || (!/[[(\\]/.test(part) && /[^*?.zq7_kj4]/.test(part))) return false
  const matches = nameMatcher(part)
  return matches('zq7_kj4') || matches('.zq7_kj4')
}

const special = () => /[.*+?^${}()|[\]\\/-]/g

/**
 * Translates a part of a pattern to a regular expression. Of wildcards in a row, those for one character come first, and
 * those for any text are one: an expression with many of them tries every way to split a name.
 */
function expressionOf(part: string): string {
  let expression = ''
  let isAnyText = false
  const add = (next: string) => {
    expression += isAnyText ? `.*${next}` : next
    isAnyText = false
  }
  for (let at = 0; at < part.length; at++) {
    const character = part.charAt(at)
    const closing = part.indexOf(')', at)
    if (/[?*+@!]/.test(character) && part.charAt(at + 1) === '(' && closing !== -1) {
      isAnyText = true
      at = closing
    } else if (character === '*') isAnyText = true
    else if (character === '?') expression += '.'
    else if (character === '[' && classEnd(part, at) !== -1) {
      const end = classEnd(part, at)
      add(classOf(part.slice(at + 1, end)))
      at = end
    } else if (character === '\\' && at + 1 < part.length) add(literal(part.charAt(++at)))
    else add(literal(character))
  }
  return isAnyText ? `${expression}.*` : expression
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
