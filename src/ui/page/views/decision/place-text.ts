/** Formats a place in a file: `FILE:LINE:COLUMN`. */
export const placeText = (place: {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
}): string => [place.file, place.line, place.column].filter((part) => part !== undefined).join(':')
