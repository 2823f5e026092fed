import { pastLimits } from '../model/past-limits.ts'
import { maskedBeginning } from '../mask/mask.ts'
import { maskedInput } from '../mask/masked-input.ts'
import type { HookEvent, ToolKind, ToolUse } from '../model/event.ts'
import { given, textAt } from '../model/json.ts'
import { setOf } from '../model/look-ups.ts'
import type { Step, StepOutcome } from '../model/past.ts'
import { pathsHere, type ShellCommand, type TouchedPath } from '../model/shell.ts'
import type { ToolFacts } from '../model/tool-facts.ts'
import { mcpArguments, mcpUse } from '../tools/mcp-call.ts'
import { shownSecret } from './condition.ts'
import { aboutCall, callWords } from '../words/call-words.ts'
import { isLoopback } from '../words/request.ts'
import { sha256Of } from '../files/digest.ts'

/** Everything about an event but what became of it. */
export type Happening = Omit<Step, 'outcome'>

/** Describes a tool call, or a prompt, as a step. @param found what the call would do; `undefined` where nothing is known */
export function happeningOf(event: HookEvent, found: ToolFacts | undefined): Happening {
  const { agent, session, workspaceRoots, atMs, tool } = event
  const where = {
    atMs,
    agent,
    session: session.rootId ?? session.id,
    ...given('agentId', session.agentId ?? (session.rootId === undefined ? undefined : session.id)),
    workspace: workspaceRoots[0] ?? session.cwd,
  }
  if (tool === undefined)
    return { ...where, text: '', key: '', commands: [], impacts: [], paths: [], hosts: addressesIn(event.prompt ?? '') }
  const { shell, paths = [], impacts = [] } = found ?? {}
  const commands = shell?.commands ?? []
  return {
    ...where,
    ...(tool.id !== undefined && { call: cut(tool.id) }),
    tool: tool.kind,
    name: cut(tool.name),
    ...wordsOf(tool),
    commands: some(commands.flatMap(commandWords)),
    impacts: impacts.slice(0, pastLimits.stepEntriesMax).map(({ kind, thing, area, names }) => ({
      kind,
      thing,
      area,
      names: some(names),
    })),
    paths: distinct([...paths, ...commands.flatMap(pathsHere)]),
    hosts: some([...commands.flatMap(({ network }) => network?.host ?? []), ...hostsOf(tool)]),
    ...((bringsOutside(tool) || commands.some(asksElsewhere)) && { bringsOutside: true as const }),
  }
}

const webTools = setOf<ToolKind>(['fetch', 'websearch', 'browser'])
/** Words that only look like the path of a file: the folder of a mailbox. */
const bareWord = /^[\w -]+$/

/** True for a tool of an agent or of a server whose output others have written. A server's tool for files reads these. */
function bringsOutside(tool: ToolUse): boolean {
  if (tool.kind !== 'mcp') return webTools.has(tool.kind)
  const use = mcpUse(tool)
  if (use === undefined || use.url !== undefined || hostsOf(tool).length > 0) return true
  return use.kind !== 'shell' && use.paths.every((path) => bareWord.test(path))
}

/** True for a command that gets what others have written, from an address or a forge. */
const asksElsewhere = ({ network }: ShellCommand): boolean =>
  network !== undefined &&
  network.direction !== 'send' &&
  (network.kind === 'request' || network.kind === 'project') &&
  network.host !== undefined &&
  !isLoopback(network.host)

export const stepOf = (happening: Happening, outcome: StepOutcome): Step => ({ ...happening, outcome })

const cut = (text: string) => text.slice(0, pastLimits.stepTextCharactersMax).toWellFormed()
const some = (texts: readonly string[]) => [...new Set(texts)].slice(0, pastLimits.stepEntriesMax).map(cut)

/** The beginning of a call that tells it from others, in UTF-16 units. */
const comparedCharactersMax = 4096

/** Returns how people are shown a call, and its key. What is written counts for the key, and is kept nowhere. */
function wordsOf(tool: ToolUse): Pick<Step, 'text' | 'key'> {
  const { kind, name, command, path, url, content } = tool
  const subject = maskedBeginning(command ?? path ?? url ?? '', comparedCharactersMax, 'word')
  // A command is all that its call is about.
  const input = kind === 'shell' && subject !== '' ? {} : maskedInput(tool.input, comparedCharactersMax).input
  const call = { tool: kind, toolName: name, subject, input }
  const whole = command === undefined ? JSON.stringify(input) : ''
  const folders = kind === 'shell' ? folderFields.flatMap((key) => textAt(tool.input, key) ?? []) : []
  const parts = [subject, whole, content ?? '', aboutCall(call), ...folders]
  return { text: cut(callWords(call)), key: callKey(name, parts.join('\n')) }
}

/** The fields in which agents' shell tools are told where to run a command: elsewhere, it is another call. */
const folderFields = ['directory', 'dir_path', 'workdir', 'cwd']

/** Hosts, mail addresses, channels, repositories, buckets, issues and numbers of phones or accounts, as people write them. */
const address =
  /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<=:\/\/)[\w-]+(?![\w.@:])|(?<![\w.-])(?:[\w-]+\.)+[A-Za-z]{2,}(?![\w.])|(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|[#@][\w-]+|(?<![\w./-])[\w-]+\/[\w.-]+(?![\w/])|\b[A-Z][A-Z\d]+-\d+\b|\+?\b\d{7,15}\b|\b[A-Z]{2}\d{2}[A-Z\d]{8,30}\b/g

/** Returns whom and what a prompt names. Nothing else of it is kept. */
const addressesIn = (prompt: string): readonly string[] =>
  some(prompt.slice(0, comparedCharactersMax).match(address) ?? [])

/** Returns a call with what its output has shown. @param values the secrets in it */
export const showing = (happening: Happening, values: readonly string[]): Happening =>
  values.length === 0 ? happening : { ...happening, impacts: [...happening.impacts, shownSecret] }

/** Returns a command's program, with its subcommand or else its first operand. */
function commandWords({ program, args, line }: ShellCommand): readonly string[] {
  if (program === '') return []
  const operand = line === undefined ? args.findIndex(({ value }) => !value.startsWith('-')) : (line.operands[0] ?? -1)
  const word = (line?.words ?? args)[operand]
  const second = line?.subcommand ?? (word?.unresolved === true ? undefined : word?.value)
  return [second === undefined ? program : `${program} ${second}`]
}

function distinct(touched: readonly TouchedPath[]): Step['paths'] {
  const paths = new Map<string, Step['paths'][number]>()
  for (const { access, inRoot, absolute, written } of touched) {
    if (paths.size >= pastLimits.stepEntriesMax) break
    const path = cut(inRoot ?? absolute ?? written)
    paths.set(`${access} ${path}`, { access, path })
  }
  return [...paths.values()]
}

function hostsOf(tool: ToolUse): readonly string[] {
  const url = tool.url ?? mcpUse(tool)?.url
  const { owner, repo } = mcpArguments(tool.input)
  const repository =
    tool.kind === 'mcp' && typeof owner === 'string' && typeof repo === 'string' ? [`${owner}/${repo}`] : []
  return url === undefined || !URL.canParse(url) ? repository : [new URL(url).hostname, ...repository]
}

/**
 * Returns a text that is equal for calls that are the same but for what changes by itself from one try to the next:
 * numbers, times, random names, and how much white space there is.
 *
 * @param text the call as people are shown it, secrets masked
 */
const callKey = (tool: string, text: string): string => sha256Of(`${tool}\n${sameText(text)}`).slice(0, keyCharacters)

/** 64 bits: a session has some thousands of calls. */
const keyCharacters = 16

const sameText = (text: string): string =>
  text
    .replaceAll(uuid, '#')
    .replaceAll(isoMoment, '#')
    .replaceAll(hexadecimal, '#')
    .replaceAll(longNumber, '#')
    .replaceAll(/\s+/g, ' ')
    .trim()

const uuid = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi
const isoMoment = /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?/g
/** Seven digits of a commit, or more, of which one is a digit and one is a letter. */
const hexadecimal = /\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b/gi
/** Times and ids of processes; not line numbers, of which a person reads one after the other. */
const longNumber = /\d{6,}/g
