/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- what is outside of a part does not go into the isolate with it, and natives are captured before a policy could replace them */
/**
 * Leaves ECMAScript's pure part. Runs inside of the isolate before any policy, from its own text: it may use nothing
 * that is not in it. Everything is an allow-list, so that what a newer engine adds is off.
 *
 * There are no array buffers: where one cannot be allocated a policy can catch the error, and would learn how full the
 * heap is. Memory that runs out in any other way ends the isolate, and nobody learns anything.
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

  /** INVARIANT: what is not allowed is gone, or there is no realm. */
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
    // An arrow function and a generator alike are instances of what makes them from text.
    define(getPrototypeOf(one) ?? one, 'constructor', stub)
  }

  // No promise ever settles into code: what would run after the answer is not there to be called.
  const asyncGenerator = getPrototypeOf(getPrototypeOf(asyncGenerators()) ?? {}) ?? {}
  const asyncIterator = getPrototypeOf(asyncGenerator) ?? {}
  for (const late of [Promise.prototype, asyncGenerator, asyncIterator]) keepOnly(late, () => false)
  const noPromises = throwing('Promise', 'policies are synchronous: there are no promises')
  define(Promise.prototype, 'constructor', noPromises)
  keepOnly(Array, (key) => key !== 'fromAsync')

  // `rawJSON` puts text into JSON that no value has: `1e999`, which the host would read as an infinite number.
  const json: ReadonlySet<PropertyKey> = new Set(['parse', 'stringify', Symbol.toStringTag])
  keepOnly(JSON, (key) => json.has(key))

  define(Math, 'random', throwing('random', 'policies are pure: the same event must give the same answer'))
  // `RegExp.$1` and its kin remember what was matched last, by whomever.
  const regExp: ReadonlySet<PropertyKey> = new Set(['length', 'name', 'prototype', 'escape', Symbol.species])
  keepOnly(RegExp, (key) => regExp.has(key))
  // It gives a regular expression another pattern, be it frozen or not.
  keepOnly(RegExp.prototype, (key) => key !== 'compile')
  const error: ReadonlySet<PropertyKey> = new Set(['length', 'name', 'prototype', 'captureStackTrace', 'isError'])
  keepOnly(Error, (key) => error.has(key))

  keepOnly(globalThis, (key) => allowed.has(key))
}
