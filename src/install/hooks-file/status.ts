import { existsSync, readFileSync } from 'node:fs'
import { dialectOf } from '../../agents/index.ts'
import { shellCall } from '../../agents/shell-call.ts'
import { titleOf } from '../../model/agents.ts'
import { errorText } from '../../model/errors.ts'
import type { AgentStatus, InstallContext, Canary, Scope, ScopeStatus } from '../install-context.ts'
import { askedTwice } from '../asked-twice.ts'
import { sendCanary } from '../canary.ts'
import { sha256 } from '../files/records.ts'
import { gateNotes, gateRuns } from '../gate-runs.ts'
import { type FoundHandler, handlersIn } from '../json/hook-lists.ts'
import { inTurn } from '../in-turn.ts'
import { notRun } from '../not-run.ts'
import { outdated } from '../outdated.ts'
import { toldRefusal } from '../told-refusal.ts'
import { commandIn, isByHand, type OwnCommand } from './command-line.ts'
import { filesOf, type Place, placesOf, unreadable } from './place.ts'
import { decidedEventsOf, type Registration, toolEventOf } from './registration.ts'

export async function statusOf(registration: Registration, context: InstallContext): Promise<AgentStatus> {
  const { agent } = registration
  const running = await gateRuns(context)
  const scopes: ScopeStatus[] = []
  for (const scope of ['user', 'project'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- two that start processes at once would slow each other down
    const status = await statusIn(scope, registration, { ...context, scope })
    if (status !== undefined) scopes.push(status)
  }
  const obstacles = registration.obstacles?.(context) ?? []
  return {
    agent,
    calls: obstacles.length === 0 && scopes.some(({ state }) => state === 'works'),
    scopes,
    gateRuns: running,
    obstacles,
    notes: [...gateNotes(agent, running, scopes), ...askedTwice(scopes), ...(registration.notes?.(context) ?? [])],
  }
}

async function statusIn(
  scope: Scope,
  registration: Registration,
  context: InstallContext,
): Promise<ScopeStatus | undefined> {
  let file: string
  try {
    file = filesOf(registration, context)[0].file
  } catch {
    // The project is the user's own folder.
    return undefined
  }
  const none = { scope, place: file, by: undefined, events: [], canaries: [] } as const
  try {
    const [place, ...others] = placesOf(registration, context)
    const hidden = others.filter((other) => ownIn(other).length > 0)
    const unread = hidden.map(
      (other) =>
        `it is registered in ${other.file}, which ${titleOf(registration.agent)} does not read: ${again(registration)}`,
    )
    const own = ownIn(place)
    if (own.length > 0) return await statusAt(place, own, unread, registration, context)
    if (hidden.length > 0) return { ...none, by: 'enable', state: 'broken', problems: unread }
    return await statusByHand(none, place, registration, context)
  } catch (error) {
    return { ...none, state: 'broken', problems: [errorText(error)] }
  }
}

interface Own extends FoundHandler {
  readonly own: OwnCommand
}

const ownIn = ({ document, lists }: Place): readonly Own[] =>
  handlersIn(document, lists).flatMap((found) => {
    const own = lists.own(found.handler)
    return own === undefined ? [] : [{ ...found, own }]
  })

const again = ({ agent }: Registration) => `run \`hookgate enable ${agent}\` again`

async function statusAt(
  place: Place,
  own: readonly Own[],
  unread: readonly string[],
  registration: Registration,
  context: InstallContext,
): Promise<ScopeStatus> {
  const { scope } = context
  const found = { scope, place: place.file, by: 'enable', events: [...new Set(own.map(({ event }) => event))] } as const
  const real = place.looked.real
  const problems = [
    ...unread,
    ...unreadable(place, registration),
    ...problemsOf(own, registration),
    ...(registration.problems?.(context, { file: place.file, real, handlers: own }) ?? []),
  ]
  const isKnown = own.every(({ own: { command } }) => place.record?.registered.includes(sha256(command)) === true)
  // A project's hooks came with somebody's repository: they are run only where we put them there ourselves.
  if (scope === 'project' && !isKnown) {
    return { ...found, canaries: [], state: 'unproved', problems: [...problems, notRun(registration.agent)] }
  }
  const asking = own.filter(({ event }) => event === toolEventOf(registration))
  const canaries = await inTurn(differing(asking.map(({ own: { command } }) => command)), (command) =>
    canaryOf(command, registration, context),
  )
  const works = problems.length === 0 && canaries.length > 0 && canaries.every(({ answered }) => answered)
  return { ...found, canaries, state: works ? 'works' : 'broken', problems }
}

function problemsOf(own: readonly Own[], registration: Registration): readonly string[] {
  const { agent, wins } = registration
  const missing = decidedEventsOf(registration).filter((event) => !own.some((one) => one.event === event))
  const files = own.flatMap(({ own: { file } }) => file ?? [])
  const beaten = own.filter(
    ({ entry, entries }) => wins !== undefined && entry !== (wins.position === 'first' ? 0 : entries - 1),
  )
  const texts = files.flatMap((file) => (existsSync(file) ? [readFileSync(file, 'utf8')] : []))
  return [
    ...(missing.length > 0 ? [`not at ${missing.join(', ')}: ${again(registration)}`] : []),
    ...(wins !== undefined && beaten.length > 0
      ? [
          `another hook comes ${wins.position === 'first' ? 'before' : 'after'} it at ${beaten.map(({ event }) => event).join(', ')}, and ${wins.since}: ${again(registration)}`,
        ]
      : []),
    ...files.filter((file) => !existsSync(file)).map((file) => `${file} is gone: ${again(registration)}`),
    ...outdated(agent, texts),
  ]
}

/** What a person has set up, by the same proof. */
async function statusByHand(
  none: Pick<ScopeStatus, 'scope' | 'place'>,
  { document, lists }: Place,
  registration: Registration,
  context: InstallContext,
): Promise<ScopeStatus> {
  const { agent } = registration
  const hand = handlersIn(document, lists).filter(({ handler }) => isByHand(agent, context, handler))
  const events = [...new Set(hand.map(({ event }) => event))]
  if (events.length === 0) return { ...none, by: undefined, events, canaries: [], state: 'absent', problems: [] }
  const found = { ...none, by: 'hand', events } as const
  if (none.scope === 'project') return { ...found, canaries: [], state: 'unproved', problems: [notRun(agent)] }
  const commands = differing(hand.flatMap(({ handler }) => commandIn(handler) ?? []))
  const canaries = await inTurn(commands, (command) => canaryOf(command, registration, context))
  return { ...found, canaries, state: canaries.every(({ answered }) => answered) ? 'works' : 'broken', problems: [] }
}

/** As the agent starts it: by a shell, with the variables that it gives to hooks. */
async function canaryOf(command: string, { agent }: Registration, context: InstallContext): Promise<Canary> {
  const { cwd, env, platform } = context
  const told = (sessionId: string) => shellCall(agent, 'true', cwd, sessionId)
  const dialect = await dialectOf(agent)
  const event = dialect.decodeEvent(await told('hookgate'), { nowMs: 0, env: {}, cwd })
  const handler = { kind: 'command', dialect: agent, program: { form: 'exec', file: '', args: [] } } as const
  const given = dialect.environment(event, { ...handler, env: {}, plainTextEvents: [], async: false }, env)
  const shell = platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c'] : ['/bin/sh', '-c']
  const start = { file: shell[0] ?? '', args: [...shell.slice(1), command], cwd, env: given.env }
  return sendCanary(context, { start, shown: command }, told, toldRefusal(agent, cwd))
}

const differing = (commands: readonly string[]) => [...new Set(commands)]
