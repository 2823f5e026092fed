/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- a part is evaluated from its own source text, so its helpers must stay inside it, and natives are captured before a policy could replace them */
/**
 * Keeps inherited properties assignable after their prototypes are frozen. `thing.toString = …` would otherwise throw on
 * every object, because the frozen property is inherited. Commonly overridden properties become accessors whose setter
 * defines an own property on the receiver.
 *
 * Evaluated from its source text inside the isolate, before any policy: it may refer to nothing outside itself.
 */
export function enableOverrides(): void {
  const { defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect

  const enable = (prototype: object, key: PropertyKey) => {
    const property: { readonly value?: unknown; readonly configurable?: boolean } | undefined =
      getOwnPropertyDescriptor(prototype, key)
    const value = property?.value
    if (value === undefined || property?.configurable !== true) return
    // Written as methods, because real accessors are not constructors and have no `prototype`.
    const accessor = {
      get(): unknown {
        return value
      },
      set(this: unknown, own: unknown): void {
        if (this === prototype || (typeof this !== 'object' && typeof this !== 'function') || this === null)
          throw new TypeError(`\`${String(key)}\` cannot be changed`)
        if (!defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true }))
          throw new TypeError(`\`${String(key)}\` cannot be changed`)
      },
    }
    defineProperty(prototype, key, { get: accessor.get, set: accessor.set, enumerable: false, configurable: true })
  }

  for (const key of ownKeys(Object.prototype)) enable(Object.prototype, key)
  const errors = [Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]
  for (const { prototype } of errors) for (const key of ownKeys(prototype)) enable(prototype, key)
  const others = [Function, Array, Boolean, Number, String, Symbol, BigInt, Date, RegExp, Map, Set, WeakMap, WeakSet]
  const commonly = ['toString', 'valueOf', 'toLocaleString', 'toJSON']
  for (const { prototype } of others) for (const key of commonly) enable(prototype, key)
}
