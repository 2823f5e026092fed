/**
 * Freezes a value and everything in it, including the values of maps. Uses an explicit stack, since an event may
 * nest deeper than the call stack allows.
 */
export function deepFreeze<Value>(value: Value): Value {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    // A regular expression stores its `lastIndex` in itself.
    if (typeof next !== 'object' || next === null || next instanceof RegExp || Object.isFrozen(next)) continue
    Object.freeze(next)
    // A list is gone through as it is: its copy would take as long again.
    const parts = Array.isArray(next) ? next : next instanceof Map ? next.values() : Object.values(next)
    for (const part of parts) if (typeof part === 'object' && part !== null) waiting.push(part)
  }
  return value
}
