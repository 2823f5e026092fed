/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- a part is evaluated from its own source text, so its helpers must stay inside it, and natives are captured before a policy could replace them */
/** A policy's answers as JSON text, or the reason why they are refused. */
export type ReadAnswer = { readonly text: string } | { readonly wrong: string }

interface AnswerLimits {
  readonly answersMax: number
  readonly charactersMax: number
  readonly depthMax: number
}

export interface Answers {
  /** Reads the value that `decide` returned; `0` stands for nothing. May throw what the policy throws. */
  readonly read: (reply: unknown) => ReadAnswer
  /** Encodes a value as JSON. Refuses functions and numbers that `JSON.stringify` would drop silently. */
  readonly json: (value: unknown, what: string) => ReadAnswer
}

/**
 * Creates the reader of answers. It reads each property once, copies it, and validates only the copy, so that a policy
 * cannot change a value after the check.
 *
 * Evaluated from its source text inside the isolate, before any policy: it may refer to nothing outside itself.
 */
export function makeAnswers(limits: AnswerLimits): Answers {
  const { isArray } = Array
  const { isSafeInteger } = Number
  const { parse, stringify } = JSON
  const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect
  const promise = getPrototypeOf((async () => {})())
  const effects: ReadonlySet<unknown> = new Set(['deny', 'ask', 'allow'])
  const kinds = ['effect', 'context', 'notice', 'rewrite', 'replaceOutput', 'stop']
  /** Keys that are allowed beside `effect` only, and `reason` beside `replaceOutput`. */
  const details: ReadonlySet<unknown> = new Set(['reason', 'at'])
  const right = "return `deny('…')`, `ask('…')`, `allow()`, `context('…')` or nothing"
  const shown = (value: unknown): string =>
    typeof value === 'object' && value !== null
      ? isArray(value)
        ? 'an array'
        : 'an object'
      : typeof value === 'function' || typeof value === 'symbol'
        ? `a ${typeof value}`
        : `\`${String(value).slice(0, 80)}\``
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

  const isIndex = (value: unknown): value is number => typeof value === 'number' && value >= 0 && isSafeInteger(value)

  const deeperThan = (value: unknown, depthMax: number): boolean => {
    let level: unknown[] = [value]
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > depthMax) return true
      level = level.filter(isObject).flatMap((one): unknown[] => Object.values(one))
    }
    return false
  }

  const json: Answers['json'] = (value, what) => {
    let wrong: string | undefined
    const text: unknown = stringify(value, (key, one: unknown) => {
      const odd =
        ['function', 'symbol', 'bigint'].includes(typeof one) || (typeof one === 'number' && !Number.isFinite(one))
      if (odd) wrong ??= `\`${key.slice(0, 80)}\` in ${what} is ${shown(one)}, which JSON cannot express`
      return odd ? null : one
    })
    if (wrong !== undefined) return { wrong }
    if (typeof text !== 'string') return { wrong: `${what} is ${shown(value)}, which is not JSON` }
    if (text.length > limits.charactersMax)
      return { wrong: `${what} is over ${limits.charactersMax} characters of JSON` }
    if (deeperThan(parse(text), limits.depthMax)) return { wrong: `${what} is nested deeper than ${limits.depthMax}` }
    return { text }
  }

  const field = (kind: string, value: unknown): ReadAnswer => {
    if (kind === 'effect') {
      if (effects.has(value)) return { text: `"effect":${stringify(value)}` }
      return { wrong: `decide returned the effect ${shown(value)}: it must be \`deny\`, \`ask\` or \`allow\`` }
    }
    if (kind === 'at') {
      if (isIndex(value)) return { text: `"at":${value}` }
      const several = isArray(value) ? answersOf(value) : 'no list'
      if (typeof several !== 'string' && several.every(isIndex)) return { text: `"at":[${several.join(',')}]` }
      const wanted = 'it must be the index of a command, or a list of them'
      return { wrong: `decide returned an answer whose \`at\` is ${shown(value)}: ${wanted}` }
    }
    if (kind === 'rewrite') {
      const read = json(value, 'the rewritten input')
      if ('wrong' in read) return { wrong: `decide returned a rewrite: ${read.wrong}` }
      if (read.text.startsWith('{')) return { text: `"rewrite":${read.text}` }
      return { wrong: `decide returned the rewrite ${shown(value)}: it must be the tool's input, an object` }
    }
    if (kind === 'replaceOutput') {
      const read = json(value, 'the new output')
      return 'wrong' in read
        ? { wrong: `decide returned a new output: ${read.wrong}` }
        : { text: `"replaceOutput":${read.text}` }
    }
    if (typeof value === 'string') {
      // Checked before encoding, so that no time goes into text that is refused anyway.
      if (value.length > limits.charactersMax) return { wrong: tooLong }
      return { text: `${stringify(kind)}:${stringify(value)}` }
    }
    return { wrong: `decide returned an answer whose \`${kind}\` is ${shown(value)}: it must be a string` }
  }
  const tooLong = `decide returned more than ${limits.charactersMax} characters: shorten the answer`

  const answer = (one: unknown): ReadAnswer => {
    if (!isObject(one)) return { wrong: `decide returned ${shown(one)} as an answer: ${right}` }
    const fields = new Map<string, unknown>()
    for (const key of ownKeys(one)) {
      const known = typeof key === 'string' && (kinds.includes(key) || details.has(key))
      if (!known) {
        const kindsText = kinds.map((kind) => `\`${kind}\``).join(', ')
        return {
          wrong: `decide returned an answer with the key \`${String(key).slice(0, 80)}\`: it must have one of ${kindsText}`,
        }
      }
      const property = getOwnPropertyDescriptor(one, key)
      if (property === undefined || !('value' in property))
        return { wrong: `decide returned an answer whose \`${key}\` is an accessor: it must be a plain value` }
      // Passing an optional reason on yields `{ effect: 'allow', reason: undefined }`, which is accepted.
      if (!details.has(key) || property.value !== undefined) fields.set(key, property.value)
    }
    const kindsGiven = [...fields.keys()].filter((key) => !details.has(key))
    const [kind] = kindsGiven
    if (kind === undefined) return { wrong: `decide returned an empty answer: ${right}` }
    if (kindsGiven.length > 1)
      return { wrong: `decide returned one answer with \`${kindsGiven.join('` and `')}\`: return an array of answers` }
    const detail = [...fields.keys()].find((key) => details.has(key))
    if (detail !== undefined && kind !== 'effect' && !(kind === 'replaceOutput' && detail === 'reason'))
      return {
        wrong: `decide returned \`${detail}\` with \`${kind}\`: only an effect has a${detail === 'at' ? 'n' : ''} ${detail}`,
      }
    const texts: string[] = []
    for (const [key, value] of fields) {
      const read = field(key, value)
      if ('wrong' in read) return read
      texts.push(read.text)
    }
    return { text: `{${texts.join(',')}}` }
  }

  const answersOf = (reply: object): readonly unknown[] | string => {
    const length: unknown = getOwnPropertyDescriptor(reply, 'length')?.value
    if (typeof length !== 'number' || length > limits.answersMax)
      return `decide returned ${String(length)} answers: at most ${limits.answersMax} are read`
    return Array.from({ length }, (_, index): unknown => getOwnPropertyDescriptor(reply, index)?.value)
  }

  const read: Answers['read'] = (reply) => {
    if (reply === undefined) return { text: '0' }
    if (reply === null) return { wrong: 'decide returned `null`: return nothing to abstain' }
    if (!isObject(reply)) return { wrong: `decide returned ${shown(reply)}: ${right}` }
    if (getPrototypeOf(reply) === promise) return { wrong: 'decide returned a promise: it must not be `async`' }
    const several = isArray(reply) ? answersOf(reply) : [reply]
    if (typeof several === 'string') return { wrong: several }
    if (several.length === 0) return { text: '0' }
    const texts: string[] = []
    for (const one of several) {
      const part = answer(one)
      if ('wrong' in part) return part
      texts.push(part.text)
    }
    const text = `[${texts.join(',')}]`
    return text.length > limits.charactersMax ? { wrong: tooLong } : { text }
  }
  return { json, read }
}
