/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- a part is evaluated from its own source text, so its helpers must stay inside it, and natives are captured before a policy could replace them */
export interface Hardening {
  /** Freezes everything reachable from some values through properties, accessors and prototypes. */
  readonly harden: (...roots: readonly unknown[]) => void
  /** Freezes a module's exports. The namespace itself cannot be frozen, but only its own module could change it. */
  readonly hardenExports: (namespace: object) => void
}

/** A property descriptor whose parts are `unknown`; TypeScript's library types them as `any`. */
interface UntypedDescriptor {
  readonly value?: unknown
  readonly get?: unknown
  readonly set?: unknown
}

/**
 * Creates the functions that freeze values deeply.
 *
 * Evaluated from its source text inside the isolate, before any policy: it may refer to nothing outside itself.
 */
export function makeHardening(): Hardening {
  const { freeze, getPrototypeOf } = Object
  const { ownKeys, getOwnPropertyDescriptor } = Reflect
  /** INVARIANT: holds only objects that are frozen already, because a call may be terminated at any point. */
  const hardened = new WeakSet()
  const isObject = (value: unknown): value is object =>
    (typeof value === 'object' && value !== null) || typeof value === 'function'

  const addParts = (whole: object, queue: object[]): void => {
    const add = (part: unknown) => {
      if (isObject(part)) queue.push(part)
    }
    add(getPrototypeOf(whole))
    for (const key of ownKeys(whole)) {
      const property: UntypedDescriptor | undefined = getOwnPropertyDescriptor(whole, key)
      add(property?.value)
      if (property?.get !== undefined || property?.set !== undefined) {
        add(property.get)
        add(property.set)
      }
    }
  }

  const harden: Hardening['harden'] = (...roots) => {
    const found = new Set<object>()
    const queue: object[] = roots.filter(isObject)
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (hardened.has(next) || found.has(next)) continue
      found.add(next)
      addParts(next, queue)
    }
    for (const one of found) freeze(one)
    // Only after all are frozen: the search above skips hardened objects and everything reachable from them.
    for (const one of found) hardened.add(one)
  }
  return {
    harden,
    hardenExports(namespace) {
      harden(...ownKeys(namespace).map((key): unknown => Reflect.get(namespace, key)))
      hardened.add(namespace)
    },
  }
}

/**
 * Returns samples of intrinsics that no property path from a global reaches: the prototypes of iterators and
 * generators, and the accessors of new objects.
 */
export function hiddenIntrinsics(): readonly unknown[] {
  const iteratorsOf = [
    [][Symbol.iterator](),
    ''[Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''.matchAll(/./g),
  ]
  // Iterators made from another iterator, and from an iterator-like object. TypeScript's types predate `Iterator`.
  const Iterator: unknown = Reflect.get(globalThis, 'Iterator')
  const from: unknown = typeof Iterator === 'function' && Reflect.get(Iterator, 'from')
  const map: unknown = Reflect.get([].values(), 'map')
  const call = (method: unknown, self: unknown, argument: unknown): unknown =>
    typeof method === 'function' ? Reflect.apply(method, self, [argument]) : undefined
  const fromOthers = [
    call(map, [].values(), (value: unknown) => value),
    call(from, undefined, { next: () => ({ done: true, value: undefined }) }),
  ]
  const functions = [
    () => 0,
    function* generator() {},
    async () => {},
    async function* generator() {},
    Reflect.getOwnPropertyDescriptor(Function.prototype, 'caller')?.get,
  ]
  const strictArguments = (function sample() {
    // oxlint-disable-next-line prefer-rest-params -- the `arguments` object has an accessor that nothing else leads to
    return arguments
  })()
  // In V8 every error has an own `stack` accessor with the same two functions, so one sample covers all.
  return [
    ...iteratorsOf,
    ...fromOthers,
    ...functions,
    strictArguments,
    new Error('sample'),
    new RegExp('sample'),
    (async () => {})(),
  ]
}
