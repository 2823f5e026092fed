/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- a part is evaluated from its own source text, so its helpers must stay inside it, and natives are captured before a policy could replace them */
export interface ErrorDescriber {
  /** Describes a thrown value in one line of bounded length, with its location in an author's file. */
  readonly describe: (thrown: unknown, file: string) => string
  /** Clears the recorded locations: otherwise a policy could read in its own failure what another stored there. */
  readonly forget: () => void
  /** Returns and clears the location, in an author's file, of the last error whose stack was prepared. */
  readonly takePlace: () => string
}

/**
 * Creates the functions that describe thrown values.
 *
 * Evaluated from its source text inside the isolate, before any policy: it may refer to nothing outside itself.
 *
 * INVARIANT: describing an error never throws. It may run policy code (a proxy's traps), but within the timed call.
 */
export function makeErrorDescriber(charactersMax: number, authored: ReadonlySet<string>): ErrorDescriber {
  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect
  let places: WeakMap<object, string> | undefined
  let latest = ''
  const fixed = { enumerable: false, writable: false, configurable: false }
  defineProperty(Error, 'stackTraceLimit', { ...fixed, value: 20 })

  // The methods of V8's call sites throw on any other receiver: a policy can call `prepareStackTrace` below, but cannot
  // pass forged call sites to it.
  Error.prepareStackTrace = (_, sites) => sites
  const sample: unknown = new Error('sample').stack
  const aSite: unknown = Array.isArray(sample) ? sample.at(0) : undefined
  const siteMethod = (name: string) => {
    const method: unknown = Reflect.get(Object(aSite), name)
    return (site: unknown): unknown => (typeof method === 'function' ? apply(method, site, []) : undefined)
  }
  const fileOf = siteMethod('getFileName')
  const lineOf = siteMethod('getLineNumber')
  const columnOf = siteMethod('getColumnNumber')
  // V8 calls this function with call sites, which no policy may obtain. It returns the same text for every error, so
  // that `stack` reveals nothing.
  const prepareStackTrace = (error: object, sites: readonly unknown[]): string => {
    for (const site of sites) {
      const file = fileOf(site)
      if (typeof file !== 'string' || !authored.has(file)) continue
      latest = `${file}:${String(lineOf(site))}:${String(columnOf(site))}`
      ;(places ??= new WeakMap()).set(error, latest)
      break
    }
    return 'policies have no stack traces'
  }
  defineProperty(Error, 'prepareStackTrace', { ...fixed, value: prepareStackTrace })
  const stackOf = getOwnPropertyDescriptor(new Error('sample'), 'stack')?.get

  const defaults = new Set<unknown>()
  for (const key of ['name', 'message', 'constructor']) {
    for (const prototype of [Error.prototype, TypeError.prototype, RangeError.prototype, SyntaxError.prototype])
      defaults.add(getOwnPropertyDescriptor(prototype, key)?.get)
    for (const prototype of [
      ReferenceError.prototype,
      URIError.prototype,
      EvalError.prototype,
      AggregateError.prototype,
    ])
      defaults.add(getOwnPropertyDescriptor(prototype, key)?.get)
  }
  defaults.delete(undefined)

  /** Reads an own or inherited string property. Calls no accessor except those that `enableOverrides` has installed. */
  const textOf = (thrown: object, key: string): string => {
    let holder: object | null = thrown
    for (let steps = 0; holder !== null && steps < 16; steps += 1) {
      const property: { get?(): unknown; value?: unknown } | undefined = getOwnPropertyDescriptor(holder, key)
      const get = property?.get
      const found: unknown = get !== undefined && defaults.has(get) ? apply(get, thrown, []) : property?.value
      if (typeof found === 'string') return found
      if (get !== undefined || found !== undefined) return ''
      holder = getPrototypeOf(holder)
    }
    return ''
  }
  const nameAndMessage = (thrown: unknown): string => {
    if (typeof thrown === 'symbol' || typeof thrown === 'function') return `it threw a ${typeof thrown}`
    if (typeof thrown === 'string') return `it threw the string: ${thrown.slice(0, charactersMax)}`
    if (typeof thrown !== 'object' || thrown === null) return `it threw \`${String(thrown)}\``
    const name = textOf(thrown, 'name') || 'it threw an object without a name'
    const message = textOf(thrown, 'message')
    return message === '' ? name : `${name.slice(0, charactersMax)}: ${message.slice(0, charactersMax)}`
  }
  const placeOf = (thrown: unknown): string | undefined => {
    if (typeof thrown !== 'object' || thrown === null || stackOf === undefined) return undefined
    apply(stackOf, thrown, [])
    return places?.get(thrown)
  }
  const attempt = <Value>(make: () => Value): Value | undefined => {
    try {
      return make()
    } catch {
      return undefined
    }
  }
  return {
    describe: (thrown, file) => {
      const text = attempt(() => nameAndMessage(thrown)) ?? 'it threw something that cannot be inspected'
      const place = attempt(() => placeOf(thrown)) ?? file
      return `${place}: ${text}`
        .slice(0, charactersMax)
        .replaceAll(/(?<!\s)\s*[\r\n\u2028\u2029]\s*/g, ' ')
        .toWellFormed()
    },
    forget: () => {
      places = undefined
      latest = ''
    },
    takePlace: () => {
      const place = latest
      latest = ''
      return place
    },
  }
}
