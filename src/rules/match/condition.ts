import { resolve } from 'node:path'
import { agentNames } from '../../agents/registry.ts'
import { type AgentName, type EventName, type HookEvent, ToolKind, type ToolUse } from '../../model/event.ts'
import { fileKinds, toolCarries } from '../../model/tool-kinds.ts'
import { mcpArguments } from '../../tools/mcp-call.ts'
import type { Condition, ParameterPattern } from '../../model/rule.ts'
import type { ShellFacts } from '../../model/shell.ts'
import { toolKind, toolSpellings } from '../../agents/tool-names.ts'
import { limits } from '../../model/limits.ts'
import { quoted } from '../../model/text.ts'
import {
  anyText,
  commandGlob,
  type ConditionGlob,
  folded,
  literal,
  meeting,
  type Meets,
  pathGlob,
  type StepBudget,
  stepBudget,
} from './glob.ts'
import { type Refusal, refused } from '../../model/errors.ts'
import { type ParameterFit, parameterFit, parameterIn } from './parameter.ts'
import { commandMeets } from './shell-condition.ts'
import { miscased, takesSubcommand } from './pattern.ts'
import { takesTool } from './matcher.ts'

const example = 'write one permission rule, such as `Bash(git push *)`'

/**
 * Parses the `if` of a hook. Claude Code silently never runs a hook with a malformed `if`; here it is an error.
 *
 * @returns undefined if the condition excludes nothing
 */
export function parseCondition(
  text: string,
  events: readonly EventName[],
  home: string,
): Condition | Refusal | undefined {
  if (text.trim() === '') return undefined
  if (!events.some(takesTool)) {
    return refused('`if` is about a tool call, and this event has none, so the hook would never run', 'remove it')
  }
  return parsePermissionRule(text, home)
}

/** Parses a permission rule: a tool and, in parentheses, a pattern that its command, path or domain must match. */
export function parsePermissionRule(text: string, home: string): Condition | Refusal {
  if (text.length > limits.matcherCharactersMax) {
    return refused(`a permission rule is longer than ${limits.matcherCharactersMax} characters`, 'write several')
  }
  const [, tool, inside] = /^([A-Za-z][\w.-]*\*?)(?:\(([^]*)\))?$/.exec(text.trim()) ?? []
  if (tool === undefined || !isBalanced(inside ?? ''))
    return refused(`${quoted(text)} is not a permission rule`, example)
  if (tool.endsWith('*') && !/^mcp__.+__\*$/.test(tool))
    return refused(`a permission rule must name one tool, not ${quoted(tool)}`, example)
  const meant = miscased(tool)
  if (meant !== undefined) return refused(`there is no tool ${quoted(tool)}`, `write \`${meant}\``)
  if (inside !== undefined && inside !== '' && inside.trim() === '')
    return refused(`${quoted(text)} says nothing between its parentheses`, `write \`${tool}\` for every call of it`)
  const pattern = inside === '' || inside?.trim() === '*' ? undefined : inside
  const kinds = kindsOf(tool)
  const parameter = pattern === undefined ? undefined : parameterIn({ text, tool, pattern, kinds })
  if (parameter !== undefined && 'kind' in parameter) return parameter
  const unmatchable = parameter === undefined && pattern !== undefined && unmatchableBy(kinds)?.(text, tool, pattern)
  if (unmatchable) return unmatchable
  return {
    text,
    tool,
    ...(parameter !== undefined && { parameter }),
    pattern: pattern?.startsWith('~/') && kinds.some((kind) => fileKinds.has(kind)) ? absolute(home, pattern) : pattern,
  }
}

/** Returns whether a condition is about the commands that a call would run, so that judging it needs shell facts. */
export function isOnCommand({ pattern, parameter }: Condition, { tool }: HookEvent): boolean {
  if (pattern === undefined || parameter !== undefined) return false
  // There are no shell facts for PowerShell, which is another language.
  return tool?.kind === 'shell' && tool.command !== undefined && tool.name !== 'PowerShell'
}

/**
 * Returns whether a call meets a condition. A call that cannot be ruled out meets it.
 *
 * @param facts what a shell call would run; `undefined` if that could not be determined
 */
export function conditionMet(
  condition: Condition,
  event: HookEvent,
  facts: ShellFacts | undefined,
  budget: StepBudget = stepBudget(),
): boolean {
  const { pattern, parameter } = condition
  const { tool } = event
  if (tool === undefined) return true
  if (!namesTool(condition, event.agent, tool)) return false
  if (pattern === undefined) return true
  if (parameter !== undefined) return inputFit(pattern, parameter, tool, budget) !== undefined
  switch (toolCarries[tool.kind].subject) {
    case 'command':
      return !isOnCommand(condition, event) || commandMeets(pattern, tool.command ?? '', facts, budget)
    case 'path':
      return pathMeets(pattern, tool, event, budget)
    case 'url':
      return tool.url === undefined || !pattern.startsWith('domain:') || domainMeets(pattern, tool.url, budget)
    case 'input':
      return inputMeets(pattern, tool, budget)
  }
}

/** Returns whether a condition names the tool of a call: by any agent's name for it, its kind, or its MCP server. */
export function namesTool({ tool }: Condition, agent: AgentName, { name, kind }: ToolUse): boolean {
  return toolSpellings(agent, name, kind).some((one) => one === tool || isOfServer(one, tool))
}

/** Estimates the steps of judging a condition: characters of the pattern times characters of the text. */
export function conditionSteps({ pattern = '' }: Condition, { tool }: HookEvent): number {
  if (tool === undefined) return 0
  const input = tool.kind === 'mcp' ? mcpArguments(tool.input) : tool.input
  const texts = tool.command === undefined ? Object.values(input) : [tool.command]
  const length = texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0)
  return (pattern.length + 1) * (length + (tool.paths ?? []).join().length)
}

/** Returns whether all brackets are balanced. They are not where two rules stand in place of one: `git *), Bash(rm *`. */
function isBalanced(text: string): boolean {
  let open = 0
  for (const [bracket] of text.matchAll(/\\[^]|[()]/g)) {
    if (bracket === '(') open++
    else if (bracket === ')' && --open < 0) return false
  }
  return open === 0
}

/** Returns the kinds of a tool's name for every agent: `other` for an agent that has no such tool. */
export function kindsOf(tool: string): readonly ToolKind[] {
  return [ToolKind.safeParse(tool).data, ...agentNames.map((agent) => toolKind(agent, tool))].filter(
    (kind) => kind !== undefined,
  )
}

function unmatchableBy(kinds: readonly ToolKind[]): typeof unmatchableCommand | undefined {
  if (kinds.includes('shell')) return unmatchableCommand
  return kinds.some((kind) => fileKinds.has(kind)) ? unmatchablePath : undefined
}

/** Makes a pattern below the home folder absolute (two slashes), with the home's special characters escaped. */
function absolute(home: string, pattern: string): string {
  return `/${home.replaceAll('\\', '/').replaceAll(/[*?[\]{}]/g, '\\$&')}${pattern.slice(1)}`
}

/** Returns whether a permission rule names the MCP server of a tool: `mcp__github`, or `mcp__github__*`. */
function isOfServer(name: string, tool: string): boolean {
  return (
    tool.startsWith('mcp__') &&
    name.startsWith(`${tool.replace(/(__)?\*?$/, '')}__`) &&
    /^mcp__[^*]+?(__\*)?$/.test(tool)
  )
}

/**
 * Returns whether a path of a call fits a permission rule's pattern.
 *
 * `//etc/**` is absolute, `/src/**` below a workspace root, `src/**` below the working directory; a bare name fits at
 * any depth. The working directory follows the agent's `cd`, so patterns relative to it are tried against the roots as
 * well.
 */
function pathMeets(
  written: string,
  tool: ToolUse,
  { session, workspaceRoots }: HookEvent,
  budget: StepBudget,
): boolean {
  const paths = tool.paths ?? (tool.path === undefined ? [] : [tool.path])
  // A search without a path covers the whole working directory.
  if (paths.length === 0) return true
  const globs = anchored(written.replace(/^\.\//, ''), session.cwd, workspaceRoots, budget)
  // Searching or listing a folder reaches its contents.
  const below = tool.kind === 'search' || tool.kind === 'list'
  return paths.some((path) => {
    if (path.length > limits.conditionSubjectCharactersMax) return true
    budget.left -= path.length
    const whole = folded(resolve(session.cwd, path).replaceAll('\\', '/'))
    return globs.some((meets) => meets(whole) || (below && meets([...literal(whole), 0x2f, anyText])))
  })
}

/** Compiles a path pattern for each folder that the pattern may start from. */
function anchored(pattern: string, cwd: string, roots: readonly string[], budget: StepBudget): readonly Meets[] {
  const meets = (glob: ConditionGlob) => meeting(glob, true, budget)
  if (pattern.startsWith('//')) return [meets(pathGlob('/', pattern.slice(2)))]
  if (pattern.startsWith('**/')) return [meets(pathGlob('/', pattern))]
  if (!/\/[^]/.test(pattern)) return [meets(pathGlob('/', `**/${pattern}`))]
  const bases = pattern.startsWith('/') && roots.length > 0 ? roots : [cwd, ...roots]
  return bases.map((base) => meets(pathGlob(base.replaceAll('\\', '/'), pattern.replace(/^\//, ''))))
}

/** Returns whether the host of an address fits a pattern such as `domain:*.example.com`, or cannot be determined. */
export function domainMeets(pattern: string, url: string, budget: StepBudget = stepBudget()): boolean {
  if (url.length > limits.conditionSubjectCharactersMax) return true
  const meets = meeting(commandGlob(pattern.slice('domain:'.length).trim().toLowerCase()), true, budget)
  const host = URL.parse(/^[a-z][\w+.-]*:\/\//i.test(url) ? url : `https://${url}`)?.hostname ?? ''
  return host === '' || meets(host.replace(/\.$/, ''))
}

/** Returns how a call fits a pattern about one parameter, which may also be a text: `Skill(plugin:name)`. */
export function inputFit(
  pattern: string,
  parameter: ParameterPattern,
  tool: ToolUse,
  budget: StepBudget = stepBudget(),
): ParameterFit | undefined {
  const fit = parameterFit(parameter, tool, budget)
  if (fit !== undefined || parameter.isOnly) return fit
  const hasText = Object.values(tool.input).some((value) => typeof value === 'string')
  return hasText && inputMeets(pattern, tool, budget) ? 'certain' : undefined
}

/** Matches any text input of a tool whose rules have no syntax of their own (`Agent(Explore)`, `Skill(deploy *)`). */
export function inputMeets(pattern: string, { input }: ToolUse, budget: StepBudget = stepBudget()): boolean {
  const texts = Object.values(input).filter((value) => typeof value === 'string')
  const meets = meeting(commandGlob(pattern), true, budget)
  return texts.length === 0 || texts.some((text) => text.length > limits.conditionSubjectCharactersMax || meets(text))
}

/** Refuses the pattern of a permission rule that no command can match, since it is written in another language. */
function unmatchableCommand(text: string, tool: string, pattern: string): Refusal | undefined {
  const [program = '', first = ''] = pattern.trim().split(/\s+/)
  const written = program === '[' || program === '[[' ? [] : takesSubcommand.has(program) ? [program, first] : [program]
  const names = written.map((name) => name.replaceAll(variable, ''))
  if (hasAlternatives.test(names.join(' ')) || isListed.test(`${pattern.trim()} `)) {
    const [one = ''] = /[\w.-]+/.exec(pattern) ?? []
    const remedy = `write a rule for each command, such as \`${tool}(${one} *)\``
    return refused(`${quoted(text)} never matches: it names several commands`, remedy)
  }
  if (!names.some((name) => notInNames.test(name)) && (takesExpression.test(program) || !isExpression.test(pattern)))
    return undefined
  const words = pattern.match(/[A-Za-z][\w.-]*/g) ?? ['git']
  const remedy = `write \`${tool}(${words.slice(0, 2).join(' ')} *)\`, in which \`*\` is any text`
  return refused(`${quoted(text)} never matches: a permission rule is no regular expression`, remedy)
}

/** `rm|mv`, `(push|pull)`, `{delete,drain}`. */
const hasAlternatives = /\w[)}]?\|\(?\w|\{[^{}]*,/
/** Expansions, which a rule may write as the command does. */
const variable = /\$(?:\{\w+\}|\w+|\()/g
/** `git push, git pull`. */
const isListed = /^(\S+) .*, \1 /
/** Signs that stand in no name of a program or subcommand. `g++` is one. */
const notInNames = /[\^(){}?|$\]]|^!/
/** `/^git push/i`, `git\s+push`, `\brm\b`. */
const isExpression = /^\/(?=[^/]*[ .*+\\[])[^/]*\/[gimsuy]*$|\\[sdwb](?:[+*?{]|$)|^\\b/

/** Programs that are given regular expressions: there, one is what the command has. */
const takesExpression = /^(?:[efp]?grep|rg|ag|ack|sed|awk|gawk|perl|find|fd)$/

/** Refuses a pattern of a permission list that is about more than one command, or about redirections. */
export function unmatchableLine(text: string, tool: string, pattern: string): Refusal | undefined {
  if (/ (?:&&|\|\|?|;) |; | &$|&&|\n|\*(?:\|\|?|;)\s*\w/.test(pattern.trim()))
    return refused(`${quoted(text)} never matches: each command of a line is judged by itself`, 'write a rule for each')
  const found = redirection.exec(pattern)
  if (found === null) return undefined
  const [whole, sign = ''] = found
  const command = pattern.slice(0, found.index)
  const target = pattern.slice(found.index + whole.length).trimStart()
  // Between quotes, it is a word's.
  if (/^[^'"]*(['"])(?:(?!\1).)*$/.test(command)) return undefined
  const file = target.split(/\s/)[0] ?? ''
  const rule = sign.startsWith('<') ? `Read(${file})` : `Edit(${file})`
  const remedy = /^&?\d*-?$/.test(file)
    ? `write \`${tool}(${command.trim()})\``
    : `write \`${rule}\`, which is also about shell commands`
  return refused(`${quoted(text)} says nothing of redirections`, remedy)
}

/** A sign of redirection behind a blank or a star: elsewhere it is part of a word, as in `awk $1>5`. */
const redirection = /(?:(?<=\*)|\s)(?:\d|&)?(>>?|<<?<?)/

/** Refuses the pattern of a rule for files that no path can match. */
function unmatchablePath(text: string, tool: string, pattern: string): Refusal | undefined {
  if (!/^\^|\||\(\?|\\[sdw]|\.[*+].*\\\.|\\\.\w*\$\/?$/.test(pattern)) return undefined
  const remedy = `write \`${tool}(*.env)\` or \`${tool}(/src/**)\`, as in \`.gitignore\``
  return refused(`${quoted(text)} never matches: a permission rule is no regular expression`, remedy)
}
