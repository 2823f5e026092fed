/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- a part is evaluated from its own source text, so its helpers must stay inside it, and natives are captured before a policy could replace them */
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
