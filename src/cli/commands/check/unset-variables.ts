import type { HookLint } from '../../../agents/descriptor.ts'
import { agents } from '../../../agents/registry.ts'

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
