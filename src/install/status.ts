import { titleOf } from '../agents/registry.ts'
import type { AgentName } from '../model/event.ts'
import { errorText } from '../model/errors.ts'
import { presenceAt } from '../service/server/presence.ts'
import type {
  AgentLook,
  AgentStatus,
  Canary,
  InstallContext,
  Inspection,
  Installer,
  InstallPlace,
  InstallScope,
  RegisteredPlace,
  ScopeStatus,
} from './install-context.ts'
import { inTurn } from './canary.ts'
import { heldCodeOf, switchesOf } from './switches.ts'

/** Inspects every place where the agent looks for hooks, and tries what is registered there. */
export async function statusOf(agent: AgentName, installer: Installer, context: InstallContext): Promise<AgentStatus> {
  const gateRuns = await isGateRunning(context)
  const look = await installer.look(context)
  const scopes = await inTurn(['user', 'project'] as const, async (scope): Promise<readonly ScopeStatus[]> => {
    const places = await placesIn(look, { ...context, scope })
    const found = await inTurn(places, (place) => statusAt(agent, scope, place))
    return look.everyPlaceCounts === true ? found.map((one) => besideOthers(agent, one, found)) : found
  })
  const all = scopes.flat()
  const obstacles = [...switchesOf(agent, context), ...look.obstacles]
  return {
    agent,
    calls: obstacles.length === 0 && scopes.some((places) => isRegistered(look, places)),
    scopes: all.map((status) => withoutRepeated(status, obstacles)),
    gateRuns,
    obstacles,
    held: heldCodeOf(agent, context),
    notes: [...(gateRuns ? [] : gateNotes(agent, all)), ...registeredTwice(all), ...look.notes],
  }
}

function isRegistered({ everyPlaceCounts = false }: AgentLook, places: readonly ScopeStatus[]): boolean {
  return places.some(isWorking) && (!(everyPlaceCounts && places.some(byEnable)) || places.every(isWorking))
}

const isWorking = ({ state }: ScopeStatus) => state === 'works'
const byEnable = ({ by }: ScopeStatus) => by === 'enable'

/** A place that is left out is broken if `enable` registered another of its scope. By hand, a person may choose one. */
function besideOthers(agent: AgentName, status: ScopeStatus, all: readonly ScopeStatus[]): ScopeStatus {
  if (status.state !== 'absent' || !all.some(byEnable)) return status
  const problem = `a part of ${titleOf(agent)} reads this folder alone, and does not ask hookgate: run \`hookgate enable ${agent}\` again`
  return { ...status, state: 'broken', problems: [...status.problems, problem] }
}

export async function isGateRunning({ places }: Pick<InstallContext, 'places'>): Promise<boolean> {
  return (await presenceAt(places)).kind === 'answering'
}

/** Reads what is registered in every place where the agent looks for hooks. Nothing that is registered is tried. */
export async function registrationsOf(
  installer: Installer,
  context: InstallContext,
): Promise<readonly RegisteredPlace[]> {
  const look = await installer.look(context)
  const scopes = await inTurn(['user', 'project'] as const, async (scope) => {
    const places = await placesIn(look, { ...context, scope })
    return inTurn(places, async ({ place, inspect }): Promise<RegisteredPlace> => {
      try {
        const { by, events, problems } = await inspect()
        return { scope, place, by, events, problems }
      } catch (error) {
        return { scope, place, by: undefined, events: [], problems: [errorText(error)] }
      }
    })
  })
  return scopes.flat()
}

/** A scope without a place of its own is left out. */
async function placesIn(look: AgentLook, context: InstallContext): Promise<readonly InstallPlace[]> {
  try {
    return await look.placesIn(context)
  } catch {
    return []
  }
}

async function statusAt(agent: AgentName, scope: InstallScope, { place, inspect }: InstallPlace): Promise<ScopeStatus> {
  try {
    const inspection = await inspect()
    const { by, events, problems, remarks = [], untried } = inspection
    const found = { scope, place, by, events }
    if (by === undefined)
      return { ...found, state: problems.length === 0 ? 'absent' : 'broken', problems, canaries: [] }
    if (untried !== undefined) return { ...found, state: 'unproved', problems: [...problems, untried], canaries: [] }
    const canaries = await canariesOf(inspection)
    const isAnswered = canaries.length > 0 && canaries.every(({ answered }) => answered)
    if (problems.length === 0 && isAnswered) return { ...found, state: 'works', problems: remarks, canaries }
    const enable = `\`hookgate enable ${agent}\``
    const isNamed = isAnswered || by !== 'enable' || problems.some((problem) => problem.includes(enable))
    const remedies = isNamed ? [] : [`${enable} writes again what it runs`]
    return { ...found, state: 'broken', problems: [...problems, ...remarks, ...remedies], canaries }
  } catch (error) {
    return { scope, place, by: undefined, events: [], state: 'broken', problems: [errorText(error)], canaries: [] }
  }
}

function canariesOf({ canaries, around = (send) => send() }: Inspection): Promise<readonly Canary[]> {
  return around(() => inTurn(canaries, (send) => send()))
}

/** Removes the problems of a scope that are printed as obstacles: a file that cannot be read is both. */
const withoutRepeated = (status: ScopeStatus, obstacles: readonly string[]): ScopeStatus => ({
  ...status,
  problems: status.problems.filter((problem) => !obstacles.includes(problem)),
})

function gateNotes(agent: AgentName, scopes: readonly ScopeStatus[]): readonly string[] {
  const canaries = scopes.flatMap((scope) => scope.canaries)
  if (canaries.length === 0) return []
  const post = canaries.find(({ way }) => isAddress(way))
  if (post !== undefined) {
    const up = `\`hookgate up --http ${new URL(post.way).port}\``
    const until = `until then, its HTTP hooks refuse everything`
    return [`the gate is not running: the next prompt of ${titleOf(agent)} starts it, as ${up} does; ${until}`]
  }
  if (!canaries.some(({ by }) => by === 'process')) return []
  return [
    `the gate is not running, and a process of its own answered: \`hookgate up\` starts it, and so does the first event of ${titleOf(agent)}`,
  ]
}

const isAddress = (way: string) => way.startsWith('http://')

/** An agent runs what every scope registers. It does no harm but takes time. */
export function registeredTwice(scopes: readonly ScopeStatus[]): readonly string[] {
  const registered = new Set(scopes.filter(({ state }) => state !== 'absent').map(({ scope }) => scope))
  return registered.size < 2
    ? []
    : ['it is registered both for you and for the project, so hookgate is asked twice at each event']
}

/** The reason why a registration in a project is not tried: it may come from a foreign repository. */
export const untriedInProject = (agent: AgentName) =>
  `it was not registered from this machine, so it is not run to check whether it answers; \`hookgate enable ${agent} --scope project\` makes it yours`
