/** A tool call that the model makes, in the words of the agent that will carry it out. */
export interface Call {
  readonly tool: string
  /** Of a program that groups its tools. */
  readonly namespace?: string
  /** A text for a tool that takes no JSON. */
  readonly input: Readonly<Record<string, unknown>> | string
}

/** What the model answers once: calls, or a text, which ends the agent's turn. */
export type Turn =
  | { readonly calls: readonly Call[]; readonly before?: () => void | Promise<void> }
  | { readonly text: string; readonly before?: () => void | Promise<void> }

/** What a conversation is recognised by, in its first prompt; the same word stands in no other conversation's. */
export const mark = { main: 'HOOKGATE-MAIN', sub: 'HOOKGATE-SUB' } as const

/** The turns of a conversation, by its mark. */
export interface Script {
  readonly main: readonly Turn[]
  readonly sub?: readonly Turn[]
}

/** What of a request says where in the script it is: which tools there are, and how often the model has called some. */
export interface Standing {
  readonly hasTools: boolean
  readonly turnsTaken: number
}

const done: Turn = { text: 'Done.' }

/**
 * The turn that answers a request. It is read from the request alone, so that one that is sent twice is answered twice
 * alike. Programs also ask for titles and summaries, without tools, or with prompts of their own: those get a text.
 */
export function turnFor(script: Script, body: string, { hasTools, turnsTaken }: Standing): Turn {
  if (!hasTools) return done
  // What a sub-agent is told stands in the conversation that started it as well, and not the other way round.
  const turns = body.includes(mark.main) ? script.main : body.includes(mark.sub) ? (script.sub ?? []) : []
  return turns[turnsTaken] ?? done
}
