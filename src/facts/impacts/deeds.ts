import type { ShellFacts } from '../../model/shell.ts'
import type { ImpactArea, ImpactKind, ImpactThing } from '../../model/impact.ts'
import type { Call } from '../../model/calls.ts'
import type { LooseLine, LineRules } from '../../model/loose-line.ts'
import type { Pattern } from './pattern.ts'
import type { VerbRules } from './verb.ts'

/** Narrows deeds by what no pattern says, such as the path of a request. */
export type DeedCondition = (call: Call, line: LooseLine, shell: ShellFacts) => boolean

/** Commands of a program that do the same kind of thing. Each says at most one thing of a command line. */
export interface Deed {
  /** Default: as the verb among the words says, or else `delete`. */
  readonly kind?: ImpactKind
  /** Default: as the object's name says, or else that of the family. */
  readonly thing?: ImpactThing
  /** What it is done to, in the singular, where the words do not say it. */
  readonly object?: string
  /** Commands that nothing undoes. */
  readonly never?: readonly Pattern[]
  /** Commands that take work to undo. */
  readonly work?: readonly Pattern[]
  /** The same of commands that no pattern names and whose verb takes something away: `compute instances delete`. */
  readonly byVerb?: 'never' | 'work'
  readonly when?: DeedCondition
}

/**
 * What the commands of a program do to things that others may depend on. It is held against each command line that
 * starts the program, and says nothing of files and the network: these are in the program's `Row`.
 */
export interface Deeds extends Deed, LineRules, VerbRules {
  /** What it does besides, of other kinds. */
  readonly also?: readonly Deed[]
  /** Commands that look like one of these by their words, and are none. */
  readonly harmless?: readonly Pattern[]
  /** Options besides `commonTrials` with which the program only says what it would do. */
  readonly trials?: string
  /** The first word is the name of a file or a task, so that nothing follows from one that is not known. */
  readonly runsAnything?: true
  /** `-h` does not request help: it names a host, or halts. */
  readonly hIsNoHelp?: true
  /** What the commands act on follows their verb: `delete namespace staging`. Otherwise it precedes the verb. */
  readonly objectLast?: true
}

/** Programs for one kind of system. A key may hold several names of a program, separated by blanks. */
export interface Family {
  readonly area: ImpactArea
  readonly thing: ImpactThing
  /** Default of its deeds, where they have no kind of their own and all are of one. */
  readonly kind?: ImpactKind
  /** Where it does not hold, none of the programs does anything. */
  readonly when?: DeedCondition
  readonly programs: Readonly<Record<string, Deeds>>
  /** What commands do, in words: several impacts separated by `; `, none as an empty text. A test holds them. */
  readonly examples?: Readonly<Record<string, string>>
}
