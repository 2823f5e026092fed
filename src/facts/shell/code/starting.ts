import { type CodeEffect, option } from './call.ts'
import {
  firstText,
  hasKind,
  isTrue,
  itemsOf,
  joinedTexts,
  list,
  text,
  unknown,
  unknownText,
  type Value,
} from './values.ts'

export const flat = (values: readonly Value[]): readonly Value[] =>
  values.flatMap((value) => (hasKind(value, 'list') ? itemsOf(value) : [value]))

/** Starts a program: a list or several arguments are its words; `alone` says what a single text is. */
export const starts =
  (alone: 'script' | 'words'): CodeEffect =>
  (call) => {
    const { findings } = call
    const others = option(call, 'args')
    const given = call.args.filter((value) => !hasKind(value, 'map', 'number'))
    const words = others.length > 0 ? [...given, others] : given
    const [first = unknown] = words
    const isAlone = words.length === 1 && !hasKind(first, 'list')
    if (isTrue(option(call, 'shell'))) findings.script(joinedTexts(' ', list(flat(words))))
    else if (isAlone && alone === 'script') findings.script(first)
    else if (isAlone && hasKind(first, 'text')) findings.words(firstText(first).split(/\s+/).map(text))
    else findings.words(words)
    return unknownText
  }

/** `os.execv(path, [name, …])`, `os.execl(path, name, …)`, `os.spawnv(mode, path, …)`, where `name` is `argv[0]`. */
export const executes: CodeEffect = ({ args, findings }) => {
  const [program = unknown, ...words] = args.filter((value) => !hasKind(value, 'number'))
  findings.words([program, ...flat(words).slice(1)])
  return unknown
}
