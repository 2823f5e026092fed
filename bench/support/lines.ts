const newline = 10

/** How many lines end in it. Nothing else is looked at. */
export function linesIn(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1
  return lines
}
