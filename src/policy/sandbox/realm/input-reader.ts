/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- a part is evaluated from its own source text, so its helpers must stay inside it, and natives are captured before a policy could replace them */
import type { Json, JsonObject } from '../../../model/json.ts'
import type { Impact } from '../../../model/impact.ts'
import type { PolicyInput, PolicyTool, TextPlace } from '../../../model/policy.ts'
import type { ShellFacts, TouchedPath } from '../../../model/shell.ts'
import type { TextChange } from '../../../model/tool-facts.ts'

/** The part of the input that all policies of one call share. */
interface SharedInput {
  readonly event: PolicyInput['event']
  readonly tool: PolicyTool | undefined
  readonly shell: ShellFacts
  readonly paths: readonly TouchedPath[]
  readonly changes: readonly TextChange[]
  readonly impacts: readonly Impact[]
}

/** One policy to call, with its own part of the input. */
export interface CalledPolicy {
  readonly index: number
  /** Indices of its facts and then its states, in declaration order, among the event's values; -1 without a value. */
  readonly facts: readonly number[]
  readonly params: JsonObject
}

export interface InputReader {
  /** Reads an `EncodedInput`, one text after the other. */
  readonly common: (next: () => string) => SharedInput
  /** Parses the list of policies to call. Results are cached; being frozen, they cannot carry state between events. */
  readonly policies: (text: string) => readonly CalledPolicy[]
  /** Parses the fact values of an event. */
  readonly values: (text: string) => readonly Json[]
}

interface InputCacheLimits {
  readonly paramsMax: number
  readonly callsCharactersMax: number
}

/**
 * Creates the reader that builds the deeply frozen input of `decide`.
 *
 * Evaluated from its source text inside the isolate, before any policy: it may refer to nothing outside itself.
 */
export function makeInputReader(remembered: InputCacheLimits, toolEvents: readonly string[]): InputReader {
  const { freeze, hasOwn, values } = Object
  const { parse, stringify } = JSON
  const { get, set } = Reflect
  const paramsKnown = new Map<string, JsonObject>()
  const policiesKnown = new Map<string, readonly CalledPolicy[]>()
  let charactersKnown = 0
  const aboutTools: ReadonlySet<string> = new Set(toolEvents)

  /** Freezes the result of `JSON.parse` deeply. Iterates, because deeply nested data would overflow a recursion. */
  const freezeData = <Data>(data: Data): Data => {
    if (typeof data !== 'object' || data === null) return data
    const queue: object[] = [data]
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      freeze(next)
      const parts: unknown[] = values(next)
      for (const part of parts) if (typeof part === 'object' && part !== null) queue.push(part)
    }
    return data
  }

  /** Replaces a value of the input. Its last key is an own one already, so that even `__proto__` is only a key. */
  const put = (input: object, place: TextPlace, text: string): void => {
    let whole = input
    const last = place.length - 1
    for (let at = 0; at < last; at += 1) {
      const part: unknown = get(whole, place[at] ?? '')
      if (typeof part === 'object' && part !== null) whole = part
    }
    set(whole, place[last] ?? '', text)
  }

  const noTool: PolicyTool = freezeData({ kind: 'other', name: '', input: {}, paths: [] })
  const noShell: ShellFacts = freezeData({ commands: [], flows: [], uncertain: [] })
  const noPaths: readonly TouchedPath[] = freezeData([])
  const noChanges: readonly TextChange[] = freezeData([])
  const noImpacts: readonly Impact[] = freezeData([])
  const fields = ['path', 'command', 'url', 'content'] as const

  const toolOf = ({ event, tool, same = {} }: PolicyInput): PolicyTool | undefined => {
    if (tool === undefined) return aboutTools.has(event.name) ? noTool : undefined
    const whole: { -readonly [Key in keyof PolicyTool]: PolicyTool[Key] } = tool
    for (const field of fields) {
      const key = same[field]
      const value = key !== undefined && hasOwn(tool.input, key) ? tool.input[key] : undefined
      if (typeof value === 'string') whole[field] = value
    }
    return whole
  }

  const paramsOf = (text: string): JsonObject => {
    const known = paramsKnown.get(text)
    if (known !== undefined) return known
    // oxlint-disable-next-line no-unsafe-assignment -- the host wrote it
    const params: JsonObject = freezeData(parse(text))
    if (paramsKnown.size >= remembered.paramsMax) paramsKnown.clear()
    paramsKnown.set(text, params)
    return params
  }

  const noValues: readonly Json[] = freeze([])

  return {
    common(next) {
      // oxlint-disable-next-line no-unsafe-assignment -- the host wrote it
      const input: PolicyInput = parse(next())
      if (input.texts !== undefined) for (const place of input.texts) put(input, place, next())
      const { event, shell = noShell, paths: own = noPaths, changes = noChanges, impacts = noImpacts } = input
      const paths = shell === noShell ? own : own.concat(...shell.commands.map((one) => one.paths))
      return freezeData({ event, tool: toolOf(input), shell, paths, changes, impacts })
    },
    policies(text) {
      const known = policiesKnown.get(text)
      if (known !== undefined) return known
      // oxlint-disable-next-line no-unsafe-assignment -- the host wrote it
      const calls: readonly (readonly [policy: number, facts: readonly number[], params: string])[] = parse(text)
      const asked = calls.map(([index, facts, params]) => ({ index, facts, params: paramsOf(params) }))
      charactersKnown += text.length
      if (charactersKnown > remembered.callsCharactersMax) {
        policiesKnown.clear()
        charactersKnown = text.length
      }
      // The key is a new string: `text` is a slice of the whole request and would keep all of it in memory.
      if (text.length <= remembered.callsCharactersMax) policiesKnown.set(stringify(calls), asked)
      return asked
    },
    values(text) {
      if (text === '[]') return noValues
      // oxlint-disable-next-line no-unsafe-assignment -- the host wrote it
      const read: readonly Json[] = parse(text)
      return freezeData(read)
    },
  }
}
