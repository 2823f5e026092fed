/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- a part is evaluated from its own source text, so its helpers must stay inside it, and natives are captured before a policy could replace them */
import { pastLimits } from '../../../model/past-limits.ts'
import { limits } from '../../../model/limits.ts'
import { toolEvents } from '../../../model/tool-kinds.ts'
import { type Answers, makeAnswers, type ReadAnswer } from './answers.ts'
import { type CalledPolicy, type InputReader, makeInputReader } from './input-reader.ts'
import {
  type Clock,
  enableOverrides,
  type Hardening,
  hiddenIntrinsics,
  makeHardening,
  pinDate,
  pinLocale,
  tameGlobals,
} from './globals.ts'
import { type ErrorDescriber, makeErrorDescriber } from './errors.ts'
import type { Json } from '../../../model/json.ts'

/** Returns an expression that evaluates to the part: its source text in parentheses. */
const sourceOf = (part: (...args: never[]) => unknown): string => `(${String(part)})`

/** Parsed params that a sandbox thread caches: one for each rule, and room for newer rules. */
export const policyParamsRememberedMax = 1000

/** Cached lists of policies called together, in UTF-16 units: for ten policies, some hundred per kind of event. */
const policyCallsRememberedCharactersMax = 256 * 1024

/**
 * The function body that turns a bare context into the realm that policies run in. `$0` is the JSON list of the files
 * that policies are written in; the body returns the `Realm`.
 *
 * The parts are ordinary functions, typed and linted as such, and their source text is evaluated inside the isolate.
 * The order matters: a part that captures a native function comes before the one that removes it, and everything is
 * frozen last.
 */
export const realmText = `'use strict'
const clock = { atMs: 0 }
// The machine's clock, kept for hookgate itself: policies see only the event's time.
const machineMs = Date.now
const { harden, hardenExports } = ${sourceOf(makeHardening)}()
const hidden = ${sourceOf(hiddenIntrinsics)}();
${sourceOf(pinDate)}(clock);
${sourceOf(pinLocale)}();
${sourceOf(enableOverrides)}();
${sourceOf(tameGlobals)}()
const thrown = ${sourceOf(makeErrorDescriber)}(${limits.policyErrorCharactersMax}, new Set(JSON.parse($0)))
const answers = ${sourceOf(makeAnswers)}(${JSON.stringify({
  answersMax: limits.policyAnswersMax,
  charactersMax: limits.policyAnswerCharactersMax,
  depthMax: limits.jsonDepthMax,
})})
const inputs = ${sourceOf(makeInputReader)}(${JSON.stringify({
  paramsMax: policyParamsRememberedMax,
  callsCharactersMax: policyCallsRememberedCharactersMax,
})}, ${JSON.stringify(toolEvents)})
harden(globalThis, ...hidden)
return ${sourceOf(makeRealm)}({ clock, machineMs, harden, hardenExports, thrown, answers, inputs }, ${limits.policyAnswersCharactersMax}, ${pastLimits.stateCharactersMax})`

/** The realm's interface to the host. Only strings cross it, except for the functions that the host compiled. */
interface PolicyRealm {
  /** Freezes the values that a module holds at its end, exported or not. */
  readonly harden: Hardening['harden']
  /** Freezes a module's exports after the module has run. */
  readonly hardenExports: Hardening['hardenExports']
  /** Resets the clock and the error locations before a module runs: its values serve all events, at any time. */
  beginModule(): void
  /** Returns where the error that a module has just ended with was thrown; `''` if in no author's file. */
  readonly takePlace: ErrorDescriber['takePlace']
  /** @param exports the namespace of the policy's own module */
  add(index: number, file: string, exports: object): void
  /** Returns a policy's description as JSON: `{"definition": text}` or `{"failure": …}`. */
  describe(index: number): string
  /**
   * Decides events one after the other. Each has a line in `heads`: the time, the fact values and the list of policies
   * to call, separated by tabs. Their inputs follow as `texts`. Returns one line for each event: a JSON array
   * with, for each policy in order, `0`, an array of answers, or `{"failure": …}`; then a tab, and `index:ms` for each
   * policy that took long enough for the clock to advance. Returns a line starting with `!` if the host's request was
   * malformed (a bug in hookgate).
   */
  evaluate(heads: string, ...texts: readonly string[]): string
}

interface RealmPolicy {
  readonly file: string
  readonly exports: object | undefined
  definition?: Definition
}

interface Definition {
  readonly whole: object
  readonly decide: unknown
}

interface RealmParts {
  readonly clock: Clock
  /** Reads the machine's clock, in whole milliseconds: a call of a finer clock costs more than most policies. */
  readonly machineMs: () => number
  readonly harden: Hardening['harden']
  readonly hardenExports: Hardening['hardenExports']
  readonly thrown: ErrorDescriber
  readonly answers: Answers
  readonly inputs: InputReader
  readonly authored: Set<string>
}

/**
 * Creates the realm's interface to the host.
 *
 * Evaluated from its source text inside the isolate, before any policy: it may refer to nothing outside itself.
 *
 * INVARIANT: no thrown value leaves the realm, because the code that receives it outside runs without a time limit.
 */
function makeRealm(
  { clock, machineMs, harden, hardenExports, thrown, answers, inputs }: RealmParts,
  charactersMax: number,
  stateCharactersMax: number,
): PolicyRealm {
  const { apply, getOwnPropertyDescriptor, ownKeys } = Reflect
  const policies = new Map<number, RealmPolicy>()

  const failure = (message: string, code = 'policyThrew'): string => JSON.stringify({ failure: { code, message } })
  const textOr = (file: string, read: ReadAnswer): string =>
    'text' in read ? read.text : failure(`${file}: ${read.wrong}`)

  const plain = (whole: object, key: string): unknown => {
    const property = getOwnPropertyDescriptor(whole, key)
    if (property !== undefined && !('value' in property))
      throw new TypeError(`its \`${key}\` is an accessor: make it a plain value`)
    return property?.value
  }

  const definitionOf = (policy: RealmPolicy): Definition => {
    if (policy.definition !== undefined) return policy.definition
    const { exports } = policy
    const whole: unknown = exports && getOwnPropertyDescriptor(exports, 'default')?.value
    if (typeof whole !== 'object' || whole === null) throw new TypeError(noPolicy)
    const definition = { whole, decide: plain(whole, 'decide') }
    policy.definition = definition
    return definition
  }
  const unknownPolicy: RealmPolicy = { file: 'no policy', exports: undefined }
  const noPolicy = 'it does not export a policy: begin with `export default definePolicy`'

  const none = Object.freeze({})
  const declaredIn = (definition: object, key: string): object => {
    const declared = plain(definition, key)
    return typeof declared === 'object' && declared !== null ? declared : none
  }
  const namesOf = (declared: object) => ownKeys(declared).filter((key) => typeof key === 'string')
  // `fromEntries` defines properties instead of assigning them: a fact may have any name, even `__proto__`.
  const madeOf = (entries: readonly (readonly [string, unknown])[]): object =>
    Object.freeze(Object.fromEntries(entries))

  const factsFor = (definition: object, places: readonly number[], values: readonly Json[]): object =>
    places.length === 0
      ? none
      : madeOf(namesOf(declaredIn(definition, 'facts')).map((name, at) => [name, values[places[at] ?? -1]]))

  /** The states that policies' own `reduce` have made in one call, as the members of a JSON object. */
  let reduced: string[] = []

  /** @throws what `reduce` throws, and where it returns what is no JSON or too long */
  const reducedState = (name: string, declared: object, reduce: Function, given: Json | undefined): unknown => {
    if (typeof given !== 'object' || given === null) return undefined
    // oxlint-disable-next-line no-unsafe-type-assertion -- the host wrote it
    const { state: initial, steps } = given as unknown as { state: Json; steps: readonly Json[] }
    let state: unknown = initial
    for (const step of steps) state = apply(reduce, declared, [state, step])
    const read = answers.json(state, `the state \`${name}\``)
    if ('wrong' in read) throw new TypeError(read.wrong)
    if (read.text.length > stateCharactersMax)
      throw new TypeError(
        `the state \`${name}\` is over ${stateCharactersMax} characters of JSON: keep less of the past`,
      )
    reduced.push(`${JSON.stringify(name)}:${read.text}`)
    return inputs.values(`[${read.text}]`)[0]
  }

  const stateFor = (definition: object, places: readonly number[], values: readonly Json[]): object => {
    if (places.length === 0) return none
    const states = declaredIn(definition, 'state')
    const first = namesOf(declaredIn(definition, 'facts')).length
    return madeOf(
      namesOf(states).map((name, at) => {
        const given = values[places[first + at] ?? -1]
        const declared = plain(states, name)
        if (typeof declared !== 'object' || declared === null) return [name, given]
        const reduce = plain(declared, 'reduce')
        return [name, typeof reduce === 'function' ? reducedState(name, declared, reduce, given) : given]
      }),
    )
  }

  /** Describes a policy's states: a function `reduce` stays here, and `true` says that there is one. */
  const describedStates = (states: unknown): unknown => {
    if (typeof states !== 'object' || states === null) return states
    return Object.fromEntries(
      namesOf(states).map((name) => {
        const declared = plain(states, name)
        if (typeof declared !== 'object' || declared === null) return [name, declared]
        const copy = namesOf(declared).map((key) => [key, plain(declared, key)] as const)
        const isCustom = typeof plain(declared, 'reduce') === 'function'
        return [name, Object.fromEntries(isCustom ? [...copy, ['kind', 'custom'], ['reduce', true]] : copy)]
      }),
    )
  }

  const callDecide = ({ index }: CalledPolicy, inputFor: (definition: object) => object): string => {
    const policy = policies.get(index) ?? unknownPolicy
    const { file } = policy
    thrown.forget()
    try {
      const { whole, decide } = definitionOf(policy)
      if (typeof decide !== 'function') return failure(`${file}: it has no function \`decide\``)
      reduced = []
      const text = textOr(file, answers.read(apply(decide, whole, [inputFor(whole)])))
      return reduced.length === 0 || text.startsWith('{')
        ? text
        : `{"state":{${reduced.join(',')}},"answers":${text === '0' ? '[]' : text}}`
    } catch (error) {
      return failure(thrown.describe(error, file))
    }
  }

  /** Returns the answers of all policies of one event, as a JSON array, and behind a tab the times of the slow ones. */
  const callAll = (asked: readonly CalledPolicy[], values: readonly Json[], next: () => string): string => {
    const { event, tool, shell, paths, changes, impacts } = inputs.common(next)
    // Policies without facts and with the same params share one input object: it is frozen.
    let shared: { readonly params: unknown; readonly given: object } | undefined
    let text = '['
    let times = ''
    let at = -1
    let beforeMs = machineMs()
    for (const one of asked) {
      at += 1
      if (text.length > charactersMax) {
        const { file } = policies.get(one.index) ?? unknownPolicy
        text += `,${failure(`${file}: was not evaluated: the answers of earlier policies were too long`, 'exhausted')}`
        continue
      }
      const answer = callDecide(one, (definition) => {
        const { params, facts: places } = one
        if (places.length === 0 && shared?.params === params) return shared.given
        const facts = factsFor(definition, places, values)
        const state = stateFor(definition, places, values)
        const given = Object.freeze({ event, tool, facts, params, state, shell, paths, changes, impacts })
        if (places.length === 0) shared = { params, given }
        return given
      })
      text += text === '[' ? answer : `,${answer}`
      const afterMs = machineMs()
      if (afterMs > beforeMs) times += `${times === '' ? '' : ','}${at}:${afterMs - beforeMs}`
      beforeMs = afterMs
    }
    return `${text}]\t${times}`
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
      const policy = policies.get(index) ?? unknownPolicy
      const { file } = policy
      thrown.forget()
      try {
        const { whole, decide } = definitionOf(policy)
        if (typeof decide !== 'function') return failure(`${file}: it has no function \`decide\``)
        const rest = ownKeys(whole).filter((key) => key !== 'decide')
        const copy: object = Object.fromEntries(
          rest.map((key) => [key, key === 'state' ? describedStates(plain(whole, key)) : plain(whole, String(key))]),
        )
        const read = answers.json(copy, 'its definition')
        return 'text' in read ? JSON.stringify({ definition: read.text }) : failure(`${file}: ${read.wrong}`)
      } catch (error) {
        return failure(thrown.describe(error, file))
      }
    },
    evaluate(heads, ...texts) {
      try {
        let read = 0
        const next = () => texts[read++] ?? ''
        const results: string[] = []
        for (const head of heads.split('\n')) {
          const [atMs, values = '', asked = ''] = head.split('\t')
          clock.atMs = Number(atMs)
          results.push(callAll(inputs.policies(asked), inputs.values(values), next))
        }
        return results.length === 1 ? (results[0] ?? '') : results.join('\n')
      } catch (error) {
        return `!${thrown.describe(error, 'realm')}`
      }
    },
  }
}
