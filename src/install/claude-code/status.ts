import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { errorText } from '../../model/errors.ts'
import { endGate } from '../../server/end-gate.ts'
import type { AgentStatus, InstallContext, ScopeStatus, Scope } from '../install-context.ts'
import { outdated } from '../outdated.ts'
import { askedTwice } from '../asked-twice.ts'
import { gateNotes, gateRuns } from '../gate-runs.ts'
import { inTurn } from '../in-turn.ts'
import { notRun } from '../not-run.ts'
import { lookAt } from '../files/look-at.ts'
import { hookFolderOf } from '../hook-files.ts'
import { readRecord, sha256 } from '../files/records.ts'
import { parseDocument } from '../json/document.ts'
import { ownHandlersByEvent } from '../json/hook-lists.ts'
import { type CalledHandler, canaryFor, startFor } from './canary-for.ts'
import { handlersByHand, type HandHandler } from './by-hand.ts'
import { askedEvents, decidedEvents } from './groups.ts'
import { claudeLists, type OwnHandler } from './own-handler.ts'
import { boundsOf, settingsFileOf } from './settings-files.ts'
import { type Overrides, readOverrides } from './switches.ts'
import { askVersion, isAtLeast, measuredVersion, since, type Version, versionText } from './version.ts'

export async function statusOfClaudeCode(context: InstallContext): Promise<AgentStatus> {
  const overrides = readOverrides(context)
  const version = await askVersion(context)
  const gateRan = await gateRuns(context)
  const scopes: ScopeStatus[] = []
  for (const scope of ['user', 'project'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- two that start processes at once would slow each other down
    const status = await statusOf(scope, { ...context, scope }, version, overrides)
    if (status !== undefined) scopes.push(status)
  }
  return {
    agent: 'claude-code',
    calls: overrides.obstacles.length === 0 && scopes.some(({ state }) => state === 'works'),
    scopes,
    gateRuns: gateRan,
    obstacles: overrides.obstacles,
    notes: [
      ...gateNotes('claude-code', gateRan, scopes),
      ...askedTwice(scopes),
      ...outdated('claude-code', ownFiles(context)),
      versionNote(version),
    ],
  }
}

/** The text of every hook that lies in hookgate's own folder. */
function ownFiles(context: InstallContext): readonly string[] {
  return askedEvents
    .map((event) => join(hookFolderOf('claude-code', context), event))
    .flatMap((file) => (existsSync(file) ? [readFileSync(file, 'utf8')] : []))
}

function versionNote(version: Version | undefined): string {
  if (version === undefined) return 'no `claude` on the PATH reports its version'
  const newer = isAtLeast(version, measuredVersion) && versionText(version) !== versionText(measuredVersion)
  return `Claude Code ${versionText(version)}${newer ? `; hookgate was tested with ${versionText(measuredVersion)}` : ''}`
}

async function statusOf(
  scope: Scope,
  context: InstallContext,
  version: Version | undefined,
  overrides: Overrides,
): Promise<ScopeStatus | undefined> {
  let place: string
  try {
    place = settingsFileOf(scope, context)
  } catch {
    // The project is the user's own folder.
    return undefined
  }
  const none = { scope, place, by: undefined, events: [], canaries: [] } as const
  try {
    const { real, present } = lookAt(place, boundsOf(scope, context))
    if (present === undefined) return { ...none, state: 'absent', problems: [] }
    const document = parseDocument(present.bytes, place)
    const byEvent = ownHandlersByEvent(document, claudeLists)
    const events = [...byEvent.keys()]
    if (events.length === 0) return await statusByHand(none, handlersByHand(document), context)
    const handlers = differing(provedAt.flatMap((event) => byEvent.get(event) ?? []).filter((one) => !bringsUp(one)))
    const record = readRecord(context.places, real)
    const all = [...byEvent.values()].flat()
    const isKnown = (handler: OwnHandler) => record?.registered.includes(sha256(JSON.stringify(handler))) === true
    const problems = [
      ...problemsOf(events, all, version, overrides, present.mode),
      ...filesGone(all, context).map((file) => `${file} is gone: ${again}`),
    ]
    // A project's settings came with somebody's repository: what they name is run only where we put it there ourselves.
    if (scope === 'project' && !all.every(isKnown)) {
      return {
        scope,
        place,
        by: 'enable',
        events,
        canaries: [],
        state: 'unproved',
        problems: [...problems, notRun('claude-code')],
      }
    }
    const canaries = await withGate(all.find(bringsUp), context, () =>
      inTurn(handlers, (handler) => canaryFor(handler, context)),
    )
    const works = problems.length === 0 && canaries.length > 0 && canaries.every(({ answered }) => answered)
    return { scope, place, by: 'enable', events, canaries, state: works ? 'works' : 'broken', problems }
  } catch (error) {
    return { ...none, state: 'broken', problems: [errorText(error)] }
  }
}

/** What asks by HTTP can only be tried with a gate, and a question leaves none behind that it has started. */
async function withGate<T>(up: OwnHandler | undefined, context: InstallContext, ask: () => Promise<T>): Promise<T> {
  if (up === undefined || (await gateRuns(context))) return ask()
  await startFor(up, context)
  try {
    return await ask()
  } finally {
    await endGate(context.places)
  }
}

/** What a person has set up, by the same proof. A project's came with somebody's repository, and is run by nobody here. */
async function statusByHand(
  none: Pick<ScopeStatus, 'scope' | 'place'>,
  byEvent: ReadonlyMap<string, readonly HandHandler[]>,
  context: InstallContext,
): Promise<ScopeStatus> {
  const events = [...byEvent.keys()]
  if (events.length === 0) return { ...none, by: undefined, events, canaries: [], state: 'absent', problems: [] }
  const found = { ...none, by: 'hand', events } as const
  if (none.scope === 'project') return { ...found, canaries: [], state: 'unproved', problems: [notRun('claude-code')] }
  const canaries = await inTurn(differing([...byEvent.values()].flat()), (handler) => canaryFor(handler, context))
  const state = canaries.every(({ answered }) => answered) ? 'works' : 'broken'
  return { ...found, canaries, state, problems: [] }
}

const again = 'run `hookgate enable claude-code` again'

function problemsOf(
  events: readonly string[],
  handlers: readonly OwnHandler[],
  version: Version | undefined,
  overrides: Overrides,
  mode: number,
): readonly string[] {
  const missing = decidedEvents.filter((event) => !events.includes(event))
  const posts = handlers.filter((handler) => handler.type === 'http')
  const forbidden = posts.find(({ url }) => !overrides.httpAllowed(url))
  return [
    ...(missing.length > 0 ? [`not at ${missing.join(', ')}: ${again}`] : []),
    ...(posts.length > 0 && version !== undefined && !isAtLeast(version, since.onFailure)
      ? [`Claude Code ${versionText(version)} goes ahead when the HTTP hook fails: ${again}`]
      : []),
    ...(posts.length > 0 && process.platform !== 'win32' && (mode & 0o077) !== 0
      ? ['other users can read the file, and the token in it: run `chmod 600` on it']
      : []),
    ...(forbidden === undefined ? [] : [`\`allowedHttpHookUrls\` does not list ${forbidden.url}: ${again}`]),
    ...(handlers.some(({ type, onFailure }) => type === 'http' && onFailure !== 'block')
      ? [`an HTTP hook without \`"onFailure": "block"\` lets the agent go ahead when it fails: ${again}`]
      : []),
  ]
}

/** Every way that is registered is registered at one of these; the others' files differ only in how they refuse. */
const provedAt = ['PreToolUse', 'UserPromptSubmit']

/** The files of hookgate's own that commands name, and that are gone. */
function filesGone(handlers: readonly OwnHandler[], { places }: InstallContext): readonly string[] {
  return handlers
    .flatMap((handler) => (handler.type === 'command' ? (handler.args ?? []) : []))
    .filter((word) => word.startsWith(join(places.folder, sep)) && !existsSync(word))
}

/** What only starts the gate has nothing to say to an event. */
const bringsUp = (handler: OwnHandler) => handler.type === 'command' && handler.args?.includes('up') === true

function differing<Handler extends CalledHandler>(handlers: readonly Handler[]): readonly Handler[] {
  return [...new Map(handlers.map((handler) => [JSON.stringify(handler), handler])).values()]
}
