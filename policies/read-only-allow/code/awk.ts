/**
 * True if an awk program only prints: it starts no program, reads no command's output and writes no file. A `>` behind
 * `print` writes a file, one elsewhere compares. What is ambiguous counts as harmful.
 */
export function isHarmlessAwk(program: string): boolean {
  // Whatever stands around them: a string that is none would hide them.
  if (/\b(system|getline|fflush|close|extension|ENVIRON|SYMTAB|FUNCTAB)\b|@/.test(program)) return false
  const text = bare(program)
  if (text === undefined || text.replace(/\|\|/g, '').includes('|')) return false
  return text.split(/[;{}\n]/).every((statement) => {
    const print = statement.search(/\bprintf?\b/)
    return print === -1 || !withoutGroups(statement.slice(print)).includes('>')
  })
}

/** `print (a > b)` compares. */
function withoutGroups(text: string): string {
  const less = text.replace(/\([^()]*\)/g, '')
  return less === text ? text : withoutGroups(less)
}

/** A program without its strings, regular expressions and comments. `undefined` where a `/` may be two things. */
function bare(program: string): string | undefined {
  let text = ''
  for (let at = 0; at < program.length; at++) {
    const character = program.charAt(at)
    if (character === '\\') {
      if (program.charAt(at + 1) !== '\n') return undefined
      at++
    } else if (character === '"') {
      const end = endOf(program, at, '"')
      if (end === undefined) return undefined
      text += '""'
      at = end
    } else if (character === '#') {
      const end = program.indexOf('\n', at)
      at = end === -1 ? program.length : end - 1
    } else if (character === '/') {
      const before = text.trimEnd()
      // Behind a bracket that closes there may be either.
      if (before.endsWith(')')) return undefined
      if (/[\w\]"$]$/.test(before) && !/\b(print|return|in|printf|getline|do|else)$/.test(before)) {
        text += '/'
        continue
      }
      const end = endOf(program, at, '/')
      if (end === undefined) return undefined
      text += '""'
      at = end
    } else text += character
  }
  return text
}

/** Returns the end of the text or regular expression at `at`; unknown if a bracket may contain its delimiter. */
function endOf(program: string, at: number, closer: string): number | undefined {
  for (let index = at + 1; index < program.length; index++) {
    const character = program.charAt(index)
    if (character === '\\') index++
    else if (character === '\n') return undefined
    else if (character === closer) {
      const open = closer === '/' && /\[\^?\]?[^\]]*$/.test(program.slice(at + 1, index).replace(/\\./g, ''))
      return open ? undefined : index
    }
  }
  return undefined
}
