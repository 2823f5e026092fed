/** A text of a tool's input, and the key that it stands under. */
export interface InputText {
  readonly key: string
  readonly text: string
}

/** Returns every text of an input, at any depth. */
export function textsIn(value: unknown, key = '', depth = 0): readonly InputText[] {
  if (typeof value === 'string') return [{ key, text: value }]
  if (typeof value !== 'object' || value === null || depth > deepest) return []
  if (Array.isArray(value)) return value.flatMap((one: unknown) => textsIn(one, key, depth + 1))
  return Object.entries(value).flatMap(([name, one]) => textsIn(one, name, depth + 1))
}

/** No server nests its arguments deeper than this. */
const deepest = 10
