/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- what is outside of a part does not go into the isolate with it, and natives are captured before a policy could replace them */
export interface Hardening {
  /** Freezes everything that can be reached from some values: properties, accessors, prototypes. */
  readonly harden: (...roots: readonly unknown[]) => void
  /** Freezes everything that a module exports. The namespace itself cannot be frozen, and only its module could change it. */
  readonly hardenExports: (namespace: object) => void
}

/** A property's parts; the library says `any`. */
interface Found {
  readonly value?: unknown
  readonly get?: unknown
  readonly set?: unknown
}

/** Runs inside of the isolate, from its own text: it may use nothing that is not in it. */
export function makeHardening(): Hardening {
  const { freeze, getPrototypeOf } = Object
  const { ownKeys, getOwnPropertyDescriptor } = Reflect
  /** INVARIANT: only what is frozen already, for a call may be ended anywhere. */
  const hardened = new WeakSet()
  const isObject = (value: unknown): value is object =>
    (typeof value === 'object' && value !== null) || typeof value === 'function'

  const addParts = (whole: object, queue: object[]): void => {
    const add = (part: unknown) => {
      if (isObject(part)) queue.push(part)
    }
    add(getPrototypeOf(whole))
    for (const key of ownKeys(whole)) {
      const found: Found | undefined = getOwnPropertyDescriptor(whole, key)
      add(found?.value)
      if (found?.get !== undefined || found?.set !== undefined) {
        add(found.get)
        add(found.set)
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
    // In this order: what is part of something hardened is frozen with it.
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

/** What no property leads to from a global: the prototypes of iterators and generators, and accessors of fresh objects. */
export function hiddenIntrinsics(): readonly unknown[] {
  const iteratorsOf = [
    [][Symbol.iterator](),
    ''[Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''.matchAll(/./g),
  ]
  // Iterators made from others, and from what only looks like one. The types are those of an older standard.
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
    // oxlint-disable-next-line prefer-rest-params -- this very object has an accessor that nothing else leads to
    return arguments
  })()
  // V8 gives every error the same two functions as the accessor of its own `stack`.
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
