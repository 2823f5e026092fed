/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- what is outside of a part does not go into the isolate with it, and natives are captured before a policy could replace them */
import type { JsonObject, Json } from '../../model/json.ts'
import type { Answers, Read } from './realm-answers.ts'
import type { Asking } from './realm-asked.ts'
import type { Clock } from './realm-date.ts'
import type { Thrown } from './realm-errors.ts'
import type { Harden } from './realm-harden.ts'

/**
 * One module of a policy, compiled: it makes its exports anew whenever it is called. One that is constant freezes its top
 * level with what it is given for that.
 */
export type Factory = (
  library: unknown,
  modules: readonly unknown[],
  freeze?: Harden,
) => Readonly<Record<string, unknown>>

/** What the host says of a module of a policy. */
export interface Linkage {
  /** Its place among all modules. */
  readonly module: number
  /** The places among those of its policy that it takes from. */
  readonly imports: readonly number[]
  readonly isConstant: boolean
}

/** What the host calls. All of it takes and gives texts, but for the functions that the host compiled. */
export interface Realm {
  /** Runs the library, once. */
  useLibrary(factory: Factory): void
  /** Takes a module in, whose place is the next. */
  addModule(factory: Factory): void
  /** Takes a policy in, whose index is the next. Its modules are told by the JSON of their linkages. */
  add(file: string, linkages: string): void
  /** `{"definition": text}` or `{"failure": …}`. */
  describe(index: number): string
  /** For each call in order `0`, an array of answers, or `{"failure": …}`. What the host got wrong begins with `!`. */
  evaluate(call: string, input: string): string
}

interface Part {
  readonly factory: Factory
  readonly linkage: Linkage
}

interface Loaded {
  readonly file: string
  readonly parts: readonly Part[]
  /** What it is, once it has been made of nothing but constant modules. */
  constant?: object
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
  const factories: Factory[] = []
  const policies: Loaded[] = []
  /** What constant modules have made. Who is made of the same modules shares it, as nobody can change it. */
  const constants = new WeakMap<Factory, { readonly taken: readonly unknown[]; readonly exports: unknown }[]>()
  let library: unknown

  const failure = (message: string): string => JSON.stringify({ failure: { code: 'policyThrew', message } })
  const textOr = (file: string, read: Read): string => ('text' in read ? read.text : failure(`${file}: ${read.wrong}`))

  const exportsOf = ({ factory, linkage }: Part, modules: readonly unknown[]): unknown => {
    const taken = linkage.imports.map((at) => modules[at])
    if (!linkage.isConstant) return factory(library, taken)
    const made = constants.get(factory) ?? []
    const known = made.find((one) => one.taken.every((other, at) => other === taken[at]))
    if (known !== undefined) return known.exports
    const exports = timeless(() => factory(library, taken, harden))
    harden(exports)
    // Last, for the call may be ended before this: what is remembered is frozen.
    made.push({ taken, exports })
    constants.set(factory, made)
    return exports
  }

  /** What is made for all evaluations knows the time of none. Where the call is ended here, the next one sets the clock. */
  const timeless = <Made>(make: () => Made): Made => {
    const { atMs } = clock
    try {
      clock.atMs = 0
      return make()
    } finally {
      clock.atMs = atMs
    }
  }

  /**
   * Runs the modules of a policy: those that could hold a state afresh, so that nothing that the last evaluation left
   * behind is there; the others once.
   */
  const definitionOf = (policy: Loaded): object => {
    if (policy.constant !== undefined) return policy.constant
    const modules: unknown[] = []
    for (const part of policy.parts) modules.push(exportsOf(part, modules))
    const exported: unknown = modules.at(-1)
    const definition: unknown =
      typeof exported === 'object' && exported !== null
        ? getOwnPropertyDescriptor(exported, 'default')?.value
        : undefined
    if (typeof definition !== 'object' || definition === null) throw new TypeError(noPolicy)
    // Whatever it imports is constant too.
    if (policy.parts.at(-1)?.linkage.isConstant === true) policy.constant = definition
    return definition
  }
  const nobody: Loaded = { file: 'no policy', parts: [] }
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
    const policy = policies[index] ?? nobody
    const { file } = policy
    thrown.forget()
    try {
      const definition = definitionOf(policy)
      const decide = plain(definition, 'decide')
      if (typeof decide !== 'function') return failure(`${file}: it has no function \`decide\``)
      return textOr(file, answers.read(apply(decide, definition, [ask(definition)])))
    } catch (error) {
      return failure(thrown.describe(error, file))
    }
  }

  return {
    useLibrary(factory) {
      library = factory(undefined, [], harden)
      harden(library, factory)
    },
    addModule(factory) {
      harden(factory)
      factories.push(factory)
    },
    add(file, linkageText) {
      // oxlint-disable-next-line no-unsafe-assignment -- of the host's own making
      const linkages: readonly Linkage[] = JSON.parse(linkageText)
      const parts = linkages.flatMap((linkage) => {
        const factory = factories[linkage.module]
        return factory === undefined ? [] : [{ factory, linkage }]
      })
      policies.push({ file, parts })
    },
    describe(index) {
      const policy = policies[index] ?? nobody
      const { file } = policy
      thrown.forget()
      try {
        const definition = definitionOf(policy)
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
