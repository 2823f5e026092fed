/** Text between quotes: literal characters, and code whose value is put in its place. */
export type Part = string | { readonly code: string }

/** A text, a command for a shell, a pattern, or a list of words. */
export type Quoted = 'text' | 'command' | 'pattern' | 'words'

export type Token = (
  | { readonly kind: 'name' | 'number' | 'mark'; readonly text: string }
  | { readonly kind: 'string'; readonly text: string; readonly parts: readonly Part[]; readonly quoted: Quoted }
) & {
  /** A line ends in front of it. */
  readonly newLine: boolean
  /** It stands apart from the token in front. */
  readonly apart: boolean
}
