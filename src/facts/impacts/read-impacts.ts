import { atOnce, inTurns } from '../../files/turns.ts'
import type { Impact } from '../../model/impact.ts'
import type { ShellFacts } from '../../model/shell.ts'
import { impactsByDeeds, impactsOfAccess } from './by-deeds.ts'
import { type Call, callsIn, elsewhereOf } from '../../words/calls.ts'
import { gitImpacts } from './git/read-git.ts'
import { findStartsOfAgents } from './readers/agents.ts'
import { goingLive } from './readers/going-live.ts'
import { impactsOnDatabases } from './readers/databases.ts'
import { impactsOfMails, withForgeWrite } from './readers/outgoing.ts'
import { dearMachines, paidTasks } from './readers/spending.ts'
import { findFilledDisks } from './readers/full-disks.ts'
import { graphCalls, impactsOfRequests } from './readers/requests.ts'
import { impactsOfCode } from './readers/inline-code.ts'
import { findWeakenedChecks, impactsOfFetchedCode } from './readers/fetched-code.ts'
import { findOpenedToAll } from './readers/opened-to-all.ts'
import { findElevations, findEndedProcesses } from './readers/processes.ts'
import { impactsOfMachineCode, impactsOfRunCode, impactsOfWindowsTexts } from './readers/run-code.ts'
import { findSecretSearches } from './readers/secret-searches.ts'
import { findShownVariables } from './readers/shown-variables.ts'
import { withStages } from './readers/stages.ts'

/** Finds impacts of a call that no table of commands can say. */
type ImpactReader = (call: Call, shell: ShellFacts) => readonly Impact[]

const readers: readonly ImpactReader[] = [
  impactsByDeeds,
  dearMachines,
  goingLive,
  graphCalls,
  impactsOnDatabases,
  impactsOfRequests,
  impactsOfCode,
  impactsOfMails,
  impactsOfAccess,
  impactsOfFetchedCode,
  impactsOfRunCode,
  paidTasks,
  findSecretSearches,
  findShownVariables,
  findStartsOfAgents,
  findElevations,
  impactsOfWindowsTexts,
  impactsOfMachineCode,
  findWeakenedChecks,
  findEndedProcesses,
  findFilledDisks,
]

/** Finds the impacts of every command that a text would run, a call at a time. */
function* impactPieces(shell: ShellFacts): Generator<undefined, readonly Impact[]> {
  const found: Impact[] = []
  for (const call of callsIn(shell)) {
    const said = readers.flatMap((read) => read(call, shell))
    const own = said.some(({ kind }) => kind === 'grant') ? said : [...said, ...findOpenedToAll(call)]
    found.push(...withStages(withForgeWrite(own, call, shell), call, shell))
    yield
  }
  found.push(...gitImpacts(shell))
  return found.map((impact) => withPlace(impact, shell))
}

/** Adds the other machine or the container in which an impact's command runs. */
function withPlace(impact: Impact, shell: ShellFacts): Impact {
  const elsewhere = typeof impact.by === 'number' ? elsewhereOf(shell.commands[impact.by], shell) : undefined
  return elsewhere === undefined ? impact : { ...impact, elsewhere }
}

/** Returns the impacts of every command that a text would run. */
export const impactsIn = (shell: ShellFacts): readonly Impact[] => atOnce(impactPieces(shell))

/** Returns the same, and lets other events have their turns in between. */
export const impactsInTurns = async (shell: ShellFacts): Promise<readonly Impact[]> =>
  inTurns(impactPieces(shell), (piece) => piece())

export { impactsOfFetch } from './readers/requests.ts'
export { impactsOfFiles } from './readers/databases.ts'
