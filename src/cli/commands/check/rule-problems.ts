import { basename, delimiter, dirname, join } from 'node:path'
import { toolTable } from '../../../agents/tool-names.ts'
import { untrustedText } from '../../../changes/trust.ts'
import { shellFacts } from '../../../facts/shell/shell-facts.ts'
import { isDraftName } from '../../../files/policy-files.ts'
import { realPath } from '../../../files/real-path.ts'
import type { Place, Problem } from '../../../model/errors.ts'
import type { AgentName, ToolKind } from '../../../model/event.ts'
import { limits } from '../../../model/limits.ts'
import {
  type CommandRule,
  isCommandRule,
  isPolicyRule,
  type Program,
  type Rule,
  type RuleSet,
} from '../../../model/rule.ts'
import { quoted } from '../../../model/text.ts'
import { hookFiles, type HookFolders, presenceOf, scriptText } from '../../../review/why/hook-files.ts'
import { listTrust, type RulesOptions } from '../../../rules/index.ts'
import { neverBoth } from '../../../rules/match/matcher.ts'
import { timeoutText } from '../../text/rule-lines.ts'
import type { HookLint, HookUse, TextLint } from '../../../agents/descriptor.ts'
import { agents, descriptorOf } from '../../../agents/registry.ts'
import { languageOf } from '../../../files/script-language.ts'

/** Finds problems in rules that load: in their trust, their commands and their scripts, and gaps they leave. */
export function ruleProblems(
  { rules }: RuleSet,
  placeOf: (ruleId: string) => Place | undefined,
  options: RulesOptions & { readonly home: string },
): readonly Problem[] {
  const { home, env } = options
  const trusted = trustedIn(options)
  const of = (rule: Rule) => placeOf(rule.id) ?? { file: rule.source.file }
  const commands = rules.filter(isCommandRule)
  return [
    ...rules.flatMap((rule) => trustProblems(rule, of(rule), trusted)),
    ...commands.flatMap((rule) => commandProblems(rule, of(rule))),
    ...commands.flatMap((rule) => lateProblems(rule, of(rule))),
    ...commands.flatMap((rule) => fileProblems(rule, of(rule), foldersOf(rule, home))),
    ...scriptsOf(commands, home).flatMap(([file, used]) => textProblems(file, used)),
    ...rules.flatMap((rule) =>
      neverProblems(rule, env?.['PATH']).map(({ message, remedy }) => warning(of(rule), message, remedy)),
    ),
    ...shellLeftOpen(rules, of),
  ]
}

const warning = (place: Place, message: string, remedy: string): Problem => ({
  severity: 'warning',
  place,
  message,
  remedy,
})

/** Returns the trusted workspaces. Empty if the trust store cannot be read, which is reported elsewhere. */
function trustedIn(options: RulesOptions): ReadonlySet<string> {
  try {
    return new Set(listTrust(options).map(({ root }) => root))
  } catch {
    return new Set()
  }
}

/**
 * Reports a rule of a trusted workspace that is not fully in force, though a person has reviewed and trusted it. A
 * workspace that is not trusted yet is not reported, nor is a draft, which is never pinned: it decides nothing.
 */
function trustProblems(rule: Rule, place: Place, trusted: ReadonlySet<string>): readonly Problem[] {
  if (isPolicyRule(rule) && isDraftName(rule.handler.file)) return []
  const message = untrustedText(rule)
  const root = rule.source.workspaceRoot
  if (message === undefined || root === undefined || !trusted.has(realPath(root))) return []
  return [{ severity: 'warning', place, message, remedy: undefined }]
}

/**
 * Returns the known folders for a rule. A user's rule applies to every project, so its project is known only at run
 * time.
 */
function foldersOf({ source }: Rule, home: string): HookFolders {
  const { workspaceRoot, pluginRoot, scope, file } = source
  return { home, pluginRoot, projectRoot: workspaceRoot ?? (scope === 'explicit' ? projectOf(file) : undefined) }
}

/** Returns the project folder of a rules file: the parent of its `.hookgate`, else its own folder. */
function projectOf(file: string): string {
  const folder = dirname(file)
  return ['.hookgate', '.claude', '.cline'].includes(basename(folder)) ? dirname(folder) : folder
}

const folderOfAgent = /\$\{?CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT)\}?/g

/** Finds variables in a command that are empty, or in wrong quotes. */
function commandProblems({ match, onFailure, handler: { program } }: CommandRule, place: Place): readonly Problem[] {
  if (program.form !== 'shell') return []
  const use = { events: [match.spelled], onFailure }
  const unset = unsetVariables({ text: program.command, language: 'sh' }, use)
  return [...unset.map(({ message, remedy }) => warning(place, message, remedy)), ...unquoted(program.command, place)]
}

/**
 * Finds path variables with wrong quotes: unquoted, a path with a space is split; in single quotes it is not expanded.
 */
function unquoted(command: string, place: Place): readonly Problem[] {
  return [...command.matchAll(folderOfAgent)].flatMap(({ 0: name, index }) => {
    switch (quoteAt(command, index)) {
      case '"':
        return []
      case "'":
        return [warning(place, `\`${name}\` is not expanded in single quotes`, 'use double quotes')]
      case undefined:
        return [warning(place, `\`${name}\` without quotes breaks if the path contains a space`, `write \`"${name}"\``)]
    }
  })
}

/** Returns the quote that is open at an offset of a shell command. */
function quoteAt(command: string, place: number): '"' | "'" | undefined {
  let open: '"' | "'" | undefined
  for (let at = 0; at < place; at += 1) {
    const character = command[at]
    if (character === '\\' && open !== "'") at += 1
    else if (character === open) open = undefined
    else if (open === undefined && (character === '"' || character === "'")) open = character
  }
  return open
}

/**
 * Warns of a guard in an agent's own file that lets its call through when it is late. hookgate's own files say what is to
 * happen then, or were written by somebody who knows its default.
 */
function lateProblems(rule: CommandRule, place: Place): readonly Problem[] {
  const { match, handler, onFailure, mode, hostTimeoutMs } = rule
  if (hostTimeoutMs === undefined || !match.events.includes('PreToolUse') || handler.async) return []
  if (onFailure !== 'continue' || mode === 'observe') return []
  const timeout = timeoutText(rule, limits.hookTimeoutMs)
  const message = `it fails open: if this hook is late, its call goes ahead (${timeout})`
  return [warning(place, message, 'if it is a guard, add `"onFailure": "block"`')]
}

function fileProblems(rule: CommandRule, place: Place, folders: HookFolders): readonly Problem[] {
  return hookFiles(rule.handler.program, folders).flatMap(({ word, file, isProgram }) => {
    const presence = presenceOf(file)
    if (presence === 'absent')
      return [warning(place, `\`${word}\` does not exist`, 'fix the path, or create the script')]
    if (presence === 'hidden')
      return [warning(place, `\`${word}\` cannot be accessed`, 'fix its links and permissions')]
    if (!isProgram || presence === 'executable') return []
    return [warning(place, `\`${word}\` has no execute bit, so it cannot be started`, `run \`chmod +x ${file}\``)]
  })
}

/** Lists each script once, with every rule that uses it. */
function scriptsOf(rules: readonly CommandRule[], home: string) {
  const uses = rules.flatMap((rule) =>
    hookFiles(rule.handler.program, foldersOf(rule, home)).map(({ file }) => ({ file, rule })),
  )
  return [...Map.groupBy(uses, ({ file }) => file)].map(([file, used]) => [file, used.map(({ rule }) => rule)] as const)
}

function textProblems(file: string, [first, ...others]: readonly CommandRule[]): readonly Problem[] {
  const text = scriptText(file)
  if (text === undefined || first === undefined) return []
  return scriptProblems(file, text, first.handler.dialect, {
    events: [first, ...others].map(({ match }) => match.spelled),
    onFailure: first.onFailure,
  })
}

/** Returns every agent's names of the tools of some kinds, and the kinds themselves. */
function toolNames(...kinds: readonly ToolKind[]): ReadonlySet<string> {
  const rows = toolTable.filter(({ tool }) => kinds.includes(tool))
  return new Set(rows.flatMap(({ tool, names }) => Object.values(names).flat().concat(tool)))
}
const writing = toolNames('write', 'edit')
const shells = toolNames('shell')

/** Warns about guards of files that a shell command bypasses: `echo … > file` is not a Write. */
function shellLeftOpen(rules: readonly Rule[], placeOf: (rule: Rule) => Place): readonly Problem[] {
  const guards = rules.filter(({ match }) => match.events.includes('PreToolUse'))
  if (guards.some(matchesShell)) return []
  return guards
    .filter(guardsFiles)
    .slice(0, 1)
    .map((rule) =>
      warning(
        placeOf(rule),
        'it guards files against the tools that write them, but not against the shell, which can write them too',
        'match `shell` too, or add a rule that does',
      ),
    )
}

function matchesShell({ match: { matcher } }: Rule): boolean {
  switch (matcher.kind) {
    case 'any':
      return true
    case 'names':
      return matcher.names.some((name) => shells.has(name))
    case 'pattern':
      return [...shells].some((name) => matcher.pattern.test(name))
  }
}

function guardsFiles({ match: { matcher } }: Rule): boolean {
  return matcher.kind === 'names' && matcher.names.some((name) => writing.has(name))
}

type NeverProblem = Pick<Problem, 'message'> & { readonly remedy: string }

/** Finds reasons why a rule that loads can never take effect. */
function neverProblems(rule: Rule, path: string | undefined): readonly NeverProblem[] {
  return [neverMet(rule), neverStarted(rule, path), neverWaitedFor(rule)].filter((problem) => problem !== undefined)
}

function neverMet({ match: { condition, matcher, subject } }: Rule): NeverProblem | undefined {
  if (condition === undefined) return undefined
  const named = { kind: 'names', names: [condition.tool] } as const
  if (!neverBoth(matcher, named) && !neverBoth(subject, named)) return undefined
  const message = `its condition ${quoted(condition.text)} is never met: the hook never gets \`${condition.tool}\``
  return { message, remedy: 'name the same tool in the matcher and in `if`' }
}

function neverWaitedFor({ handler, onFailure }: Rule): NeverProblem | undefined {
  if (handler.kind !== 'command' || !handler.async || onFailure === 'continue') return undefined
  const message = `it can never ${onFailure}: an \`async\` hook is not waited for`
  return { message, remedy: 'remove `async`, or `onFailure`' }
}

function neverStarted({ handler }: Rule, path: string | undefined): NeverProblem | undefined {
  const name = handler.kind === 'command' ? programOf(handler.program) : undefined
  if (name === undefined || path === undefined || process.platform === 'win32') return undefined
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  if (folders.some((folder) => presenceOf(join(folder, name)) === 'executable')) return undefined
  return { message: `there is no program \`${name}\` on the PATH`, remedy: 'install it, or give its full path' }
}

/** Returns the name of the program that a hook starts first, if it is certainly looked up on the PATH. */
function programOf(program: Program): string | undefined {
  switch (program.form) {
    case 'script':
      return undefined
    case 'exec':
      return plainName.test(program.file) ? program.file : undefined
    case 'shell':
      return program.shell === 'powershell' ? undefined : firstProgram(program.command)
  }
}

function firstProgram(command: string): string | undefined {
  const { commands, uncertain } = shellFacts(command, { cwd: '/', workspaceRoots: [] })
  // A shell function is not a program.
  if (uncertain.length > 0 || /\(\s*\)|\bfunction\b/.test(command)) return undefined
  const [first] = commands
  const name = first?.written?.value
  const findsOthers = first?.assignments.some((assignment) => assignment.name === 'PATH') === true
  return name === undefined || findsOthers || !plainName.test(name) || ofTheShell.has(name) ? undefined : name
}

const plainName = /^\w[\w.+-]*$/

/** Builtins and keywords of `sh` and bash. */
const ofTheShell: ReadonlySet<string> = new Set(
  (
    'alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs disown do done ' +
    'echo elif else enable esac eval exec exit export false fc fg fi for getopts hash help history if in jobs kill let ' +
    'local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test ' +
    'then time times trap true type typeset ulimit umask unalias unset until wait while'
  ).split(' '),
)

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
const unsetVariables: HookLint = ({ text }) => {
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
