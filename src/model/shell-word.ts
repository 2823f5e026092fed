/** Quotes a text as one word for a POSIX shell, only if necessary. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quotedWord(text))

/** Quotes a text as one word for a POSIX shell, always. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
