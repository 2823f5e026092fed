import { placeOf } from '../../../src/facts/paths/index.ts'
import { effectsOf } from '../../../src/facts/programs/describe.ts'
import type { CommandEffects } from '../../../src/facts/programs/effects.ts'
import { type ShellCommand, type ShellWord, type TouchedPath, unknownPart } from '../../../src/model/shell.ts'

const home = '/home/u'
const cwd = '/home/u/proj'
const place = placeOf({ home, workspaceRoots: [cwd] })

/** Splits a text into words, with quotes, `~`, `$NAME` and patterns handled as a shell would. */
function wordsOf(text: string): readonly ShellWord[] {
  return [...text.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"])+/g)].map(([written]): ShellWord => {
    const isQuoted = /['"]/.test(written)
    const bare = written.replace(/['"]/g, '')
    const value = bare.replace(/^~(?=\/|$)/, isQuoted ? '~' : home)
    const variable = /\$([A-Z]+)/.exec(value)?.[1]
    if (variable !== undefined) return { value: value.replace(`$${variable}`, unknownPart), unresolved: true, variable }
    return !isQuoted && /[*?[]/.test(value) ? { value, pattern: value } : { value }
  })
}

/** Parses a simple command with leading assignments, without the shell interpreter. */
export function described(text: string): ShellCommand {
  const words = [...wordsOf(text)]
  const assignments = []
  for (let word = words[0]; word !== undefined && /^[A-Z_]+=/.test(word.value); word = words[0]) {
    const equals = word.value.indexOf('=')
    assignments.push({ name: word.value.slice(0, equals), value: { value: word.value.slice(equals + 1) } })
    words.shift()
  }
  const [written = { value: '' }, ...args] = words
  const program = written.value.slice(written.value.lastIndexOf('/') + 1)
  const none: readonly never[] = []
  const rest = { redirections: none, reach: none, paths: none, uncertain: none, place: { start: 0, end: 0 } }
  return { program, written, args, assignments, cwd, ...rest }
}

export const effectsOfText = (text: string, more: Partial<ShellCommand> = {}): CommandEffects =>
  effectsOf({ ...described(text), ...more }, place)

/** Formats a path and its access: `read src/a`, `delete ~/x -r`, `read /etc -m`. */
export function formatPath({
  access,
  absolute,
  pattern,
  written,
  recursive,
  metadata,
  unresolved,
}: TouchedPath): string {
  const whole = unresolved === true ? `?${written}` : (pattern ?? absolute ?? `?${written}`)
  const path =
    whole === cwd
      ? '.'
      : whole.startsWith(`${cwd}/`)
        ? whole.slice(cwd.length + 1)
        : whole.replace(/^\/home\/u(?=\/|$)/, '~')
  return `${access} ${path}${recursive === true ? ' -r' : ''}${metadata === true ? ' -m' : ''}`
}

export const touches = (text: string, more?: Partial<ShellCommand>): readonly string[] =>
  effectsOfText(text, more).paths.map(formatPath)
