/**
 * Whether a word is one of a list of names with spaces between. Policies run afresh on every event: a text that is
 * searched costs nothing to have, a set of names does.
 */
export const isOneOf = (word: string, names: string): boolean =>
  !word.includes(' ') && ` ${names} `.includes(` ${word} `)
