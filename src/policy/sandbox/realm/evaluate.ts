/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- what is outside of a part does not go into the isolate with it, and natives are captured before a policy could replace them */
import type { Json } from '../../../model/json.ts'
import type { Answers, Read } from './answers.ts'
import type { AskedPolicy, Asking } from './asked.ts'
import type { Clock } from './date.ts'
import type { Thrown } from './errors.ts'
import type { Hardening } from './harden.ts'

/** What the host calls. All of it takes and gives texts, but for the functions that the host compiled. */
export interface Realm {
  /** Freezes values that a module is about to end with, whether it exports them or not. */
  readonly harden: Hardening['harden']
  /** Freezes what a module exports, once it has run. */
  readonly hardenExports: Hardening['hardenExports']
  /** A module is run next: what it makes is made for all events, and knows the time of none. */
  beginModule(): void
  /** Where the error was thrown that a module has just ended with; `''` where that is in no author's file. */
  readonly takePlace: Thrown['takePlace']
  /** Adds a policy. @param exports of its own module */
  add(index: number, file: string, exports: object): void
  /** `{"definition": text}` or `{"failure": …}`. */
  describe(index: number): string
  /**
   * Decides events one after the other. Each is two lines: the time, the values of its facts and who is asked, with tabs
   * between them; and the event. Returns a line for each, which has for each policy in order `0`, an array of answers, or
   * `{"failure": …}`. What the host got wrong begins with `!`.
   */
  evaluate(questions: string): string
}

interface Loaded {
  readonly file: string
  readonly exports: object | undefined
  definition?: Definition
}

interface Definition {
  readonly whole: object
  readonly decide: unknown
}

interface Parts {
  readonly clock: Clock
  readonly harden: Hardening['harden']
  readonly hardenExports: Hardening['hardenExports']
  readonly thrown: Thrown
  readonly answers: Answers
  readonly asking: Asking
  readonly authored: Set<string>
}

/**
 * Runs policies. Runs inside of the isolate before any policy, from its own text: it may use nothing that is not in it.
 *
 * INVARIANT: nothing thrown leaves the realm, for what receives it outside has no limit of time.
 */
export function makeRealm(
  { clock, harden, hardenExports, thrown, answers, asking }: Parts,
  charactersMax: number,
): Realm {
  const { apply, getOwnPropertyDescriptor, ownKeys } = Reflect
  const policies = new Map<number, Loaded>()

  const failure = (message: string, code = 'policyThrew'): string => JSON.stringify({ failure: { code, message } })
  const textOr = (file: string, read: Read): string => ('text' in read ? read.text : failure(`${file}: ${read.wrong}`))

  const plain = (whole: object, key: string): unknown => {
    const property = getOwnPropertyDescriptor(whole, key)
    if (property !== undefined && !('value' in property))
      throw new TypeError(`its \`${key}\` is an accessor: make it a plain value`)
    return property?.value
  }

  const definitionOf = (policy: Loaded): Definition => {
    if (policy.definition !== undefined) return policy.definition
    const { exports } = policy
    const whole: unknown = exports && getOwnPropertyDescriptor(exports, 'default')?.value
    if (typeof whole !== 'object' || whole === null) throw new TypeError(noPolicy)
    const definition = { whole, decide: plain(whole, 'decide') }
    policy.definition = definition
    return definition
  }
  const nobody: Loaded = { file: 'no policy', exports: undefined }
  const noPolicy = 'it does not export a policy: begin with `export default definePolicy`'

  const noFacts = Object.freeze({})
  const factsFor = (definition: object, places: readonly number[], values: readonly Json[]): object => {
    if (places.length === 0) return noFacts
    const declared = plain(definition, 'facts')
    if (typeof declared !== 'object' || declared === null) return noFacts
    const facts = ownKeys(declared).filter((key) => typeof key === 'string')
    // `fromEntries` defines: a fact may have any name, `__proto__` among them.
    return Object.freeze(Object.fromEntries(facts.map((name, at) => [name, values[places[at] ?? -1]])))
  }

  const decided = ({ index }: AskedPolicy, askedOf: (definition: object) => object): string => {
    const policy = policies.get(index) ?? nobody
    const { file } = policy
    thrown.forget()
    try {
      const { whole, decide } = definitionOf(policy)
      if (typeof decide !== 'function') return failure(`${file}: it has no function \`decide\``)
      return textOr(file, answers.read(apply(decide, whole, [askedOf(whole)])))
    } catch (error) {
      return failure(thrown.describe(error, file))
    }
  }

  /** What all policies of one event answer. */
  const decidedBy = (asked: readonly AskedPolicy[], values: readonly Json[], input: string): string => {
    const { event, tool, shell, paths } = asking.common(input)
    // Who has no facts and the same params is given the very same: it is frozen, and asked by all of them.
    let same: { readonly params: unknown; readonly given: object } | undefined
    let text = '['
    for (const one of asked) {
      if (text.length > charactersMax) {
        const { file } = policies.get(one.index) ?? nobody
        text += `,${failure(`${file}: was not asked: the answers of earlier policies were too long`, 'exhausted')}`
        continue
      }
      const answer = decided(one, (definition) => {
        const { params, facts: places } = one
        if (places.length === 0 && same?.params === params) return same.given
        const given = Object.freeze({ event, tool, facts: factsFor(definition, places, values), params, shell, paths })
        if (places.length === 0) same = { params, given }
        return given
      })
      text += text === '[' ? answer : `,${answer}`
    }
    return `${text}]`
  }

  return {
    harden,
    hardenExports,
    beginModule() {
      clock.atMs = 0
      thrown.forget()
    },
    takePlace: thrown.takePlace,
    add(index, file, exports) {
      policies.set(index, { file, exports })
    },
    describe(index) {
      const policy = policies.get(index) ?? nobody
      const { file } = policy
      thrown.forget()
      try {
        const { whole, decide } = definitionOf(policy)
        if (typeof decide !== 'function') return failure(`${file}: it has no function \`decide\``)
        const rest = ownKeys(whole).filter((key) => key !== 'decide')
        const copy: object = Object.fromEntries(rest.map((key) => [key, plain(whole, String(key))]))
        const read = answers.json(copy, 'its definition')
        return 'text' in read ? JSON.stringify({ definition: read.text }) : failure(`${file}: ${read.wrong}`)
      } catch (error) {
        return failure(thrown.describe(error, file))
      }
    },
    evaluate(questions) {
      try {
        const texts: string[] = []
        for (let start = 0; start < questions.length;) {
          const end = questions.indexOf('\n', start)
          const next = questions.indexOf('\n', end + 1)
          const [atMs, values = '', asked = ''] = questions.slice(start, end).split('\t')
          clock.atMs = Number(atMs)
          texts.push(decidedBy(asking.policies(asked), asking.values(values), questions.slice(end + 1, next)))
          start = next + 1
        }
        return texts.length === 1 ? (texts[0] ?? '') : texts.join('\n')
      } catch (error) {
        return `!${thrown.describe(error, 'realm')}`
      }
    },
  }
}
