/**
 * Freezes a value and everything in it, the values of its maps among them. Walks with a list of its own, since an event may
 * nest deeper than the stack.
 */
export function deepFreeze<Value>(value: Value): Value {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    // A pattern keeps its place in itself.
    if (typeof next !== 'object' || next === null || next instanceof RegExp || Object.isFrozen(next)) continue
    Object.freeze(next)
    for (const part of next instanceof Map ? next.values() : Object.values(next)) waiting.push(part)
  }
  return value
}
