import type { Place } from './errors.ts'
import type { Scope } from './effect.ts'

/** One word of a command pattern. */
export type WordPattern =
  /** `*`: any word that is no option. */
  | { readonly kind: 'any' }
  /** Literal texts with one `*` between each two of them. A single text is the whole word. */
  | { readonly kind: 'parts'; readonly parts: readonly string[] }

/** The words of a command. */
export interface CommandPattern {
  readonly kind: 'command'
  /** As written. */
  readonly text: string
  readonly words: readonly WordPattern[]
  /** Set if it ends in `**`, which stands for all further words. */
  readonly open: boolean
}

/** A glob for files. */
export interface PathPattern {
  readonly kind: 'path'
  /** As written. */
  readonly text: string
  /** In the syntax of permission rules: `//` starts at the root, `/` in the project. */
  readonly glob: string
}

/**
 * Takes back what a rule says of a command or path. It never allows anything: the rule then has no opinion.
 *
 * Fields that are `undefined` restrict nothing.
 */
export interface Exception {
  /** The exception's name in reports: `user:hooks.json#exceptions[0]`. */
  readonly name: string
  /** The scope of its file. It covers rules of this scope and of scopes with less authority. */
  readonly scope: Scope
  /** Set for an exception of a signed bundle: it covers no rule that an administrator has put on the machine. */
  readonly bundled?: true
  /** The id of a rule, with or without its source; `*` stands for any text. */
  readonly rule: string
  readonly subject: CommandPattern | PathPattern
  /** The folder that a command must run in, and that a relative path starts from. Absolute. */
  readonly project: string | undefined
  readonly session: string | undefined
  /** The first moment at which the exception is no longer in force, ms since the epoch. */
  readonly endsAtMs: number | undefined
  readonly reason: string | undefined
  readonly place: Place | undefined
}

/** Returns whether the last day of an exception is behind. */
export const isOver = ({ endsAtMs }: Pick<Exception, 'endsAtMs'>, nowMs: number): boolean =>
  endsAtMs !== undefined && nowMs >= endsAtMs

/** Returns the name of an exception, which contains its index in the list of a source. */
export const exceptionName = (sourceId: string, index: number): string => `${sourceId}#exceptions[${index}]`

/** Says in a rule's remarks that an exception lifts its answer. */
export const liftRemark = ({ name, reason }: Pick<Exception, 'name' | 'reason'>, effect: string): string =>
  `an exception (${reason === undefined ? name : `${name}: ${reason}`}) lifts its \`${effect}\``

/** Returns the exception that a remark names, `NAME` or `NAME: REASON`; `''` for another remark. */
export const liftingException = (remark: string): string =>
  /^an exception \((.+)\) lifts its `\w*`$/s.exec(remark)?.[1] ?? ''
