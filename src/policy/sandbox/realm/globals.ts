/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- a part is evaluated from its own source text, so its helpers must stay inside it, and natives are captured before a policy could replace them */
/**
 * Removes from the globals everything but the pure part of ECMAScript, by allow-lists: whatever a newer engine adds is
 * removed.
 *
 * Array buffers are removed: a policy can catch the error of a failed allocation, and would learn how full the heap is.
 * Running out of memory in any other way ends the isolate, and reveals nothing.
 *
 * Evaluated from its source text inside the isolate, before any policy: it may refer to nothing outside itself.
 */
export function tameGlobals(): void {
  const allowed: ReadonlySet<PropertyKey> = new Set(
    `globalThis Infinity NaN undefined isFinite isNaN parseFloat parseInt
    decodeURI decodeURIComponent encodeURI encodeURIComponent
    Object Array Number Boolean String Symbol BigInt Date RegExp JSON Math
    Map Set WeakMap WeakSet Iterator Proxy Reflect DisposableStack SuppressedError
    Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError`.split(/\s+/),
  )
  const { defineProperty, deleteProperty, getPrototypeOf, ownKeys } = Reflect

  /** INVARIANT: every property that is not allowed is deleted, or creating the realm fails. */
  const keepOnly = (whole: object, keeps: (key: PropertyKey) => boolean) => {
    for (const key of ownKeys(whole)) {
      if (!keeps(key) && !deleteProperty(whole, key)) throw new TypeError(`\`${String(key)}\` cannot be removed`)
    }
  }
  const define = (whole: object, key: PropertyKey, value: unknown) => {
    if (!defineProperty(whole, key, { value, writable: false, enumerable: false, configurable: true }))
      throw new TypeError(`\`${String(key)}\` cannot be replaced`)
  }
  const throwing = (name: string, message: string) => {
    const stub = () => {
      throw new TypeError(message)
    }
    define(stub, 'name', name)
    return stub
  }

  const asyncGenerators = async function* generator() {}
  for (const one of [() => 0, function* generator() {}, async () => {}, asyncGenerators]) {
    const stub = throwing('Function', 'policies cannot run text as code')
    // Each kind of function has a constructor of its own that compiles text.
    define(getPrototypeOf(one) ?? one, 'constructor', stub)
  }

  // No promise can run a callback: the methods that would schedule code after the answer are removed.
  const asyncGenerator = getPrototypeOf(getPrototypeOf(asyncGenerators()) ?? {}) ?? {}
  const asyncIterator = getPrototypeOf(asyncGenerator) ?? {}
  for (const late of [Promise.prototype, asyncGenerator, asyncIterator]) keepOnly(late, () => false)
  const noPromises = throwing('Promise', 'policies are synchronous: there are no promises')
  define(Promise.prototype, 'constructor', noPromises)
  keepOnly(Array, (key) => key !== 'fromAsync')

  // `rawJSON` can write JSON text that no value encodes to: `1e999`, which the host would read as infinity.
  const json: ReadonlySet<PropertyKey> = new Set(['parse', 'stringify', Symbol.toStringTag])
  keepOnly(JSON, (key) => json.has(key))

  define(Math, 'random', throwing('random', 'policies are pure: the same event must give the same answer'))
  // `RegExp.$1` and its kin expose the last match, also that of another policy.
  const regExp: ReadonlySet<PropertyKey> = new Set(['length', 'name', 'prototype', 'escape', Symbol.species])
  keepOnly(RegExp, (key) => regExp.has(key))
  // `compile` replaces the pattern of a regular expression, even of a frozen one.
  keepOnly(RegExp.prototype, (key) => key !== 'compile')
  const error: ReadonlySet<PropertyKey> = new Set(['length', 'name', 'prototype', 'captureStackTrace', 'isError'])
  keepOnly(Error, (key) => error.has(key))

  keepOnly(globalThis, (key) => allowed.has(key))
}
