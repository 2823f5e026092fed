import type { AgentName } from '../../model/event.ts'
import type { OnFailure } from '../../model/effect.ts'
import type { Language } from './script-language.ts'

/** The use of a script: a mistake for one agent is correct for another. */
export interface Use {
  readonly dialect: AgentName
  /** The events it is registered for, as its agent spells them. */
  readonly events: readonly string[]
  readonly onFailure: OnFailure
}

interface Finding {
  /** Index into the text. */
  readonly at: number
  readonly message: string
  readonly remedy: string
}

export interface Script {
  readonly text: string
  readonly language: Language
}

export type Lint = (script: Script, use: Use) => readonly Finding[]
