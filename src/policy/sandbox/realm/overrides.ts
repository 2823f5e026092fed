/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- what is outside of a part does not go into the isolate with it, and natives are captured before a policy could replace them */
/**
 * Once `Object.prototype` is frozen, `thing.toString = …` throws on every object, for the frozen property is inherited.
 * What is commonly overridden becomes an accessor, which gives whoever assigns a property of their own. Runs inside of
 * the isolate before any policy, from its own text: it may use nothing that is not in it.
 */
export function enableOverrides(): void {
  const { defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect

  const enable = (prototype: object, key: PropertyKey) => {
    const property: { readonly value?: unknown; readonly configurable?: boolean } | undefined =
      getOwnPropertyDescriptor(prototype, key)
    const value = property?.value
    if (value === undefined || property?.configurable !== true) return
    // Methods, for accessors are neither constructors nor have a `prototype`.
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
