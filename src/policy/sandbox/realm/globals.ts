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

/**
 * Fixes the locale to `en-US`, ignoring the process's and the policy's choice. The results of other locales depend on
 * the data that the engine was built with.
 *
 * Evaluated from its source text inside the isolate, before any policy: it may refer to nothing outside itself.
 */
export function pinLocale(): void {
  const { apply, defineProperty } = Reflect
  const define = (whole: object, key: PropertyKey, value: unknown) =>
    defineProperty(whole, key, { value, writable: true, enumerable: false, configurable: true })

  const { localeCompare, toLowerCase, toUpperCase } = String.prototype
  const ofNumber = Number.prototype.toLocaleString
  const ofBigInt = BigInt.prototype.toLocaleString
  const texts = {
    localeCompare(this: string, that: string, _locales: unknown, options: Intl.CollatorOptions | undefined): number {
      return apply(localeCompare, this, [that, 'en-US', options])
    },
    toLocaleLowerCase(this: string): string {
      return apply(toLowerCase, this, [])
    },
    toLocaleUpperCase(this: string): string {
      return apply(toUpperCase, this, [])
    },
  }
  const numbers = {
    toLocaleString(this: number, _locales: unknown, options: Intl.NumberFormatOptions | undefined): string {
      return apply(ofNumber, this, ['en-US', options])
    },
  }
  const bigInts = {
    toLocaleString(this: bigint, _locales: unknown, options: Intl.NumberFormatOptions | undefined): string {
      return String(apply(ofBigInt, this, ['en-US', options]))
    },
  }
  for (const key of ['localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase'] as const)
    define(String.prototype, key, texts[key])
  define(Number.prototype, 'toLocaleString', numbers.toLocaleString)
  define(BigInt.prototype, 'toLocaleString', bigInts.toLocaleString)
}

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

/** The time that every `Date` reports, in ms since the epoch. */
export interface Clock {
  atMs: number
}

/**
 * Makes `Date` report the event's time in UTC, independent of the machine's clock and time zone.
 *
 * Evaluated from its source text inside the isolate, before any policy: it may refer to nothing outside itself.
 */
export function pinDate(clock: Clock): void {
  const Native = Date
  const { apply, construct, defineProperty, deleteProperty, get, ownKeys } = Reflect
  const { getTime, toLocaleDateString, toLocaleString, toLocaleTimeString, toUTCString } = Native.prototype
  const define = (whole: object, key: PropertyKey, value: unknown) =>
    defineProperty(whole, key, { value, writable: true, enumerable: false, configurable: true })

  /** Matches ECMAScript's date-time format, which means local time only if it has a time and no zone. */
  const iso = /^(?:\d{4}|[+-]\d{6})(?:-\d\d(?:-\d\d)?)?(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/
  /** Matches a time zone at the end of any other text: a zone name, or an offset after a time. */
  const zoned = /(?:\b(?:UTC|GMT|Z)|:\d\d(?:\.\d+)? ?(?:UTC|GMT)?[+-]\d\d:?\d\d)$/
  const parse = (text: string): number => {
    const standard = iso.exec(text)
    if (standard !== null) return Native.parse(standard[1] === undefined && text.includes('T') ? `${text}Z` : text)
    // INVARIANT: text that the engine parses by its own rules names its zone. The engine skips text after a parenthesis
    // as a comment, even a zone, so balanced parentheses are removed here and any other is refused.
    const bare = text.replaceAll(/\([^()]*\)/g, ' ').trim()
    if (/[^\w ,:/+.-]/.test(bare)) return Number.NaN
    return Native.parse(zoned.test(bare) ? bare : `${bare} UTC`)
  }

  const primitive = (value: object): unknown => {
    const exotic: unknown = get(value, Symbol.toPrimitive)
    const isObject = (one: unknown) => (typeof one === 'object' && one !== null) || typeof one === 'function'
    const ways: unknown[] =
      exotic === undefined || exotic === null ? [get(value, 'valueOf'), get(value, 'toString')] : [exotic]
    for (const way of ways) {
      const result: unknown = typeof way === 'function' ? apply(way, value, ['default']) : value
      if (!isObject(result)) return result
    }
    throw new TypeError('an object cannot be converted to a date')
  }
  const timeOf = (value: unknown): unknown => {
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function')
      return typeof value === 'string' ? parse(value) : value
    try {
      return apply(getTime, value, [])
    } catch {
      // Not a `Date`: converted below like any other object.
    }
    return timeOf(primitive(value))
  }
  const timeOfAll = (args: readonly unknown[]): unknown => {
    if (args.length === 0) return clock.atMs
    return args.length === 1 ? timeOf(args[0]) : apply(Native.UTC, undefined, args)
  }

  const asText = (date: Date, way: 'date' | 'time' | 'whole'): string => {
    if (Number.isNaN(apply(getTime, date, []))) return 'Invalid Date'
    const [weekday = '', day = '', month = '', year = '', time = ''] = apply(toUTCString, date, []).split(' ')
    const datePart = `${weekday.slice(0, 3)} ${month} ${day} ${year}`
    const timePart = `${time} GMT+0000 (Coordinated Universal Time)`
    return way === 'date' ? datePart : way === 'time' ? timePart : `${datePart} ${timePart}`
  }

  // A function, because `Date` can be called without `new` and a class cannot.
  function Pinned(...args: unknown[]): unknown {
    if (new.target === undefined) return asText(new Native(clock.atMs), 'whole')
    return construct(Native, [timeOfAll(args)], new.target)
  }
  Pinned.prototype = Native.prototype
  const statics = { now: () => clock.atMs, parse: (text: unknown) => parse(String(text)), UTC: Native.UTC }
  for (const key of ['now', 'parse', 'UTC'] as const) define(Pinned, key, statics[key])
  define(Pinned, 'name', 'Date')
  define(Pinned, 'length', 7)
  define(globalThis, 'Date', Pinned)

  const prototype = Native.prototype
  const kept = new Set<PropertyKey>(['getTime', 'setTime', 'valueOf', 'toISOString', 'toJSON', Symbol.toPrimitive])
  for (const key of ownKeys(prototype)) {
    if (!kept.has(key) && !String(key).includes('UTC')) deleteProperty(prototype, key)
  }
  for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
    define(prototype, `get${part}`, get(prototype, `getUTC${part}`))
    if (part !== 'Day') define(prototype, `set${part}`, get(prototype, `setUTC${part}`))
  }
  const utc = { timeZone: 'UTC' }
  const methods: ThisType<Date> & Readonly<Record<string, () => unknown>> = {
    getTimezoneOffset() {
      return Number.isNaN(apply(getTime, this, [])) ? Number.NaN : 0
    },
    toString() {
      return asText(this, 'whole')
    },
    toDateString() {
      return asText(this, 'date')
    },
    toTimeString() {
      return asText(this, 'time')
    },
    toLocaleString() {
      const text: unknown = apply(toLocaleString, this, ['en-US', utc])
      return text
    },
    toLocaleDateString() {
      const text: unknown = apply(toLocaleDateString, this, ['en-US', utc])
      return text
    },
    toLocaleTimeString() {
      const text: unknown = apply(toLocaleTimeString, this, ['en-US', utc])
      return text
    },
  }
  for (const key of ownKeys(methods)) define(prototype, key, get(methods, key))
  define(prototype, 'constructor', Pinned)
}

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
