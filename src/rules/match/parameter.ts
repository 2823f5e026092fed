import type { ToolKind, ToolUse } from '../../model/event.ts'
import { fileKinds } from '../../model/tool-kinds.ts'
import { limits } from '../../model/limits.ts'
import { mcpArguments } from '../../tools/mcp-call.ts'
import { type Refusal, refused } from '../../model/errors.ts'
import type { ParameterPattern } from '../../model/rule.ts'
import { quoted } from '../../model/text.ts'
import { anyText, literal, meeting, type StepBudget } from './glob.ts'

/** How far a pattern matches: where it is `possible`, a match can only not be ruled out. */
export type ParameterFit = 'certain' | 'possible'

/**
 * Parameters of agents' tools other than the one that a tool's own patterns are about. Only for kinds with patterns of
 * their own: there, any other name before a colon is a mistake, since it would never match.
 */
const parameters = {
  shell:
    'run_in_background is_background dangerouslyDisableSandbox requires_approval timeout timeout_ms description directory dir_path cwd workdir shell interactive',
  files:
    'limit offset pages start_line end_line encoding replace_all edit_mode cell_id cell_type output_mode head_limit multiline case_sensitive recursive include glob type regex pattern query',
  fetch: 'prompt format timeout method raw max_length start_index',
  websearch: 'query search_term allowed_domains blocked_domains site num_results max_results limit count',
} as const

const parameterNames = (kind: keyof typeof parameters): ReadonlySet<string> => new Set(parameters[kind].split(' '))
const named = {
  shell: parameterNames('shell'),
  files: parameterNames('files'),
  fetch: parameterNames('fetch'),
  websearch: parameterNames('websearch'),
}

/** A permission rule, split into its tool and the text between its parentheses. */
interface Specifier {
  readonly text: string
  readonly tool: string
  readonly pattern: string
  readonly kinds: readonly ToolKind[]
}

/**
 * Reads what a rule says of one parameter, as in `Agent(model:opus)`; `undefined` if it is a pattern of another kind.
 *
 * @returns a refusal for what no call of the tool can match
 */
export function parameterIn(rule: Specifier): ParameterPattern | Refusal | undefined {
  const { kinds, tool, pattern, text } = rule
  const [, name = '', value = ''] = /^\s*([A-Za-z_][\w-]*):([^]*)$/.exec(pattern) ?? []
  const parameter = { name, value: value.trim() }
  if (tool.startsWith('mcp__') || kinds[0] === 'mcp') {
    if (name !== '' && parameter.value !== '') return { ...parameter, isOnly: true }
    const remedy = `write one parameter and its value, as in \`${tool}(name:value*)\``
    return refused(`${quoted(text)} never matches: an MCP tool has no patterns of its own`, remedy)
  }
  if (kinds.includes('shell')) return ofShell(rule, parameter)
  if (kinds.some((kind) => fileKinds.has(kind))) return ofFiles(rule, parameter)
  if (kinds.includes('fetch')) return ofFetch(rule, parameter)
  if (name === 'domain') return wrongDomain(rule)
  const unnamed = unnamedBefore(rule, name)
  if (unnamed !== undefined) return refused(`${quoted(text)} never matches: ${unnamed}`, everyCall(tool))
  return name === '' ? undefined : { ...parameter, isOnly: false }
}

const everyCall = (tool: string): string => `write \`${tool}\` for every call of it`

/** Says what is wrong before the colon of a rule for a tool without patterns of its own. */
function unnamedBefore({ kinds, pattern }: Specifier, name: string): string | undefined {
  const before = /^[^:]*(?=:)/.exec(pattern)?.[0].trim()
  if (before === '') return 'it names no parameter before the colon'
  if (kinds.includes('websearch') && name !== '' && !named.websearch.has(name))
    return `a search has no parameter ${quoted(name)}`
  if (kinds.includes('agent') && before !== undefined && /\s/.test(before))
    return `neither an agent nor a parameter is called ${quoted(before)}`
  return undefined
}

type NameAndValue = Pick<ParameterPattern, 'name' | 'value'>

function ofShell({ text, tool, pattern }: Specifier, one: NameAndValue): ParameterPattern | Refusal | undefined {
  const { name, value } = one
  if (/^\s*:\S/.test(pattern))
    return refused(`${quoted(text)} never matches: it names no program before the colon`, everyCall(tool))
  // `git:*` is the older spelling of `git *`, and `timeout` is a program too.
  if (name === '' || (value === '*' && !/[A-Z_]/.test(name))) return undefined
  if (named.shell.has(name) && value !== '') return { ...one, isOnly: true }
  if (value === '*' || !/^\S*:\S/.test(pattern.trim())) return undefined
  const remedy = `write \`${tool}(${name === 'command' || name === 'cmd' ? value : `${name} *`})\``
  return refused(
    `${quoted(text)} never matches: no program is called ${quoted(pattern.trim().split(/\s/)[0] ?? '')}`,
    remedy,
  )
}

function ofFiles(rule: Specifier, one: NameAndValue): ParameterPattern | Refusal | undefined {
  const { text, tool, pattern } = rule
  const { name, value } = one
  if (named.files.has(name) && value !== '') return { ...one, isOnly: true }
  if (name === 'domain') return wrongDomain(rule)
  // One letter is a drive.
  if (name.length < 2) return undefined
  const isPath = ['path', 'file_path', 'notebook_path', 'filePath', 'file'].includes(name)
  const remedy = isPath
    ? `write \`${tool}(${value})\``
    : `for a file of that name, write \`${tool}(./${pattern.trim()})\``
  return refused(
    `${quoted(text)} never matches: ${quoted(name)} is no parameter that a rule for files can name`,
    remedy,
  )
}

function ofFetch(rule: Specifier, one: NameAndValue): ParameterPattern | Refusal | undefined {
  const { text, tool } = rule
  if (one.name !== 'domain') {
    if (named.fetch.has(one.name) && one.value !== '') return { ...one, isOnly: true }
    return refused(`${quoted(text)} is not a rule for fetching`, `write \`${tool}(domain:example.com)\``)
  }
  const host = one.value.toLowerCase()
  if (/^(?:\[[\da-f:.*]+\]|[\w*-]+(?:\.[\w*-]+)*)$/.test(host)) return undefined
  const meant = URL.parse(/^[a-z]+:\/\//.test(host) ? host : `https://${host.replace(/\/.*/s, '')}`)?.hostname.replace(
    /\.$/,
    '',
  )
  const remedy = `write \`${tool}(domain:${meant === undefined || meant === '' ? 'example.com' : meant})\``
  return refused(`${quoted(text)} never matches: a domain is the bare name of a host`, remedy)
}

const wrongDomain = ({ text, tool }: Specifier): Refusal =>
  refused(
    `${quoted(text)} never matches: only a tool that fetches has a domain`,
    `write \`WebFetch(…)\`, or \`${tool}\` for every call of it`,
  )

/**
 * Returns how a parameter of a call fits; `undefined` if it does not.
 *
 * The parameter is a field of the tool's input itself, compared as text: `*` is any text. A call without it does not
 * match. Of a list or an object, a match can only not be ruled out.
 */
export function parameterFit(
  { name, value }: ParameterPattern,
  tool: ToolUse,
  budget: StepBudget,
): ParameterFit | undefined {
  const input = tool.kind === 'mcp' ? mcpArguments(tool.input) : tool.input
  const given = Object.hasOwn(input, name) ? input[name] : undefined
  if (given === undefined || given === null) return undefined
  const text = typeof given === 'object' ? undefined : String(given)
  if (text === undefined || text.length > limits.conditionSubjectCharactersMax) return 'possible'
  return meeting(parameterGlob(value), true, budget)(text) ? 'certain' : undefined
}

/** Unlike in a command, blanks mean what they say. */
const parameterGlob = (value: string) => literal(value).map((code) => (code === star ? anyText : code))
const star = 0x2a
