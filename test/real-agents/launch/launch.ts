import type { Call } from '../model/script.ts'

/** Where a program finds what it is given. */
export interface Around {
  /** Of the scripted model: `http://127.0.0.1:port`. */
  readonly origin: string
  readonly home: string
  readonly project: string
}

/** How an agent's program is started headless, without a login, with the scripted model for its model. */
export interface Launch {
  /** What people call the program on their PATH. */
  readonly name: string
  readonly args: (prompt: string, around: Around) => readonly string[]
  readonly env?: (around: Around) => Readonly<Record<string, string>>
  /** Files of its own below its home, as text. */
  readonly files?: (around: Around) => Readonly<Record<string, string>>
  /** Files of a project, by their paths in it, that keep the program from running any hook. */
  readonly switchesHooksOff?: Readonly<Record<string, string>>
  /** What it calls the event before a tool is run. Default: `PreToolUse`. */
  readonly toolEvent?: string
  /** A call of its shell tool. */
  readonly shell: (command: string) => Call
  /** A call that starts a sub-agent, where that can be had. */
  readonly subagent?: (prompt: string) => Call
  /** Whether a hook that cannot answer ends its run, beside refusing the call. */
  readonly unansweredEnds?: true
  /** Whether a refusal ends its turn, so that the model is asked nothing more. */
  readonly refusalEnds?: true
}
