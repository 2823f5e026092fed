/**
 * True if a sed script only prints: no `w`, `W` and `e`, neither as a command nor as a flag of `s`, and no `r` of what
 * should not be read. What is ambiguous counts as harmful.
 */
export function isHarmlessSed(script: string): boolean {
  let at = 0
  const skip = (pattern: RegExp) => {
    const found = pattern.exec(script.slice(at))
    if (found?.index === 0) at += found[0].length
    return found?.index === 0
  }
  /** Goes behind the next delimiter that is not escaped. One in a bracket is not read alike everywhere. */
  const through = (delimiter: string): boolean => {
    for (const start = at; at < script.length; at++) {
      const character = script.charAt(at)
      if (character === '\\') at++
      else if (character === delimiter) return !/\[\^?\]?[^\]]*$/.test(script.slice(start, at++).replace(/\\./g, ''))
      else if (character === '\n') return false
    }
    return false
  }
  const address = (): boolean => {
    if (skip(/^(\d+(~\d+)?|\$|\+\d+|~\d+)/)) return true
    const opener = script.charAt(at)
    if (opener === '/') {
      at++
      return through('/') && (skip(/^[IM]*/), true)
    }
    if (opener !== '\\') return true
    const delimiter = script.charAt(at + 1)
    at += 2
    return through(delimiter) && (skip(/^[IM]*/), true)
  }
  while (at < script.length) {
    if (skip(/^[\s;{}]+/)) continue
    if (skip(/^#[^\n]*/)) continue
    if (!address()) return false
    skip(/^\s*/)
    if (script.charAt(at) === ',') {
      at++
      skip(/^\s*/)
      if (!address()) return false
    }
    skip(/^[\s!]*/)
    const command = script.charAt(at)
    at++
    if ('{}=dDgGhHnNpPxzF'.includes(command) && command !== '') continue
    if (command === 's' || command === 'y') {
      const delimiter = script.charAt(at)
      at++
      if (delimiter === '' || delimiter === '\\' || delimiter === '\n' || !through(delimiter) || !through(delimiter))
        return false
      if (!skip(/^[gpiImM\d]*(?=\s*($|[;}\n#]))/)) return false
      continue
    }
    if ('aic'.includes(command) && command !== '') {
      // Its text goes to the end of the line, which a backslash moves.
      skip(/^(?:[^\n\\]|\\[^])*/)
      continue
    }
    if ('btT:'.includes(command) && command !== '') {
      skip(/^[^;\n}]*/)
      continue
    }
    if ('qQlL'.includes(command) && command !== '') {
      skip(/^\s*\d*/)
      continue
    }
    return false
  }
  return true
}
