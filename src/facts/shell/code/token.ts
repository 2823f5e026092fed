/** A part of a string literal: literal characters, or interpolated code. */
export type Part = string | { readonly code: string }

/** The meaning of a string literal: a text, a shell command, a pattern, or a list of words. */
export type Quoted = 'text' | 'command' | 'pattern' | 'words'

export type Token = (
  | { readonly kind: 'name' | 'number' | 'mark'; readonly text: string }
  | { readonly kind: 'string'; readonly text: string; readonly parts: readonly Part[]; readonly quoted: Quoted }
) & {
  /** The token is the first of its line. */
  readonly newLine: boolean
  /** White space separates the token from the previous one. */
  readonly apart: boolean
}
