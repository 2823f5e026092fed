/* oxlint-disable unicorn/consistent-function-scoping, typescript/unbound-method -- what is outside of a part does not go into the isolate with it, and natives are captured before a policy could replace them */
import type { JsonObject } from '../../model/json.ts'
import type { PolicyInput, PolicyTool } from '../../model/policy.ts'
import type { ShellFacts, TouchedPath } from '../../model/shell.ts'

/** What all policies of one call are given alike. */
export interface CommonAsked {
  readonly event: PolicyInput['event']
  readonly tool: PolicyTool | undefined
  readonly shell: ShellFacts
  readonly paths: readonly TouchedPath[]
}

export interface Asking {
  /** Reads a `PolicyInput`. */
  readonly common: (input: string) => CommonAsked
  /** Reads a policy's params. What was read before is remembered, for frozen data is no state. */
  readonly params: (text: string) => JsonObject
  readonly freeze: <Data>(data: Data) => Data
}

/**
 * Makes what `decide` is given, frozen whole. Runs inside of the isolate before any policy, from its own text: it may
 * use nothing that is not in it.
 */
export function makeAsking(paramsRememberedMax: number, toolEvents: readonly string[]): Asking {
  const { freeze, hasOwn, values } = Object
  const remembered = new Map<string, JsonObject>()
  const aboutTools: ReadonlySet<string> = new Set(toolEvents)

  /** What `JSON.parse` made. It may nest as deep as the text is long, and recursion would not. */
  const freezeData: Asking['freeze'] = (data) => {
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

  return {
    freeze: freezeData,
    common(text) {
      // oxlint-disable-next-line no-unsafe-assignment -- of the host's own making
      const input: PolicyInput = JSON.parse(text)
      const { event, shell = noShell, paths: own = noPaths } = input
      const paths = shell === noShell ? own : own.concat(...shell.commands.map((one) => one.paths))
      return freezeData({ event, tool: toolOf(input), shell, paths })
    },
    params(text) {
      const known = remembered.get(text)
      if (known !== undefined) return known
      // oxlint-disable-next-line no-unsafe-assignment -- of the host's own making
      const params: JsonObject = freezeData(JSON.parse(text))
      if (remembered.size >= paramsRememberedMax) remembered.clear()
      remembered.set(text, params)
      return params
    },
  }
}
