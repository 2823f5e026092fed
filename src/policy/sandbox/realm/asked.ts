/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- what is outside of a part does not go into the isolate with it, and natives are captured before a policy could replace them */
import type { Json, JsonObject } from '../../../model/json.ts'
import type { PolicyInput, PolicyTool } from '../../../model/policy.ts'
import type { ShellFacts, TouchedPath } from '../../../model/shell.ts'

/** What all policies of one call are given alike. */
export interface CommonAsked {
  readonly event: PolicyInput['event']
  readonly tool: PolicyTool | undefined
  readonly shell: ShellFacts
  readonly paths: readonly TouchedPath[]
}

/** One policy that is asked. */
export interface AskedPolicy {
  readonly index: number
  /** Of its facts, in the order of their declaration, the places among the values of the event; -1 for one not known. */
  readonly facts: readonly number[]
  readonly params: JsonObject
}

export interface Asking {
  /** Reads a `PolicyInput`. */
  readonly common: (input: string) => CommonAsked
  /** Reads which policies are asked. What was read before is remembered, for frozen data is no state. */
  readonly policies: (text: string) => readonly AskedPolicy[]
  /** Reads the values of the facts of an event. */
  readonly values: (text: string) => readonly Json[]
}

export interface RememberedLimits {
  readonly paramsMax: number
  readonly callsCharactersMax: number
}

/**
 * Makes what `decide` is given, frozen whole. Runs inside of the isolate before any policy, from its own text: it may
 * use nothing that is not in it.
 */
export function makeAsking(remembered: RememberedLimits, toolEvents: readonly string[]): Asking {
  const { freeze, hasOwn, values } = Object
  const { parse, stringify } = JSON
  const paramsKnown = new Map<string, JsonObject>()
  const policiesKnown = new Map<string, readonly AskedPolicy[]>()
  let charactersKnown = 0
  const aboutTools: ReadonlySet<string> = new Set(toolEvents)

  /** What `JSON.parse` made. It may nest as deep as the text is long, and recursion would not. */
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

  const none: PolicyTool = freezeData({ kind: 'other', name: '', input: {}, paths: [] })
  const noShell: ShellFacts = freezeData({ commands: [], flows: [], uncertain: [] })
  const noPaths: readonly TouchedPath[] = freezeData([])
  const fields = ['path', 'command', 'url', 'content'] as const

  const toolOf = ({ event, tool, same = {} }: PolicyInput): PolicyTool | undefined => {
    if (tool === undefined) return aboutTools.has(event.name) ? none : undefined
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
    // oxlint-disable-next-line no-unsafe-assignment -- of the host's own making
    const params: JsonObject = freezeData(parse(text))
    if (paramsKnown.size >= remembered.paramsMax) paramsKnown.clear()
    paramsKnown.set(text, params)
    return params
  }

  const noValues: readonly Json[] = freeze([])

  return {
    common(text) {
      // oxlint-disable-next-line no-unsafe-assignment -- of the host's own making
      const input: PolicyInput = parse(text)
      const { event, shell = noShell, paths: own = noPaths } = input
      const paths = shell === noShell ? own : own.concat(...shell.commands.map((one) => one.paths))
      return freezeData({ event, tool: toolOf(input), shell, paths })
    },
    policies(text) {
      const known = policiesKnown.get(text)
      if (known !== undefined) return known
      // oxlint-disable-next-line no-unsafe-assignment -- of the host's own making
      const calls: readonly (readonly [policy: number, facts: readonly number[], params: string])[] = parse(text)
      const asked = calls.map(([index, facts, params]) => ({ index, facts, params: paramsOf(params) }))
      charactersKnown += text.length
      if (charactersKnown > remembered.callsCharactersMax) {
        policiesKnown.clear()
        charactersKnown = text.length
      }
      // Not by the text itself, which is a part of what was asked and would keep all of that.
      if (text.length <= remembered.callsCharactersMax) policiesKnown.set(stringify(calls), asked)
      return asked
    },
    values(text) {
      if (text === '[]') return noValues
      // oxlint-disable-next-line no-unsafe-assignment -- of the host's own making
      const read: readonly Json[] = parse(text)
      return freezeData(read)
    },
  }
}
