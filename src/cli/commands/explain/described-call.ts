import { join, resolve } from 'node:path'
import { encodeCall, type NeutralCall } from '../../../agents/neutral-call.ts'
import { type KnownAgent, titleOf } from '../../../agents/registry.ts'
import { homeFolder } from '../../../files/home-folder.ts'
import type { Gate } from '../../../gate/gate.ts'
import { HookgateError } from '../../../model/errors.ts'
import { type HookEvent, ToolKind } from '../../../model/event.ts'
import { quoted, quotedWord } from '../../../model/text.ts'
import { usage } from '../../command.ts'
import { choiceIn } from '../../args/flags.ts'

/** The flags that describe a tool call. */
export const callFlags = {
  tool: { type: 'string' },
  command: { type: 'string' },
  path: { type: 'string' },
  content: { type: 'string' },
  url: { type: 'string' },
  pattern: { type: 'string' },
} as const

export type CallValues = { readonly [Flag in keyof typeof callFlags]?: string }

const callFields = ['command', 'path', 'content', 'url', 'pattern'] as const
type CallField = (typeof callFields)[number]

/** The fields that a call of one kind must and may have. */
interface CallFields {
  readonly needs: readonly CallField[]
  readonly may?: readonly CallField[]
}

/** `undefined`: such a call cannot be described by flags. */
const fieldsByKind: Readonly<Record<ToolKind, CallFields | undefined>> = {
  shell: { needs: ['command'] },
  read: { needs: ['path'] },
  write: { needs: ['path'], may: ['content'] },
  edit: { needs: ['path'], may: ['content'] },
  search: { needs: ['pattern'], may: ['path'] },
  list: { needs: [], may: ['path', 'pattern'] },
  fetch: { needs: ['url'] },
  websearch: { needs: ['pattern'] },
  agent: { needs: ['content'] },
  browser: undefined,
  mcp: undefined,
  other: undefined,
}

/** The kinds of calls that flags can describe. */
const describedKinds = ToolKind.options.filter((kind) => fieldsByKind[kind] !== undefined)

/**
 * Reads the tool call that a command line describes; `undefined` if it describes none.
 *
 * @param words the words beside the flags: one shell command
 *
 * @throws HookgateError `usage` if it is incomplete, or describes more than one call
 */
export function describedCall(
  command: string,
  words: readonly string[],
  { tool, ...fields }: CallValues,
  cwd: string,
): NeutralCall | undefined {
  const wrong = (message: string) => usage(message, command)
  const [word, ...others] = words
  const given = callFields.filter((field) => fields[field] !== undefined)
  if (others.length > 0) throw unquoted(command, words)
  if (word !== undefined && (tool ?? 'shell') !== 'shell') {
    throw wrong(`${quoted(word)} is taken as a shell command, and \`--tool ${tool}\` calls another tool`)
  }
  if (word !== undefined && fields.command !== undefined) throw wrong('there are two shell commands')
  if (word === undefined && tool === undefined) {
    if (given[0] === undefined) return undefined
    throw wrong(`--${given[0]} needs \`--tool KIND\``)
  }
  const kind = word === undefined ? (choiceIn(command, 'tool', tool, ToolKind.options) ?? 'shell') : 'shell'
  const known = fieldsByKind[kind]
  if (known === undefined) {
    throw wrong(`a call of the kind \`${kind}\` cannot be described by flags, so give its event on stdin`)
  }
  const all = word === undefined ? fields : { ...fields, command: word }
  if (all.command?.trim() === '') throw wrong('the shell command is empty')
  const missing = known.needs.find((field) => all[field] === undefined)
  if (missing !== undefined) throw wrong(`\`--tool ${kind}\` needs --${missing}`)
  const surplus = given.find((field) => !known.needs.includes(field) && known.may?.includes(field) !== true)
  if (surplus !== undefined) throw wrong(`--${surplus} does not fit \`--tool ${kind}\``)
  return { kind, ...all, ...(all.path !== undefined && { path: resolve(cwd, withHome(all.path)) }) }
}

/** A shell does not expand the `~` of `--path=~/x` or of a quoted word. */
const withHome = (path: string) => (path === '~' || path.startsWith('~/') ? join(homeFolder(), path.slice(1)) : path)

/** Makes the error for a shell command that was written without quotes. */
export function unquoted(command: string, words: readonly string[]): HookgateError {
  return new HookgateError('usage', 'the shell command must be one word', {
    remedy: `put it in quotes: \`hookgate ${command} ${quotedWord(words.join(' '))}\``,
  })
}

/**
 * Makes the event that an agent sends before the call.
 *
 * @throws HookgateError `usage` if the agent has no such tool, or calls no hook before it uses it
 */
export async function eventOfCall(
  command: string,
  gate: Gate,
  agent: KnownAgent,
  call: NeutralCall,
  cwd: string,
): Promise<HookEvent> {
  const wire = await encodeCall(agent, call, cwd, 'explain')
  const event = wire === undefined ? undefined : await gate.decode(wire, { agent })
  const { tool } = event ?? {}
  const title = titleOf(agent)
  if (event === undefined || tool === undefined || tool.kind === 'other' || tool.inferred) {
    throw usage(`${title} asks about no tool of the kind \`${call.kind}\``, command)
  }
  const lost = (['command', 'path', 'content', 'url'] as const).find(
    (field) => call[field] !== undefined && tool[field] === undefined,
  )
  if (lost !== undefined) throw usage(`${title}'s \`${tool.name}\` tool has no --${lost}`, command)
  return event
}

/** Lists the kinds with their flags, for help texts. */
export const kindsHelp = describedKinds
  .map((kind) => {
    const { needs = [], may = [] } = fieldsByKind[kind] ?? {}
    return `${kind} ${[...needs.map((field) => `--${field}`), ...may.map((field) => `[--${field}]`)].join(' ')}`
  })
  .join(', ')
