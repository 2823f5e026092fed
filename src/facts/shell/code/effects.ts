import { type CodeLanguage, unknownPart } from '../../../model/shell.ts'
import type { PathAccess } from '../../../model/shell.ts'
import type { Call, Effect } from './language.ts'
import {
  combine,
  everyPart,
  isTrue,
  joinPath,
  list,
  mapped,
  path,
  text,
  textsOf,
  unknown,
  unknownText,
  type Value,
} from './value.ts'

/** Touches the path in an argument, or the receiver's where `at` is `self`. */
function touches(
  access: PathAccess,
  at: number | 'self' | 'all',
  how: { recursive?: boolean; metadata?: boolean } = {},
): Effect {
  return (call) => {
    if (at === 'all') for (const value of call.args) call.found.path(value, access, how)
    else
      call.found.path(
        at === 'self' ? call.receiver : call.arg(at, 'path', 'src', 'file', 'filename', 'name'),
        access,
        how,
      )
    return undefined
  }
}

export const deletes = (at: number | 'self' | 'all', recursive = false): Effect => touches('delete', at, { recursive })
export const writes = (at: number | 'self' | 'all'): Effect => touches('write', at)
export const reads =
  (at: number | 'self' | 'all'): Effect =>
  (call) => {
    touches('read', at)(call)
    return unknownText
  }
export const marks = (at: number | 'self' | 'all', recursive = false): Effect =>
  touches('write', at, { metadata: true, recursive })

/** One after the other; the last of them says what comes of it. */
export const both =
  (...effects: readonly Effect[]): Effect =>
  (call) => {
    let value: Value | undefined
    for (const effect of effects) value = effect(call)
    return value
  }

/** Deletes with all that is below where an option says so. */
export const deletesIf =
  (at: number, ...options: readonly string[]): Effect =>
  (call) => {
    const given = call.args.flatMap((arg) => (arg.kind === 'map' ? [...arg.entries] : []))
    const recursive = options.some(
      (option) => isTrue(call.named.get(option)) || given.some(([name, value]) => name === option && isTrue(value)),
    )
    call.found.path(call.args[at], 'delete', { recursive })
    return undefined
  }

/** Opens in the mode of an argument: what is not known may be read only. */
export const opens =
  (at: number | 'self', modeAt: number): Effect =>
  (call) => {
    const target = at === 'self' ? call.receiver : call.arg(at, 'file', 'name')
    const mode = call.arg(modeAt, 'mode')
    const modes = mode === undefined ? ['r'] : textsOf(mode)
    for (const one of modes) {
      if (/[wax+>]/i.test(one)) call.found.path(target, 'write')
      if (!/[wax>]/i.test(one) || one.includes('+')) call.found.path(target, 'read')
    }
    return unknownText
  }

export const scripts =
  (at = 0): Effect =>
  (call) => {
    call.found.script(call.arg(at, 'command', 'cmd', 'args'))
    return unknownText
  }

/** Each argument is a word; a list is many. One text alone is a script, where the language takes it for one. */
export const wordsOrScript: Effect = (call) => {
  const args = call.args.filter((arg) => arg.kind !== 'map')
  const [first] = args
  if (args.length === 1 && first?.kind !== 'list') call.found.script(first)
  else call.found.words(args)
  return unknownText
}

/** A program, and its arguments as a list or one by one. */
export const programs: Effect = (call) => {
  call.found.words(
    call.args.filter(
      (arg) => arg.kind === 'text' || arg.kind === 'list' || (arg.kind === 'unknown' && call.args.indexOf(arg) < 2),
    ),
  )
  return unknownText
}

export const evaluates =
  (language: CodeLanguage, at = 0): Effect =>
  (call) => {
    call.found.code(language, call.args[at])
    return unknown
  }

export const talks: Effect = (call) => {
  call.found.network(call.args[0])
  return unknownText
}

/** The same text as the receiver, or as the argument where there is none. */
export const same: Effect = ({ receiver, args }) => receiver ?? args[0] ?? unknownText

/** A path object. */
export const asPath: Effect = ({ args }) => {
  const joined = args.length === 0 ? text('.') : args.reduce((left, right) => combine(left, right, joinPath))
  return path(textsOf(joined))
}

export const joinsPaths: Effect = ({ args }) =>
  args.length === 0 ? unknownText : args.reduce((left, right) => combine(left, right, joinPath))

export const joinsTexts =
  (between: string): Effect =>
  ({ args }) =>
    args.length === 0
      ? text('')
      : args.reduce((left, right) => combine(left, right, (one, other) => `${one}${between}${other}`))

const homePath = (home: string | undefined): string => home ?? unknownPart

export const homeOf: Effect = ({ around }) => text(homePath(around.home))

export const expandsHome: Effect = ({ args, receiver, around }) =>
  mapped(receiver ?? args[0], (one) => one.replace(/^~(?=\/|$)/, () => homePath(around.home)))

export const variableOf = (value: Value | undefined, { around }: Pick<Call, 'around'>): Value => {
  const found = textsOf(value).map((name) => (name === 'HOME' ? around.home : around.variable?.(name)) ?? unknownPart)
  return text(...found)
}

export const parameterAt = (at: number, { parameters }: Call['around']): Value => {
  const word = parameters?.[at]
  return word === undefined ? unknownText : text(word.value)
}

export const decodes =
  (encoding: 'base64' | 'hex'): Effect =>
  (call) => {
    call.found.does('decodes')
    return mapped(call.args[0] ?? call.receiver, (one) => {
      if (one.includes(unknownPart)) return unknownPart
      const plain = Buffer.from(one.replaceAll('-', '+').replaceAll('_', '/'), encoding).toString('utf8')
      return plain === '' && one !== '' ? unknownPart : plain
    })
  }

export const decodesSomehow: Effect = ({ found }) => {
  found.does('decodes')
  return unknownText
}

/** The names in a folder, without it. */
export const listsNames: Effect = () => list([text(everyPart)])

/** What is in a folder: every name right below it. */
export const listsFolder: Effect = ({ args, receiver }) => list([below(receiver ?? args[0] ?? text('.'))])
const below = (folder: Value): Value => mapped(folder, (one) => joinPath(one, everyPart))
/** The folders below a folder, at whatever depth. */
export const anyBelow = (folder: Value): Value => mapped(folder, (one) => joinPath(one, everyPart + everyPart))

/** What a pattern stands for. Parts with more in them than stars are not known. */
export const matches: Effect = ({ args, receiver }) => {
  const pattern = mapped(args[0], (one) => patternOf(one))
  return list([receiver === undefined ? pattern : combine(receiver, pattern, joinPath)])
}

export const patternOf = (written: string): string =>
  written.replaceAll(/[^/]*[?[{][^/]*/g, unknownPart).replaceAll('*', everyPart)

export const splitsWords: Effect = ({ args, receiver }) => {
  const whole = receiver ?? args[0]
  if (whole?.kind !== 'text' || whole.texts.length !== 1) return list([unknown])
  return list(
    (whole.texts[0] ?? '')
      .split(/\s+/)
      .filter((one) => one !== '')
      .map((one) => text(one)),
  )
}

/** The characters that numbers stand for. */
export const characters = (values: readonly Value[]): Value =>
  text(
    values
      .map((value) =>
        value.kind === 'number' && value.number >= 0 && value.number <= 0x10ffff
          ? String.fromCodePoint(value.number)
          : unknownPart,
      )
      .join(''),
  )

/** `%s` one by one, and `{}` of python's `format`. */
export function formatted(pattern: Value, args: readonly Value[]): Value {
  let next = 0
  return text(
    ...textsOf(pattern).map((one) =>
      one.replaceAll(/%[-\d.]*[sdir]|\{(\d*)\}/g, (_, number: string | undefined) => {
        const place = number === undefined || number === '' ? next++ : Number(number)
        return textsOf(args[place])[0] ?? unknownPart
      }),
    ),
  )
}
