/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- what is outside of a part does not go into the isolate with it, and natives are captured before a policy could replace them */
import type { Json } from '../../../model/json.ts'
import type { Answers, Read } from './answers.ts'
import type { AskedPolicy, Asking } from './asked.ts'
import type { Clock } from './date.ts'
import type { Thrown } from './errors.ts'
import type { Harden } from './harden.ts'

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
  /**
   * Decides events one after the other. Each is two lines: the time, the values of its facts and who is asked, with tabs
   * between them; and the event. Returns a line for each, which has for each policy in order `0`, an array of answers, or
   * `{"failure": …}`. What the host got wrong begins with `!`.
   */
  evaluate(questions: string): string
}

interface Part {
  readonly factory: Factory
  readonly linkage: Linkage
}

interface Loaded {
  readonly file: string
  readonly parts: readonly Part[]
  /** What it is, once it has been made of nothing but constant modules. */
  constant?: Definition
}

interface Definition {
  readonly whole: object
  readonly decide: unknown
}

interface Parts {
  readonly clock: Clock
  readonly harden: Harden
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
export function makeRealm({ clock, harden, thrown, answers, asking }: Parts, charactersMax: number): Realm {
  const { apply, getOwnPropertyDescriptor, ownKeys } = Reflect
  const factories: Factory[] = []
  const policies: Loaded[] = []
  /** What constant modules have made. Who is made of the same modules shares it, as nobody can change it. */
  const constants = new WeakMap<Factory, { readonly taken: readonly unknown[]; readonly exports: unknown }[]>()
  let library: unknown

  const failure = (message: string, code = 'policyThrew'): string => JSON.stringify({ failure: { code, message } })
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

  const plain = (whole: object, key: string): unknown => {
    const property = getOwnPropertyDescriptor(whole, key)
    if (property !== undefined && !('value' in property))
      throw new TypeError(`its \`${key}\` is an accessor: make it a plain value`)
    return property?.value
  }

  /**
   * Runs the modules of a policy: those that could hold a state afresh, so that nothing that the last evaluation left
   * behind is there; the others once.
   */
  const definitionOf = (policy: Loaded): Definition => {
    if (policy.constant !== undefined) return policy.constant
    const modules: unknown[] = []
    for (const part of policy.parts) modules.push(exportsOf(part, modules))
    const exported: unknown = modules.at(-1)
    const definition: unknown =
      typeof exported === 'object' && exported !== null
        ? getOwnPropertyDescriptor(exported, 'default')?.value
        : undefined
    if (typeof definition !== 'object' || definition === null) throw new TypeError(noPolicy)
    const made = { whole: definition, decide: plain(definition, 'decide') }
    // Whatever it imports is constant too.
    if (policy.parts.at(-1)?.linkage.isConstant === true) policy.constant = made
    return made
  }
  const nobody: Loaded = { file: 'no policy', parts: [] }
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
    const policy = policies[index] ?? nobody
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
        const { file } = policies[one.index] ?? nobody
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
