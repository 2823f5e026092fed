import { constants } from 'node:os'
import type { Asked } from '../index.ts'
import { inTurn } from '../in-turn.ts'
import type { AgentName } from '../../model/agents.ts'
import { errorText } from '../../model/errors.ts'
import type { Finding } from './finding.ts'
import { sideBySide } from './side-by-side.ts'
import type { InstalledHook } from './installed-hook.ts'
import type { Judgement } from './judge.ts'
import { type Matrix, openMatrix } from './matrix.ts'
import { type Row, type Way, waysOf } from './row.ts'
import { rows } from './rows.ts'

/** What one agent saw by one way. `notShown`: the failure could not be brought about here. */
export interface Result {
  readonly agent: AgentName
  readonly way: Way
  readonly kind: Judgement['kind'] | 'notShown'
  readonly why: string | undefined
}

export interface RowReport extends Pick<Row, 'id' | 'what' | 'seen' | 'otherwise'> {
  readonly results: readonly Result[]
}

/** What each agent runs before a tool, or why that is not there. */
export type Hooks = ReadonlyMap<AgentName, InstalledHook | string>

/**
 * Has everything fail for the agents, and measures what they wait for where nothing does.
 *
 * @param hooksWith finds their hooks; what has to be installed for one goes into the folder
 */
export async function prove(
  { env, launcher }: Asked,
  agents: readonly AgentName[],
  hooksWith: (folder: string) => Promise<Hooks>,
) {
  let hooks: Hooks = new Map()
  const matrix = openMatrix({
    env,
    hookgate: [launcher.node, launcher.bin],
    hookFor(agent, places) {
      const hook = hooks.get(agent)
      return typeof hook === 'object' ? hook.at(places) : ''
    },
  })
  // A doctor that is sent away takes what it has started along.
  const leave = (signal: NodeJS.Signals) => {
    matrix.close()
    process.exit(128 + constants.signals[signal])
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, leave)
  try {
    hooks = await hooksWith(matrix.folder)
    const results = await allRows(matrix, agents, hooks)
    return { rowReports: results, costs: await costsOf(matrix, agents, hooks) }
  } finally {
    for (const signal of signals) process.off(signal, leave)
    matrix.close()
  }
}

/** Most of them wait for a process that starts, and a machine has some cores. */
const questionsAtOnce = 6

async function allRows(matrix: Matrix, agents: readonly AgentName[], hooks: Hooks): Promise<readonly RowReport[]> {
  const asked = agents.flatMap((agent) => waysFor(agent, hooks).map((way) => ({ agent, way })))
  const questions = rows.flatMap((row) =>
    asked.map(
      ({ agent, way }) =>
        () =>
          resultOf(matrix, row, agent, way),
    ),
  )
  const answers = await sideBySide(questions, questionsAtOnce)
  return rows.map(({ id, what, seen, otherwise }, index) => {
    const own = answers.slice(index * asked.length, (index + 1) * asked.length)
    return { id, what, seen, ...(otherwise && { otherwise }), results: own.filter((result) => result !== undefined) }
  })
}

const waysFor = (agent: AgentName, hooks: Hooks): readonly Way[] =>
  waysOf(agent).filter((way) => way !== 'client' || typeof hooks.get(agent) === 'object')

async function resultOf(matrix: Matrix, row: Row, agent: AgentName, way: Way): Promise<Result | undefined> {
  try {
    const told = await matrix.ask(row, agent, way)
    if (told === undefined) return undefined
    const { judgement } = told
    return { agent, way, kind: judgement.kind, why: judgement.kind === 'ok' ? undefined : judgement.why }
  } catch (error) {
    return { agent, way, kind: 'notShown', why: errorText(error) }
  }
}

const costRounds = 9

/** What an agent waits for where nothing is wrong. */
async function costsOf(matrix: Matrix, agents: readonly AgentName[], hooks: Hooks): Promise<readonly Finding[]> {
  const [row] = rows
  if (row === undefined) return []
  return inTurn(agents, async (agent): Promise<Finding> => {
    const hook = hooks.get(agent)
    if (typeof hook !== 'object') {
      return {
        about: 'client',
        state: 'note',
        what: `${agent} has no thin client here: ${hook ?? 'none was looked for'}`,
      }
    }
    const rounds = Array.from({ length: costRounds }, (_, index) => index)
    const times = await inTurn(rounds, async () => (await matrix.ask(row, agent, 'client'))?.durationMs ?? 0)
    const medianMs = times.toSorted((a, b) => a - b)[Math.floor(costRounds / 2)] ?? 0
    const which = hook.file === undefined ? 'would ask' : 'asks'
    return {
      about: 'client',
      state: 'ok',
      what: `${agent} ${which} by the ${hook.client} client: ${medianMs.toFixed(1)} ms an event`,
    }
  })
}
