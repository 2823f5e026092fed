import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { carriedPlaces } from '../tools/carried-use.ts'
import { mcpArguments, mcpUse } from '../tools/mcp-call.ts'
import { HookgateError } from '../model/errors.ts'
import { turn } from '../files/turns.ts'
import { memoize } from '../model/lazy.ts'
import { limits } from '../model/limits.ts'
import type { HookEvent, ToolUse } from '../model/event.ts'
import type { Environment } from '../model/node-environment.ts'
import type { ShellSurroundings } from '../model/shell.ts'
import { type FindToolFacts, isNamedTool, noToolFacts, type ToolCall, type ToolFacts } from '../model/tool-facts.ts'
import type { JsonObject } from '../model/json.ts'
import { fileOfUrl } from '../model/text.ts'
import { fileTexts } from '../agents/codec/edits.ts'
import { globsIn } from '../agents/tool-names.ts'

/** Opens the analysis of a policy example's tool call: by its text alone, since an example's files are on no disk. */
export function openToolFacts(): FindToolFacts {
  const opened = memoize(loaded)
  return async (call, around) => {
    const found = isEmpty(call) ? noToolFacts : await (await opened()).toolFacts(call, around)
    return call.asksForHarmless === true ? withHarmlessOf(call, found, around) : found
  }
}

const doubts = memoize(() => import('./harmless/doubts.ts'))

async function withHarmlessOf(
  { command }: Pick<ToolUse, 'command'>,
  found: ToolFacts,
  { workspaceRoots, cwd }: Pick<ShellSurroundings, 'workspaceRoots' | 'cwd'>,
): Promise<ToolFacts> {
  if (command === undefined) return found
  const { withHarmless } = await doubts()
  return { ...found, shell: withHarmless(command, found.shell, found.impacts, [...workspaceRoots, cwd]) }
}

/** Adds to the facts of an event's tool call which of its commands only look. */
export const withHarmless = async (
  found: ToolFacts,
  { tool, session, workspaceRoots }: HookEvent,
): Promise<ToolFacts> =>
  tool === undefined ? found : withHarmlessOf(mcpUse(tool) ?? tool, found, { workspaceRoots, cwd: session.cwd })

/** Loads the facts' modules with the first call, to keep start-up fast. */
const loaded = async () => {
  const [{ toolFacts }, { openOldText }, { realPaths }, { stuckRoots }] = await Promise.all([
    import('./tool-facts.ts'),
    import('./text-changes.ts'),
    import('./paths/real-paths.ts'),
    import('./timed-lookups.ts'),
  ])
  return { toolFacts, openOldText, realPaths, stuck: stuckRoots() }
}

/** Loads all that the facts of any call need, for a process that outlives its own program files. */
export async function loadToolFacts(): Promise<void> {
  await loaded()
  await (await import('./tool-facts.ts')).loadAnalyses()
  await doubts()
}

/**
 * Opens the analysis of an event's tool call: what the call would do, where its paths really lead on this disk,
 * and what it changes there.
 *
 * @param home the gate's own home directory, used where the event's environment has no absolute `HOME`
 */
export function openEventFacts(
  home = homedir(),
): (event: HookEvent, env: Environment, withImpacts?: boolean) => Promise<ToolFacts> {
  const opened = memoize(loaded)
  return async ({ agent, tool, session, workspaceRoots }, env, withImpacts = true) => {
    if (tool === undefined) return noToolFacts
    const call: ToolCall = { ...callOf(agent, tool), ...(!withImpacts && { withoutImpacts: true }) }
    if (isEmpty(call)) return noToolFacts
    checkNumber(call)
    const { toolFacts, openOldText, realPaths, stuck } = await opened()
    const named = env['HOME'] ?? ''
    const around: ShellSurroundings = {
      cwd: [session.cwd, ...workspaceRoots].find(isAbsolute) ?? '/',
      home: isAbsolute(named) ? named : home,
      workspaceRoots: workspaceRoots.filter(isAbsolute),
      env: exposedEnv(env),
    }
    await turn()
    const found = await toolFacts(call, around, {
      oldText: openOldText(around, stuck),
      realPaths: (paths) => realPaths(paths, around, stuck),
    })
    await turn()
    return found
  }
}

/** Returns the parts of a tool's use that its facts are determined from. */
function callOf(agent: string, tool: ToolUse): ToolCall {
  const { name } = tool
  const use = mcpUse(tool) ?? tool
  const { kind, command, paths: named = [], url } = use
  const input = mcpArguments(tool.input)
  const globs = globsIn(agent, name, kind, input)
  const isUnlisted = tool.kind === 'mcp' || tool.kind === 'other' || tool.inferred === true
  const file = url === undefined ? '' : fileOfUrl(url)
  const paths = file === url ? named : [...named, file].filter((path) => path !== '')
  return {
    kind,
    paths,
    ...(command !== undefined && { command }),
    ...(/^powershell$/i.test(name) && { isPowershell: true }),
    ...(kind === 'agent' && { prompt: textsOf(input).join('\n\n').slice(0, limits.carriedCharactersMax) }),
    globs,
    ...(isNamedTool(tool.kind) && { named: { name, input: tool.input } }),
    ...(kind === 'fetch' && url !== undefined && { fetched: { name, url, method: methodOf(input) } }),
    ...(kind === 'search' && { search: { name, input } }),
    ...(isUnlisted && { isUnlisted }),
    ...((isUnlisted || kind === 'read' || kind === 'search') && {
      places: carriedPlaces(
        { kind, name, isServer: tool.kind === 'mcp' },
        [...paths, ...globs],
        tool.input,
        ...(input === tool.input ? [] : [input]),
      ),
    }),
    texts: fileTexts(agent, { ...use, name, input }, named),
  }
}

const methodOf = ({ method }: JsonObject): string => (typeof method === 'string' ? method.toUpperCase() : 'GET')

const textsOf = (input: JsonObject) => Object.values(input).filter((one) => typeof one === 'string')

/** @throws HookgateError `eventMalformed` */
function checkNumber({ paths, globs = [], places = [], texts = [] }: ToolCall): void {
  const folders = Math.max(1, paths.length)
  const number = Math.max(paths.length + folders * globs.length, texts.length)
  const [most, named] =
    places.length > limits.callPlacesMax ? [limits.callPlacesMax, places.length] : [limits.callPathsMax, number]
  if (named <= most) return
  throw new HookgateError('eventMalformed', `the call names ${named} files, more than can be judged`, {
    remedy: `name at most ${most} in one call`,
  })
}

const isEmpty = ({ kind, command, named, fetched, prompt = '', paths, globs = [], places = [] }: ToolCall) =>
  kind !== 'search' &&
  named === undefined &&
  fetched === undefined &&
  prompt === '' &&
  paths.length + globs.length + places.length === 0 &&
  (kind !== 'shell' || command === undefined || command === '')

/**
 * Variables whose values may reach policies, through the commands that expand them: folders and user names. Any other
 * variable of an environment may hold a secret.
 */
const harmless = [
  'TMPDIR', 'USER', 'LOGNAME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA',
] as const // prettier-ignore

function exposedEnv(env: Environment): Environment {
  return Object.fromEntries(harmless.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
