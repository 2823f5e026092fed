import type {
  ShellAssignment,
  ShellCode,
  ShellCommand,
  ShellFacts,
  ShellFlow,
  ShellNetwork,
  ShellRedirection,
  ShellWord,
  TouchedPath,
} from '../../../model/shell.ts'
import { type KnownNames, listOfNames, namesOf } from './names-known.ts'

/** INVARIANT: exactly the fields of a type of tool facts, as policies see them. */
type Fields<Whole> = Readonly<Record<keyof Whole, KnownNames | undefined>>

const word = namesOf('a word', {
  value: undefined,
  unresolved: undefined,
  several: undefined,
  pattern: undefined,
  variable: undefined,
} satisfies Fields<ShellWord>)

const touched = namesOf('a path', {
  written: undefined,
  access: undefined,
  recursive: undefined,
  metadata: undefined,
  absolute: undefined,
  real: undefined,
  root: undefined,
  inRoot: undefined,
  inHome: undefined,
  unresolved: undefined,
  pattern: undefined,
} satisfies Fields<TouchedPath>)

const command = namesOf('a command', {
  program: undefined,
  written: word,
  args: listOfNames(word),
  assignments: listOfNames(
    namesOf('an assignment', { name: undefined, value: word } satisfies Fields<ShellAssignment>),
  ),
  redirections: listOfNames(
    namesOf('a redirection', {
      operator: undefined,
      descriptor: undefined,
      target: word,
    } satisfies Fields<ShellRedirection>),
  ),
  cwd: undefined,
  elsewhere: undefined,
  user: undefined,
  reach: undefined,
  startedBy: undefined,
  wrapper: undefined,
  stdin: word,
  code: namesOf('code', { language: undefined, text: undefined, does: undefined } satisfies Fields<ShellCode>),
  paths: listOfNames(touched),
  network: namesOf('network', {
    direction: undefined,
    host: undefined,
    url: undefined,
  } satisfies Fields<ShellNetwork>),
  uncertain: undefined,
  place: undefined,
} satisfies Fields<ShellCommand>)

export const shellNames = namesOf('`shell`', {
  commands: listOfNames(command),
  flows: listOfNames(
    namesOf('a flow', { from: undefined, to: undefined, via: undefined, as: undefined } satisfies Fields<ShellFlow>),
  ),
  uncertain: undefined,
  forkBomb: undefined,
} satisfies Fields<ShellFacts>)

export const pathsNames = listOfNames(touched)
