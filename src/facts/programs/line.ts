import type { ShellWord } from '../../model/shell.ts'
import { behind } from './behind.ts'
import type { Role } from './role.ts'

/** An option that is given, by its whole name, and its value where it has one. */
export interface Given {
  readonly name: string
  readonly value?: ShellWord
  /** What is done with the path that its value is. */
  readonly role: Role
}

/** A program's command line, read. */
export interface Line {
  readonly program: string
  readonly given: readonly Given[]
  readonly operands: readonly ShellWord[]
  readonly has: (...names: readonly string[]) => boolean
  readonly value: (...names: readonly string[]) => ShellWord | undefined
}

/** A program's options, ready to be looked up. */
export interface Options {
  readonly valued: ReadonlyMap<string, Role>
  /** Those whose value is only there if it is joined. */
  readonly joined: ReadonlySet<string>
  /** Those that take two values, of which the second is the path: `jq --slurpfile NAME FILE`. */
  readonly twofold: ReadonlySet<string>
  /** All long ones that are known, for those that are cut short. */
  readonly long: readonly string[]
  readonly oneDash: boolean
  readonly operandsLast: boolean
}

export function optionsOf(row: {
  readonly options?: string
  readonly oneDash?: true
  readonly operandsLast?: true
}): Options {
  const valued = new Map<string, Role>()
  const joined = new Set<string>()
  const twofold = new Set<string>()
  const long: string[] = []
  for (const token of (row.options ?? '').split(' ')) {
    if (token === '') continue
    if (token.startsWith('+')) {
      long.push(token.slice(1))
      continue
    }
    const equals = token.indexOf('=')
    const written = equals === -1 ? token : token.slice(0, equals)
    const isJoined = written.endsWith('?')
    const isTwofold = written.endsWith(':2')
    const name = isJoined ? written.slice(0, -1) : isTwofold ? written.slice(0, -2) : written
    if (isJoined) joined.add(name)
    if (isTwofold) twofold.add(name)
    valued.set(name, equals === -1 ? 'none' : roleOf(token.slice(equals + 1)))
    if (name.length > 1) long.push(name)
  }
  return { valued, joined, twofold, long, oneDash: row.oneDash === true, operandsLast: row.operandsLast === true }
}

const roles: readonly Role[] = ['read', 'names', 'write', 'append', 'edit', 'into', 'delete', 'move', 'mode', 'execute']
const roleOf = (word: string): Role => roles.find((role) => role === word) ?? 'none'

/** Reads a command line as getopt would. A word that is not known is an operand. */
export function readLine(program: string, args: readonly ShellWord[], options: Options): Line {
  const given: Given[] = []
  const operands: ShellWord[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined) break
    const text = word.value
    if (text.length < 2 || text.charCodeAt(0) !== dash) {
      operands.push(word)
      if (!options.operandsLast) continue
      for (const rest of args.slice(at + 1)) operands.push(rest)
      break
    }
    if (text === '--') {
      for (const rest of args.slice(at + 1)) operands.push(rest)
      break
    }
    const doubled = text.charCodeAt(1) === dash
    if (doubled || options.oneDash) {
      const equals = text.indexOf('=')
      const name = wholeName(text.slice(doubled ? 2 : 1, equals === -1 ? undefined : equals), options)
      const role = options.valued.get(name)
      if (equals !== -1) given.push({ name, value: behind(word, equals + 1), role: role ?? 'none' })
      else if (role === undefined || options.joined.has(name)) given.push({ name, role: 'none' })
      else given.push(valueNext(name, role, options.twofold.has(name) ? args[(at += 2)] : args[++at]))
      continue
    }
    for (let letter = 1; letter < text.length; letter++) {
      const name = text.charAt(letter)
      const role = options.valued.get(name)
      if (role === undefined) {
        given.push({ name, role: 'none' })
        continue
      }
      if (letter + 1 < text.length) given.push({ name, value: behind(word, letter + 1), role })
      else if (options.joined.has(name)) given.push({ name, role: 'none' })
      else given.push(valueNext(name, role, args[++at]))
      break
    }
  }
  return {
    program,
    given,
    operands,
    has: (...names) => given.some(({ name }) => names.includes(name)),
    value: (...names) => given.findLast((one) => one.value !== undefined && names.includes(one.name))?.value,
  }
}
const dash = 45

const valueNext = (name: string, role: Role, value: ShellWord | undefined): Given =>
  value === undefined ? { name, role } : { name, value, role }

/** Long options may be cut short as long as they are unambiguous. */
function wholeName(name: string, { valued, long }: Options): string {
  if (long.length === 0 || name.length < 2 || valued.has(name)) return name
  let whole: string | undefined
  for (const one of long) {
    if (!one.startsWith(name)) continue
    if (one === name) return name
    if (whole !== undefined) return name
    whole = one
  }
  return whole ?? name
}
