import { codeLimits } from '../../../model/limits.ts'
import type { CodeLanguage, PathAccess, ShellCode } from '../../../model/shell.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import { bounded, type LeftOut, type SayLeftOut } from '../../bounds.ts'
import type { CodePath, CodeStart, Recognised } from './recognised.ts'
import { everyPart, isLeftOut, listsOf, textsOf, type Value, withoutEvery, withoutMark } from './value.ts'

/** Notes what is found in code while it is read. */
export interface Found {
  readonly path: (
    value: Value | undefined,
    access: PathAccess,
    how?: { recursive?: boolean; metadata?: boolean },
  ) => void
  /** A text that a shell runs. */
  readonly script: (value: Value | undefined) => void
  /** A program and its arguments. */
  readonly words: (values: readonly (Value | undefined)[]) => void
  /** A text that is run as code. */
  readonly code: (language: CodeLanguage, value: Value | undefined) => void
  readonly network: (value?: Value) => void
  readonly does: (what: ShellCode['does'][number]) => void
  readonly leftOut: SayLeftOut
  readonly result: () => Recognised
}

/** `chooses`: whether the code leaves out some of what it goes through, so that every name is only some name. */
export function newFound(chooses = true): Found {
  const paths: CodePath[] = []
  const starts: CodeStart[] = []
  const hosts: ShellWord[] = []
  const does = new Set<ShellCode['does'][number]>()
  const leftOut = new Set<LeftOut>()
  const keep = <T>(all: T[], one: T): void => {
    if (all.length < codeLimits.findingsMax) all.push(one)
    else leftOut.add('its code is nested deeper, or does more, than is looked at')
  }
  const wordOf = (whole: string, eachName = false): ShellWord => {
    if (eachName && !chooses && whole.includes(everyPart) && !whole.includes(unknownPart)) return patternWord(whole)
    const one = withoutEvery(whole)
    if (!one.includes(unknownPart)) return { value: one }
    if (isLeftOut(one)) leftOut.add(tooMany)
    return { value: withoutMark(one), unresolved: true }
  }
  const pathOf = (one: string, access: PathAccess, recursive: boolean, metadata: boolean): CodePath => ({
    written: wordOf(one, access === 'delete'),
    access,
    ...(recursive && { recursive: true }),
    ...(metadata && { metadata: true }),
  })
  /** All ways in which a value may come out as words: several words for one that is not known, for it may be a list. */
  const wordsOf = (value: Value | undefined): readonly (readonly ShellWord[])[] => {
    if (value?.kind === 'list') return listsOf(value).flatMap(waysOf)
    if (value?.kind !== 'text') return [[{ value: unknownPart, unresolved: true, several: true }]]
    return value.texts.map((one) => [wordOf(one, true)])
  }
  const waysOf = (values: readonly (Value | undefined)[]): readonly (readonly ShellWord[])[] => {
    let ways: readonly (readonly ShellWord[])[] = [[]]
    for (const value of values) {
      const more = wordsOf(value)
      const few = bounded(ways, Math.ceil(codeLimits.findingsMax / Math.max(1, more.length)), tooMany, (what) =>
        leftOut.add(what),
      )
      ways =
        more.length === 1 && few.length === 1
          ? [[...(few[0] ?? []), ...(more[0] ?? [])]]
          : few.flatMap((way) => more.map((words) => way.concat(words)))
    }
    return ways
  }
  return {
    path: (value, access, { recursive = false, metadata = false } = {}) => {
      if (value?.kind === 'list') {
        for (const item of listsOf(value).flat()) {
          for (const one of textsOf(item)) keep(paths, pathOf(one, access, recursive, metadata))
        }
        return
      }
      for (const one of textsOf(value)) keep(paths, pathOf(one, access, recursive, metadata))
    },
    script: (value) => {
      does.add('starts')
      for (const one of textsOf(value)) {
        if (one.includes(unknownPart)) does.add('evaluates')
        keep(starts, { kind: 'script', text: wordOf(one) })
      }
    },
    words: (values) => {
      does.add('starts')
      for (const words of waysOf(values)) keep(starts, { kind: 'words', words })
    },
    code: (language, value) => {
      does.add('evaluates')
      for (const one of textsOf(value)) keep(starts, { kind: 'code', language, text: wordOf(one) })
    },
    network: (value) => {
      does.add('network')
      for (const one of value?.kind === 'text' ? value.texts : []) keep(hosts, wordOf(one))
    },
    does: (what) => does.add(what),
    leftOut: (what) => leftOut.add(what),
    result: () => ({ paths, starts, hosts, does: [...does], leftOut: [...leftOut] }),
  }
}

/** Every name as a pathname pattern. */
function patternWord(whole: string): ShellWord {
  const pattern = whole.replaceAll(/[*?[\]\\]/g, '\\$&').replaceAll(everyPart, '*')
  return { value: whole.replaceAll(everyPart, '*'), pattern }
}

const tooMany: LeftOut = 'its code has more values, or longer ones, than are looked at'
