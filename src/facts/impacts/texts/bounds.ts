/**
 * How much of a text of another language is read, in UTF-16 units. Patterns that look for what closes a text or a
 * comment take time by the square of it; statements on a command line are far shorter. What is
 * longer is asked about.
 */
export const charactersReadMax = 8_192
