import type { AgentName } from '../model/agents.ts'
import { HookgateError } from '../model/errors.ts'
import type { AgentSetup, AgentStatus, Asked, Planned, ScopeStatus } from './asked.ts'
import type { Rule } from '../model/rule.ts'
import { type Unheard, unheardBy } from './unheard.ts'
import type { Places } from '../server/places.ts'
import { carryOut, type Changed, changesNothing, type FileChange, lockSettings } from './files/change.ts'
import { diffText } from './files/diff.ts'
import { traces } from './files/traces.ts'
import { setups } from './setups.ts'
import { checkOwnFolder, isOwn, type OwnWrites, wouldWrite } from './would-write.ts'

export type { AgentStatus, Asked, ScopeStatus } from './asked.ts'
export type { Unheard } from './unheard.ts'

export interface Done {
  /** Files that were changed, or would be; those of hookgate's own folder are left out. */
  readonly changed: readonly Changed[]
  readonly notes: readonly string[]
  /** As `diff -u` shows it: only where nothing was to be changed. */
  readonly diff: string | undefined
  /** At which events, and by what: only where something would be changed. */
  readonly summary: readonly string[]
  /** What would be written into hookgate's own folder: only where something would be changed. */
  readonly own?: OwnWrites
}

/**
 * Registers hookgate with an agent.
 *
 * @throws HookgateError `settingsMalformed`, `settingsUnwritable`, `unavailable`, `usage`
 */
export function enable(agent: AgentName, asked: Asked): Promise<Done> {
  const setup = setups[agent]
  checkFlags(setup, asked)
  return done('enable', asked, () => setup.enable(asked))
}

/** INVARIANT: what somebody asks for is done or refused, and never passed over in silence. @throws HookgateError `usage` */
function checkFlags({ onlyBy }: AgentSetup, asked: Asked): void {
  if (onlyBy !== undefined && asked.via === 'http') throw notByHttp(onlyBy, '--via')
  const why = onlyBy ?? withoutPort(asked)
  if (asked.port !== undefined && why !== undefined) throw notByHttp(why, '--port')
}

function withoutPort({ via, scope }: Asked): string | undefined {
  if (scope === 'project') return "a project's shared hooks ask through the socket of each user's own gate"
  return via === 'command' ? 'a command asks through the gate’s socket' : undefined
}

const notByHttp = (why: string, flag: string) =>
  new HookgateError('usage', `not by HTTP: ${why}`, { remedy: `remove \`${flag}\`` })

/** Takes out what `enable` put in, and nothing else. @throws HookgateError as `enable` */
export function disable(agent: AgentName, asked: Asked): Promise<Done> {
  return done('disable', asked, () => setups[agent].disable(asked))
}

/** Whether the agent would really call hookgate. */
export async function agentStatus(agent: AgentName, asked: Asked): Promise<AgentStatus> {
  const status = await setups[agent].status(asked)
  // A file that cannot be read is in the way of all that is registered, and of what is registered in it.
  const toldOnce = (scope: ScopeStatus): ScopeStatus => ({
    ...scope,
    problems: scope.problems.filter((problem) => !status.obstacles.includes(problem)),
  })
  return { ...status, scopes: status.scopes.map(toldOnce) }
}

/** Events at which the agent does not ask though rules listen to them: what is silently off. */
export function unheard(agent: AgentName, status: AgentStatus, rules: readonly Rule[]): Unheard {
  return unheardBy(agent, setups[agent].reach, status, rules)
}

async function done(verb: 'enable' | 'disable', asked: Asked, plan: () => Planned | Promise<Planned>): Promise<Done> {
  const { places, dryRun } = asked
  const isTheirs = ({ file }: { readonly file: string }) => !isOwn(asked, file)
  if (dryRun) {
    checkOwnFolder(asked)
    const planned = await plan()
    const { changes, notes, summary = [] } = planned
    const own = wouldWrite(verb, asked, planned)
    const real = changes.filter((change) => isTheirs(change) && !changesNothing(change))
    const changed = real.map((change) => changedBy(change, undefined))
    const diff = real.map(diffText).join('')
    return { changed, notes, diff, summary: real.length === 0 ? [] : summary, ...(own && { own }) }
  }
  const lock = await lockSettings(places)
  const made = traces(places)
  try {
    const { changes, notes } = await plan()
    const changed = carryAllOut(places, changes)
    return { changed: changed.filter(isTheirs), notes, diff: undefined, summary: [] }
  } catch (error) {
    undoIfPossible(() => made.remove())
    throw error
  } finally {
    lock.release()
  }
}

/** All of them or, where one fails, none. */
function carryAllOut(places: Places, changes: readonly FileChange[]): readonly Changed[] {
  const undoes: (() => void)[] = []
  try {
    return changes
      .filter((change) => !changesNothing(change))
      .map((change) => {
        const { backup, undo } = carryOut(places, change)
        undoes.unshift(undo)
        return changedBy(change, backup)
      })
  } catch (error) {
    for (const undo of undoes) undoIfPossible(undo)
    throw error
  }
}

/** What was wrong in the first place is what there is to be said. */
function undoIfPossible(undo: () => void): void {
  try {
    undo()
  } catch {
    // The next may still be undone.
  }
}

function changedBy({ file, after, record }: FileChange, backup: string | undefined): Changed {
  return { file, what: after === undefined ? 'removed' : record === undefined ? 'restored' : 'wrote', backup }
}
