import { isJsonObject, type JsonObject, parseJsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { readObject, type Span } from './json-object.ts'

/** The JSON objects that a hook printed. */
export interface Printed {
  /** Every complete object that is in no other, in the order in which they end. */
  readonly objects: readonly JsonObject[]
  /** The reason why there may be more objects. */
  readonly flaw: Flaw | undefined
}
export type Flaw = 'unfinished' | 'tooDeep' | 'tooCostly'

/**
 * Finds the JSON objects in a hook's stdout, whatever text is before, between and after them, on the same line or not.
 *
 * Complete objects inside of something malformed count: `log {x: {"cancel": true}}` holds one.
 *
 * INVARIANT: linear in the length. An attempt at a brace that an earlier, failed attempt had read as a brace would fail
 * at the same place; so it is skipped, and no character is read more than twice, as text and as structure. The limit on
 * steps is a safeguard in case this ever fails to hold.
 */
export function printedObjects(stdout: string, stepsPerCharacter: number = limits.jsonScanStepsPerCharacter): Printed {
  const { spans, flaw } = spansIn(stdout, stepsPerCharacter)
  return { objects: objectsAt(stdout, spans), flaw }
}

/** Returns the output without its JSON objects. */
export function textBeside(stdout: string): string {
  const { spans } = spansIn(stdout, limits.jsonScanStepsPerCharacter)
  let from = 0
  const parts: string[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    parts.push(stdout.slice(from, start))
    from = end
  }
  return [...parts, stdout.slice(from)].join('\n')
}

function spansIn(stdout: string, stepsPerCharacter: number): { spans: readonly Span[]; flaw: Flaw | undefined } {
  const spans: Span[] = []
  const settled = new Uint8Array(stdout.length)
  const settle = (brace: number) => void (settled[brace] = 1)
  const stepsMax = stdout.length * stepsPerCharacter
  let [steps, unfinishedAt, tooDeep] = [0, -1, false]

  for (let at = stdout.indexOf('{'); at !== -1 && steps <= stepsMax; at = stdout.indexOf('{', at + 1)) {
    if (settled[at] === 1) continue
    const attempt = readObject(stdout, at, settle)
    steps += attempt.end - at
    if (attempt.kind === 'complete') {
      spans.push({ start: at, end: attempt.end })
      at = attempt.end - 1
      continue
    }
    for (const span of attempt.inner) {
      spans.push(span)
      settled.fill(1, span.start, span.end)
    }
    if (attempt.kind === 'unfinished') unfinishedAt = at
    if (attempt.kind === 'tooDeep') tooDeep = true
  }

  // An unfinished beginning with an object after it was noise: `log {"x": `, followed by the answer.
  const unfinished = unfinishedAt !== -1 && !spans.some(({ start }) => start > unfinishedAt)
  const flaw = steps > stepsMax ? 'tooCostly' : tooDeep ? 'tooDeep' : unfinished ? 'unfinished' : undefined
  return { spans, flaw }
}

/** Returns whether a whole output is JSON other than an object. */
export function isOtherJson(stdout: string): boolean {
  const text = stdout.trim()
  if (!/^["[]/.test(text)) return false
  try {
    return !isJsonObject(JSON.parse(text))
  } catch {
    return false
  }
}

function objectsAt(text: string, spans: readonly Span[]): readonly JsonObject[] {
  return spans
    .toSorted((a, b) => a.end - b.end)
    .map(({ start, end }) => parseJsonObject(text.slice(start, end)))
    .filter((object) => object !== undefined)
}
