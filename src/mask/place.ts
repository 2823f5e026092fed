import type { SecretSpan } from './value.ts'

/** A place in a text where a value is secret, whatever it looks like. */
export interface SecretPlace {
  /** Matches up to the value. INVARIANT: takes time in proportion to the text, as the forms do. */
  readonly before: RegExp
  /** Returns the value, or `undefined` if what is there is not secret. */
  readonly valueAt: (text: string, index: number, match: RegExpExecArray) => SecretSpan | undefined
}

/** What a secret is replaced by. */
export const mask = '***'

/** Masks the values at all places of one kind. */
export function maskAt(text: string, { before, valueAt }: SecretPlace): string {
  let masked = ''
  let from = 0
  before.lastIndex = 0
  for (let match = before.exec(text); match !== null; match = before.exec(text)) {
    const span = valueAt(text, before.lastIndex, match)
    if (span !== undefined) {
      masked += `${text.slice(from, span.start)}${mask}`
      from = span.end
      before.lastIndex = span.end
    }
  }
  return from === 0 ? text : masked + text.slice(from)
}
