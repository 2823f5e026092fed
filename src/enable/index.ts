import { join, sep } from 'node:path'
import type { AgentName } from '../model/agents.ts'
import type { AgentStatus, Asked, Planned } from './asked.ts'
import type { Rule } from '../model/rule.ts'
import { type Unheard, unheardBy } from './unheard.ts'
import type { Places } from '../server/places.ts'
import { carryOut, type Changed, changesNothing, type FileChange, lockSettings } from './files/change.ts'
import { diffText } from './files/diff.ts'
import { traces } from './files/traces.ts'
import { setups } from './setups.ts'

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
}

/**
 * Registers hookgate with an agent.
 *
 * @throws HookgateError `settingsMalformed`, `settingsUnwritable`, `unavailable`, `usage`
 */
export function enable(agent: AgentName, asked: Asked): Promise<Done> {
  return done(asked, () => setups[agent].enable(asked))
}

/** Takes out what `enable` put in, and nothing else. @throws HookgateError as `enable` */
export function disable(agent: AgentName, asked: Asked): Promise<Done> {
  return done(asked, () => setups[agent].disable(asked))
}

/** Whether the agent would really call hookgate. */
export function agentStatus(agent: AgentName, asked: Asked): Promise<AgentStatus> {
  return setups[agent].status(asked)
}

/** Events at which the agent does not ask though rules listen to them: what is silently off. */
export function unheard(agent: AgentName, status: AgentStatus, rules: readonly Rule[]): Unheard {
  return unheardBy(agent, setups[agent].reach, status, rules)
}

async function done(asked: Asked, plan: () => Planned | Promise<Planned>): Promise<Done> {
  const { places, dryRun } = asked
  const isTheirs = ({ file }: { readonly file: string }) => !file.startsWith(join(places.folder, sep))
  if (dryRun) {
    const { changes, notes, summary = [] } = await plan()
    const real = changes.filter((change) => isTheirs(change) && !changesNothing(change))
    const changed = real.map((change) => changedBy(change, undefined))
    return { changed, notes, diff: real.map(diffText).join(''), summary: real.length === 0 ? [] : summary }
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
