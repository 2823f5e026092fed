/** A TCP port as a flag has it; `undefined` for what is none. */
export function portIn(text: string): number | undefined {
  const port = Number(text)
  return /^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535 ? port : undefined
}
