import { codeLimits } from '../../../model/code-limits.ts'
import type { CodeLanguage, PathAccess, ShellCode } from '../../../model/shell.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { CodePath, CodeStart, Recognised } from './recognised.ts'
import { textsOf, type Value, wordOf } from './value.ts'

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
  readonly uncertain: (what: string) => void
  readonly result: () => Recognised
}

export function newFound(): Found {
  const paths: CodePath[] = []
  const starts: CodeStart[] = []
  const hosts: ShellWord[] = []
  const does = new Set<ShellCode['does'][number]>()
  const uncertain = new Set<string>()
  const keep = <T>(all: T[], one: T): void => {
    if (all.length < codeLimits.findingsMax) all.push(one)
    else uncertain.add('the code does more than is looked at')
  }
  return {
    path: (value, access, { recursive = false, metadata = false } = {}) => {
      if (value?.kind === 'list') {
        for (const item of value.items) {
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
      keep(starts, { kind: 'words', words: values.flatMap(wordsOf) })
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
    uncertain: (what) => uncertain.add(what),
    result: () => ({ paths, starts, hosts, does: [...does], uncertain: [...uncertain] }),
  }
}

const pathOf = (one: string, access: PathAccess, recursive: boolean, metadata: boolean): CodePath => ({
  written: wordOf(one),
  access,
  ...(recursive && { recursive: true }),
  ...(metadata && { metadata: true }),
})

/** Several words for a value that is not known, for it may be a list. */
function wordsOf(value: Value | undefined): readonly ShellWord[] {
  if (value?.kind === 'list') return value.items.flatMap(wordsOf)
  if (value?.kind !== 'text') return [{ value: unknownPart, unresolved: true, several: true }]
  return value.texts.slice(0, 1).map(wordOf)
}
