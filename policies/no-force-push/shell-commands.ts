/** One level of a shell's text: the whole, or what stands in `( )`, `$( )` or backticks. */
interface Level {
  readonly close: string
  readonly words: string[]
  word: string | undefined
  quoted: boolean
}

const levelUntil = (close: string): Level => ({ close, words: [], word: undefined, quoted: false })

/**
 * The simple commands of a shell's text, each as its words with the quotes taken off; those inside of others, too. What
 * only running it would tell (`$x`, `*`) stays as it is written.
 */
function commandsIn(text: string): readonly (readonly string[])[] {
  const commands: string[][] = []
  const outer: Level[] = []
  let level = levelUntil('')
  const add = (more: string) => {
    level.word = (level.word ?? '') + more
  }
  const endWord = () => {
    if (level.word !== undefined) level.words.push(level.word)
    level.word = undefined
  }
  const endCommand = () => {
    endWord()
    commands.push(level.words.splice(0))
  }
  const open = (close: string) => {
    outer.push(level)
    level = levelUntil(close)
  }
  const close = () => {
    endCommand()
    level = outer.pop() ?? level
  }
  const lineEnd = (from: number) => (text.indexOf('\n', from) < 0 ? text.length : text.indexOf('\n', from))

  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const next = text.charAt(at + 1)
    if (character === '\\') {
      at++
      if (next !== '\n') add(next)
    } else if (character === "'" && !level.quoted) {
      const end = text.indexOf("'", at + 1)
      add(text.slice(at + 1, end < 0 ? text.length : end))
      at = end < 0 ? text.length : end
    } else if (character === '"') {
      level.quoted = !level.quoted
      add('')
    } else if (character === '$' && next === '(') {
      at++
      open(')')
    } else if (character === '`') {
      if (level.close === '`') close()
      else open('`')
    } else if (level.quoted) add(character)
    else if (character === '(') open(')')
    else if (character === ')') close()
    else if (';&|\n'.includes(character)) endCommand()
    else if (' \t\r<>'.includes(character)) endWord()
    else if (character === '#' && level.word === undefined) at = lineEnd(at) - 1
    else if (character !== '$' || !/["']/.test(next)) add(character)
  }
  while (outer.length > 0) close()
  endCommand()
  return commands
}

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'eval', 'ssh', 'su'])

/** The same, and those of the texts that are given to a shell: `bash -c '…'`, `eval "…"`, `ssh host '…'`. */
export function allCommandsIn(text: string): readonly (readonly string[])[] {
  const commands = commandsIn(text)
  const given = commands.filter((words) => words.some((word) => shells.has(programOf(word)))).flat()
  // A word with a blank has lost its quotes: it is shorter than the text, so that this comes to an end.
  return [...commands, ...given.filter((word) => /\s/.test(word)).flatMap(allCommandsIn)]
}

/** A program's name without its folder, and as it is called under Windows. */
export const programOf = (word: string) => word.slice(folderOf(word)).replace(/\.exe$/i, '')

const folderOf = (word: string) => Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1
