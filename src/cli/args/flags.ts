import { parseArgs, type ParseArgsConfig } from 'node:util'
import { agentNames, type KnownAgent } from '../../agents/registry.ts'
import type { GateOptions } from '../../gate/gate.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import { httpPortUsual, limits } from '../../model/limits.ts'
import { choiceOf, quoted } from '../../model/text.ts'
import { momentOf } from '../../words/moment.ts'
import { didYouMean } from '../../words/suggest.ts'
import { usage, type Invocation } from '../command.ts'
import { existingHome, namedHome } from '../../files/home-folder.ts'
import { entryFile } from '../../files/program-files.ts'
import type { InstallContext } from '../../install/index.ts'
import { ownPlaces } from './own-places.ts'

/** All agent names, for help texts. */
export const agentList = agentNames.join(', ')

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses flags with Node's parser. Its errors become `usage` errors that point to the help. */
export function parseFlags<const Flags extends Options>(
  command: string,
  argv: readonly string[],
  options: Flags,
  allowPositionals = false,
) {
  try {
    const known = { ...options, help: { type: 'boolean', short: 'h' } } as const
    return parseArgs({ args: [...argv], options: known, allowPositionals, strict: true })
  } catch (cause) {
    // Keeps the first sentence, which names the error: the rest explains how a value may begin with a dash.
    const why = errorText(cause).split('. ')[0] ?? ''
    throw usage(`${why.charAt(0).toLowerCase()}${why.slice(1)}`, command)
  }
}

/** The flags of every command that opens a gate. */
const gating = {
  rules: { type: 'string', multiple: true },
  'no-discover': { type: 'boolean' },
  'trust-workspace': { type: 'boolean' },
  timeout: { type: 'string' },
  concurrency: { type: 'string' },
  'cline-precedence': { type: 'string' },
} as const

/** The flags of every command that decides an event. */
const deciding = {
  ...gating,
  agent: { type: 'string' },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const

export interface DecidingFlags {
  readonly agent: KnownAgent | undefined
  readonly gate: GateOptions
  readonly json: boolean
  readonly debug: boolean
}

/** Parses the flags of a command that decides events, its own ones, and words. @throws HookgateError `usage` */
export function decidingFlagsWith<const Own extends Options>(command: string, argv: readonly string[], own: Own) {
  const { values, positionals } = parseFlags(command, argv, { ...own, ...deciding }, true)
  return { values, words: positionals, flags: decidingFlagsOf(command, values) }
}

interface DecidingValues extends GatingValues {
  readonly agent?: string
  readonly json?: boolean
  readonly debug?: boolean
}

function decidingFlagsOf(command: string, values: DecidingValues): DecidingFlags {
  return {
    agent: agentOf(values.agent),
    // This process decides one event. Policies run in another process.
    gate: gateOptionsOf(command, values),
    json: values.json === true,
    debug: values.debug === true,
  }
}

/** Parses the flags of a resident gate and the command's own ones. @throws HookgateError `usage` */
export function gatingFlags<const Own extends Options>(command: string, argv: readonly string[], own: Own) {
  const { values } = parseFlags(command, argv, { ...own, ...gating })
  return { values, gate: gateOptionsOf(command, values) }
}

interface GatingValues {
  readonly rules?: string[]
  readonly 'no-discover'?: boolean
  readonly 'trust-workspace'?: boolean
  readonly timeout?: string
  readonly concurrency?: string
  readonly 'cline-precedence'?: string
}

function gateOptionsOf(command: string, values: GatingValues): GateOptions {
  const timeoutS = numberOf(command, 'timeout', values.timeout, limits.hookTimeoutMsMax / 1000)
  const concurrency = numberOf(command, 'concurrency', values.concurrency, limits.concurrencyMax)
  if (concurrency !== undefined && !Number.isInteger(concurrency)) {
    throw usage(`--concurrency must be a whole number, not \`${concurrency}\``, command)
  }
  return {
    rules: values.rules ?? [],
    discover: values['no-discover'] !== true,
    trustWorkspace: values['trust-workspace'] === true,
    clinePrecedence: choiceIn(command, 'cline-precedence', values['cline-precedence'], ['both', 'project']) ?? 'both',
    ...(timeoutS !== undefined && { timeoutMs: timeoutS * 1000 }),
    ...(concurrency !== undefined && { concurrency }),
  }
}

/** @throws HookgateError `usage` */
export function agentOf(value: string): KnownAgent
export function agentOf(value: string | undefined): KnownAgent | undefined
export function agentOf(value: string | undefined): KnownAgent | undefined {
  if (value === undefined) return undefined
  const agent = agentNames.find((name) => name === value)
  if (agent !== undefined) return agent
  const remedy = didYouMean(value, agentNames) ?? `there are ${choiceOf(agentNames)}`
  throw new HookgateError('usage', `\`${value}\` is not an agent that hookgate knows`, { remedy })
}

/** Parses a flag that takes one of a few words. @throws HookgateError `usage` */
export function choiceIn<const Word extends string>(
  command: string,
  flag: string,
  value: string | undefined,
  words: readonly Word[],
): Word | undefined {
  const word = words.find((known) => known === value)
  if (value === undefined || word !== undefined) return word
  throw usage(`--${flag} must be ${choiceOf(words)}, not \`${value}\``, command)
}

export function numberOf(command: string, flag: string, value: string | undefined, max: number): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (value.trim() !== '' && number > 0 && number <= max) return number
  throw usage(`--${flag} must be above 0 and at most ${max}, not \`${value}\``, command)
}

/** Parses the moment of a flag. @throws HookgateError `usage` */
export function momentIn(
  command: string,
  flag: 'since' | 'until' | 'silent-since',
  value: string | undefined,
  nowMs: number,
): number | undefined {
  if (value === undefined) return undefined
  const atMs = momentOf(value, nowMs, flag === 'until')
  if (atMs !== undefined) return atMs
  const forms = 'how long ago (`2h`, `30d`), `today` or `yesterday`, a date (`2027-01-31`) or time (`2027-01-31T09:00`)'
  throw usage(`--${flag} must be ${forms}, not ${quoted(value)}`, command)
}

/** Parses a TCP port, the value of a flag. @throws HookgateError `usage` */
export function portOf(command: string, flag: string, text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port
  throw usage(`--${flag} must be a port from 1 to 65535, not \`${text}\``, command)
}

/**
 * Extracts `--http`, `--http PORT` or `--http=PORT` from the arguments: Node's parser has no flags with an optional
 * value.
 *
 * @throws HookgateError `usage`
 */
export function httpFlag(command: string, argv: readonly string[]): { httpPort: number | undefined; rest: string[] } {
  const rest: string[] = []
  let httpPort: number | undefined
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    const next = argv[at + 1]
    if (word === '--http' && (next === undefined || next.startsWith('-'))) httpPort = httpPortUsual
    else if (word === '--http') {
      httpPort = portOf(command, 'http', next ?? '')
      at += 1
    } else if (word.startsWith('--http=')) httpPort = portOf(command, 'http', word.slice('--http='.length))
    else rest.push(word)
  }
  return { httpPort, rest }
}

/** Returns the agent that a command line names. @throws HookgateError `usage` */
export function agentNamed(command: string, named: KnownAgent | undefined, positionals: readonly string[]): KnownAgent {
  const [word, ...surplus] = named === undefined ? positionals : [named, ...positionals]
  if (surplus.length > 0) throw usage(`${command} takes one agent`, command)
  const agent = agentOf(word)
  if (agent !== undefined) return agent
  throw usage(`${command} needs an agent: ${choiceOf(agentNames)}`, command)
}

/** Returns what the installers need, as it is without any flag. */
export function installContextFor({ env, cwd }: Pick<Invocation, 'env' | 'cwd'>): InstallContext {
  const home = existingHome(namedHome(env['HOME']))
  return {
    scope: 'user',
    env,
    cwd,
    home,
    platform: process.platform,
    places: ownPlaces(env),
    launcher: {
      node: process.execPath,
      bin: entryFile('cli/bin'),
    },
    via: undefined,
    port: undefined,
    dryRun: false,
  }
}

/** Returns the agents that are enabled here, in the order of `--help`. */
export async function enabledAgents(invocation: Pick<Invocation, 'env' | 'cwd'>): Promise<readonly KnownAgent[]> {
  try {
    const { registeredAgents } = await import('../../install/index.ts')
    return await registeredAgents(installContextFor(invocation))
  } catch (error) {
    // Without a home folder, no agent can be enabled.
    if (error instanceof HookgateError) return []
    throw error
  }
}
