import type { HookLint, HookUse, TextLint } from '../../../agents/descriptor.ts'
import { agents, descriptorOf } from '../../../agents/registry.ts'
import { languageOf } from '../../../files/script-language.ts'
import type { AgentName } from '../../../model/event.ts'
import type { Problem } from '../../../model/problem.ts'
import { unsetVariables } from './unset-variables.ts'

/** The agent of a hook of which nothing says whose it is. */
const usualAgent: AgentName = 'claude-code'

/**
 * Finds common mistakes in the text of a hook's script. Static checks can only guess, so each one looks for a pattern
 * that is almost always a mistake, and reports nothing in doubt.
 */
export function scriptProblems(file: string, text: string, agent: AgentName, use: HookUse): readonly Problem[] {
  const script = { text, language: languageOf(file, text) }
  return [carriageReturns, unsetVariables, ...(descriptorOf(agent)?.lints ?? [])]
    .flatMap((lint) => (typeof lint === 'function' ? lint(script, use) : textFindings(lint, script, use)))
    .map(({ at, message, remedy }) => ({ severity: 'warning', place: placeAt(file, text, at), message, remedy }))
}

/** Finds mistakes in a script that no rule runs: its agent and its events are guessed from its answers. */
export function loneScriptProblems(file: string, text: string): readonly Problem[] {
  const events = [...text.matchAll(/hookEventName\\?["']?\s*:\s*\\?["']([A-Za-z]+)/g)].map(([, event = '']) => event)
  const byWords = agents.find(({ answerWords }) => answerWords?.test(text))?.name
  const use = { events: events.length === 0 ? ['PreToolUse'] : events, onFailure: 'continue' } as const
  return scriptProblems(file, text, events.length === 0 ? (byWords ?? usualAgent) : usualAgent, use)
}

function textFindings({ found, unless, at: applies, message, remedy }: TextLint, ...[{ text }, { events }]: LintArgs) {
  const at = applies?.(events) === false ? -1 : text.search(found)
  return at < 0 || unless?.test(text) === true ? [] : [{ at, message, remedy }]
}
type LintArgs = Parameters<HookLint>

const carriageReturns: HookLint = ({ text }) => {
  const at = text.indexOf('\r\n')
  if (!text.startsWith('#!') || at < 0 || at > text.indexOf('\n')) return []
  const message = "the first line ends in a carriage return, which becomes part of the interpreter's name"
  return [{ at, message, remedy: 'save the file with LF line endings' }]
}

function placeAt(file: string, text: string, at: number) {
  const before = text.slice(0, at).split('\n')
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
