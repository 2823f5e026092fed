/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- what is outside of a part does not go into the isolate with it, and natives are captured before a policy could replace them */
import type { JsonObject, Json } from '../../model/json.ts'
import type { Answers, Read } from './realm-answers.ts'
import type { Asking } from './realm-asked.ts'
import type { Clock } from './realm-date.ts'
import type { Thrown } from './realm-errors.ts'
import type { Harden } from './realm-harden.ts'

/** One module of a policy, compiled: it makes its exports anew whenever it is called. */
export type Factory = (library: unknown, modules: readonly unknown[]) => Readonly<Record<string, unknown>>

/** What the host calls. All of it takes and gives texts, but for the functions that the host compiled. */
export interface Realm {
  /** Runs the library, once. */
  useLibrary(factory: Factory): void
  /** Takes a policy in, made of these modules; its index is the next. */
  add(file: string, ...factories: Factory[]): void
  /** `{"definition": text}` or `{"failure": …}`. */
  describe(index: number): string
  /** For each call in order `0`, an array of answers, or `{"failure": …}`. What the host got wrong begins with `!`. */
  evaluate(call: string, input: string): string
}

interface Parts {
  readonly clock: Clock
  readonly harden: Harden
  readonly thrown: Thrown
  readonly answers: Answers
  readonly asking: Asking
  readonly authored: Set<string>
}

/** What `evaluate` is asked, of the host's making. */
interface Call {
  readonly atMs: number
  readonly calls: readonly (readonly [policy: number, facts: readonly number[], params: string])[]
  readonly values: readonly Json[]
}

/**
 * Runs policies. Runs inside of the isolate before any policy, from its own text: it may use nothing that is not in it.
 *
 * INVARIANT: nothing thrown leaves the realm, for what receives it outside has no limit of time.
 */
export function makeRealm({ clock, harden, thrown, answers, asking }: Parts): Realm {
  const { apply, getOwnPropertyDescriptor, ownKeys } = Reflect
  const policies: { readonly file: string; readonly factories: readonly Factory[] }[] = []
  let library: unknown

  const failure = (message: string): string => JSON.stringify({ failure: { code: 'policyThrew', message } })
  const textOr = (file: string, read: Read): string => ('text' in read ? read.text : failure(`${file}: ${read.wrong}`))

  /** Runs every module of a policy afresh: nothing that the last evaluation left behind is there. */
  const definitionOf = (factories: readonly Factory[]): object => {
    const modules: unknown[] = []
    for (const factory of factories) modules.push(factory(library, modules))
    const exported: unknown = modules.at(-1)
    const definition: unknown =
      typeof exported === 'object' && exported !== null
        ? getOwnPropertyDescriptor(exported, 'default')?.value
        : undefined
    if (typeof definition !== 'object' || definition === null) throw new TypeError(noPolicy)
    return definition
  }
  const noPolicy = 'it exports no policy: begin with `export default definePolicy`'

  const plain = (whole: object, key: string): unknown => {
    const property = getOwnPropertyDescriptor(whole, key)
    if (property !== undefined && !('value' in property))
      throw new TypeError(`its \`${key}\` is an accessor: make it a plain value`)
    return property?.value
  }

  const noFacts = Object.freeze({})
  const factsFor = (definition: object, places: readonly number[], values: readonly Json[]): object => {
    if (places.length === 0) return noFacts
    const declared = plain(definition, 'facts')
    if (typeof declared !== 'object' || declared === null) return noFacts
    const facts = ownKeys(declared).filter((key) => typeof key === 'string')
    // `fromEntries` defines: a fact may have any name, `__proto__` among them.
    return Object.freeze(Object.fromEntries(facts.map((name, at) => [name, values[places[at] ?? -1]])))
  }

  const decided = (index: number, ask: (definition: object) => object): string => {
    const { file, factories } = policies[index] ?? { file: 'no policy', factories: [] }
    thrown.forget()
    try {
      const definition = definitionOf(factories)
      const decide = plain(definition, 'decide')
      if (typeof decide !== 'function') return failure(`${file}: it has no function \`decide\``)
      return textOr(file, answers.read(apply(decide, definition, [ask(definition)])))
    } catch (error) {
      return failure(thrown.describe(error, file))
    }
  }

  return {
    useLibrary(factory) {
      library = factory(undefined, [])
      harden(library, factory)
    },
    add(file, ...factories) {
      harden(...factories)
      policies.push({ file, factories })
    },
    describe(index) {
      const { file, factories } = policies[index] ?? { file: 'no policy', factories: [] }
      thrown.forget()
      try {
        const definition = definitionOf(factories)
        if (typeof plain(definition, 'decide') !== 'function') return failure(`${file}: it has no function \`decide\``)
        const rest = ownKeys(definition).filter((key) => key !== 'decide')
        const copy: object = Object.fromEntries(rest.map((key) => [key, plain(definition, String(key))]))
        const read = answers.json(copy, 'its definition')
        return 'text' in read ? JSON.stringify({ definition: read.text }) : failure(`${file}: ${read.wrong}`)
      } catch (error) {
        return failure(thrown.describe(error, file))
      }
    },
    evaluate(callText, input) {
      try {
        // oxlint-disable-next-line no-unsafe-assignment -- of the host's own making
        const call: Call = JSON.parse(callText)
        clock.atMs = call.atMs
        const { event, tool, shell, paths } = asking.common(input)
        for (const value of call.values) asking.freeze(value)
        const texts = call.calls.map(([index, places, paramsText]) =>
          decided(index, (definition) => {
            const facts = factsFor(definition, places, call.values)
            const params: JsonObject = asking.params(paramsText)
            return Object.freeze({ event, tool, facts, params, shell, paths })
          }),
        )
        return `[${texts.join(',')}]`
      } catch (error) {
        return `!${thrown.describe(error, 'realm')}`
      }
    },
  }
}
