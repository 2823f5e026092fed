import type { Impact } from '../../model/impact.ts'
import type { ShellFacts } from '../../model/shell.ts'
import { impactsByDeeds } from './by-deeds.ts'
import { type Call, callsIn } from '../../model/calls.ts'
import { gitImpacts } from './git/read-git.ts'
import { goingLive } from './going-live/read-going-live.ts'
import { dearMachines } from './readers/dear-machines.ts'
import { graphCalls } from './readers/graph-calls.ts'

/** Finds impacts of a call that no table of commands can say. */
type ImpactReader = (call: Call, shell: ShellFacts) => readonly Impact[]

const readers: readonly ImpactReader[] = [impactsByDeeds, dearMachines, goingLive, graphCalls]

/** Returns the impacts of every command that a text would run. */
export const impactsIn = (shell: ShellFacts): readonly Impact[] => [
  ...callsIn(shell).flatMap((call) => readers.flatMap((read) => read(call, shell))),
  ...gitImpacts(shell),
]
