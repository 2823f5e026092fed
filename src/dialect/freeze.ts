/**
 * Freezes a value and everything in it. Walks with a list of its own, since an event may nest deeper than the stack.
 */
export function deepFreeze<Value>(value: Value): Value {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue
    Object.freeze(next)
    for (const part of Object.values(next)) waiting.push(part)
  }
  return value
}
