/** A text as one word that a POSIX shell takes as it is, in quotes only where it needs them. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quotedWord(text))

/** The same in quotes, whatever it holds. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
