import type { LeftOut } from '../../bounds.ts'
import type { CodeLanguage, PathAccess, ShellCode, ShellWord } from '../../../model/shell.ts'

/** A file or folder that code touches, as far as the code spells it. */
export interface CodePath {
  /** `unknownPart` stands in it for every part that is not known. */
  readonly written: ShellWord
  readonly access: PathAccess
  readonly recursive?: true
  readonly metadata?: true
}

/** Something that code starts. */
export type CodeStart =
  | { readonly kind: 'words'; readonly words: readonly ShellWord[] }
  | { readonly kind: 'script'; readonly text: ShellWord }
  | { readonly kind: 'code'; readonly language: CodeLanguage; readonly text: ShellWord }

/** What is obvious in the code of another language. */
export interface Recognised {
  readonly paths: readonly CodePath[]
  /** In the order in which they stand. */
  readonly starts: readonly CodeStart[]
  readonly does: ShellCode['does']
  /** URLs and hosts that it talks to, as far as they are known. */
  readonly hosts: readonly ShellWord[]
  /** What is more than is looked at. */
  readonly leftOut: readonly LeftOut[]
}

/** What code can see of the command that runs it. */
export interface CodeSurroundings {
  readonly home?: string
  /** A variable of its environment. */
  readonly variable?: (name: string) => string | undefined
  /** What its command line has for it: `sys.argv[1]` and on, `ARGV[0]`, `process.argv[1]` and on. */
  readonly parameters?: readonly ShellWord[]
  readonly stdin?: ShellWord
}
