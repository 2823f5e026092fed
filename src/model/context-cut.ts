/** Ends a context that was cut, with how many bytes of UTF-8 are left out. */
export const cutMarker = (truncatedBytes: number): string =>
  `\n\n[hookgate: context cut, ${truncatedBytes} bytes left out]`

/** Returns the length of a verdict's context before it was cut, in bytes of UTF-8, without the marker of a cut. */
export function wholeContextBytes(verdict: {
  readonly context: string
  readonly contextTruncatedBytes: number
}): number {
  const bytes = Buffer.byteLength(verdict.context)
  const cut = verdict.contextTruncatedBytes
  return cut === 0 ? bytes : bytes - Buffer.byteLength(cutMarker(cut)) + cut
}
