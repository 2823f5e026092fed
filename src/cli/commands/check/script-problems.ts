import type { HookLint, HookUse, TextLint } from '../../../agents/descriptor.ts'
import { agents, descriptorOf } from '../../../agents/registry.ts'
import { languageOf } from '../../../files/script-language.ts'
import type { AgentName } from '../../../model/event.ts'
import type { Problem } from '../../../model/problem.ts'

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

const setByAgents: ReadonlySet<string> = new Set(agents.flatMap(({ exposedEnv }) => exposedEnv))
/** `CLAUDE`, `GEMINI`: how the variables of agents begin. */
const beginnings = [
  ...new Set(
    [...setByAgents, ...agents.map(({ name }) => name.toUpperCase())].map((name) => /^[A-Z]+/.exec(name)?.[0] ?? name),
  ),
].join('|')

/** What a call consists of, which agents send on stdin. Other variables of such names may be a person's own. */
const part =
  '(?:TOOL|HOOK|FILE|COMMAND|BASH|INPUT|OUTPUT|PROMPT|USER_PROMPT|EVENT|NOTIFICATION|TRANSCRIPT|MATCHER|ARGS|ARGUMENTS)'
const name = String.raw`((?:${beginnings})_${part}(?:_[A-Z_]+|S)?|(?:TOOL|HOOK)_(?:NAME|INPUT|ARGS|PARAMS|PARAMETERS|OUTPUT|RESULT|RESPONSE|EVENT|EVENT_NAME|COMMAND|FILE_PATH))\b`
/** `$NAME`, `${NAME`, `process.env.NAME`, `os.environ['NAME']`, `getenv("NAME")`, `$env:NAME`. */
const read = new RegExp(
  String.raw`(?:\$\{?|\$env:|environ(?:\.get)?[\[(]\s*["']|getenv\(\s*["']|\b(?:env|ENV)(?:\.|\[["']))${name}`,
  'g',
)

/** Finds a guard that reads a part of the call from an environment variable that no agent sets: it is always empty. */
export const unsetVariables: HookLint = ({ text }) => {
  const found = [...text.matchAll(read)].find(
    ([, variable = '']) => !setByAgents.has(variable) && !isSet(variable, text),
  )
  if (found === undefined) return []
  const message = `no agent sets \`${found[1] ?? ''}\`, so it is always empty`
  return [
    { at: found.index, message, remedy: 'read the call from the JSON on stdin: `jq -r .tool_input` in `input=$(cat)`' },
  ]
}

/** Returns whether a script gives a variable a value itself. */
const isSet = (variable: string, text: string): boolean =>
  new RegExp(
    String.raw`(?:^|[^\w$.{])${variable}\s*\+?=[^=]|\b(?:read|for|local|declare|mapfile)\b[^\n|;&]*\b${variable}\b`,
    'm',
  ).test(text)
