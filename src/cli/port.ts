/** Parses a TCP port of a flag; `undefined` if invalid. */
export function portIn(text: string): number | undefined {
  const port = Number(text)
  return /^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535 ? port : undefined
}
