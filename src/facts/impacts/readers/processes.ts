import type { Impact } from '../../../model/impact.ts'
import type { ChosenProcess, ShellCommand, ShellFacts, ShellWord } from '../../../model/shell.ts'
import type { Call } from '../../../words/calls.ts'
import { isOneOf, lineIn } from '../../../words/loose-line.ts'
import { readOptions } from '../../../words/options.ts'
import { agentNamed } from '../../programs/may-start.ts'
import { chosenBy, type ChosenProcesses } from '../../programs/processes.ts'
import { hasTrait, isBuilder, listsAllProcesses, listsProcesses } from '../../programs/table.ts'
import { makeImpact } from '../make-impact.ts'

/** Finds processes that a command ends without naming their ids: all processes, or all with a name. */
export function findEndedProcesses(call: Call, shell: ShellFacts): readonly Impact[] {
  const { command, at } = call
  if (!hasTrait(command.program, 'endsProcesses') || call.args !== command.args) return []
  const chosen = chosenBy(command)
  if (chosen?.processes.ends !== true || chosen.onlyAsks) return []
  const isAll = chosen.processes.chosen.some((one) => meansAll(one, command)) || endsListed(at, shell)
  const named = chosen.processes.chosen.filter(({ by }) => by !== 'id' && by !== 'parent')
  const areOwnPorts = named.every(({ by, word }) => by === 'port' && ownPort.test(word.value))
  if (!isAll && areOwnPorts) return []
  const isOwn = isOneLine(chosen) || isRestarted(chosen, at, shell) || isAtPort(chosen, command, shell)
  const names = named.filter(({ by, word }) => by !== 'found' && word.unresolved !== true)
  const impact = makeImpact(call, lineIn(call, {}), {
    kind: 'stop',
    thing: 'machine',
    area: 'processes',
    object: isAll
      ? 'every process of this machine'
      : names.length > 0 && names.every(({ by }) => by === 'port')
        ? 'every process at'
        : names.some(({ by }) => by === 'line')
          ? 'every process started by a line with'
          : 'every process called',
    names: isAll ? [] : names.map(({ word }) => word.value),
    ...(isAll && { extent: 'all' }),
    undo: isAll ? 'never' : isOwn ? 'easily' : 'work',
    ...(!isAll && !isOwn && { consequence: 'also those of others' }),
    instead: 'use the ids of those that you started',
    words: '',
  })
  return [impact]
}

/** Ports that a system keeps for its services are below 1024. */
const ownPort = /^[1-9]\d{3,4}(?:\/tcp)?$/

/**
 * True for all of the machine or of a user, for a pattern that fits every name, and for `kill -1` and `kill 1`, which ends the
 * first process and so all others. In a container, process 1 is its own program.
 */
function meansAll({ by, word: { value } }: ChosenProcess, { container }: ShellCommand): boolean {
  if (by === 'all' || by === 'owner') return true
  if (by === 'id') return value === '-1' || (value === '1' && (container === undefined || container.open === true))
  if (by === 'name') return value === '*'
  return (by === 'pattern' || by === 'line') && /^(?:\.\*?|\^|)$/.test(value)
}

/** Matches the name of a script, or a path of a program outside of the system's folders. */
const isOwnFile =
  /^(?:[\w@-]+(?:\.\*| ))?(?!\/(?:usr|s?bin|lib\w*|opt|etc|System|Library|Applications)\/)[\w@./-]*(?:\w\w\/[\w-]{2,}|[\w-]{2}\\?\.(?:[cm]?[jt]sx?|py|rb|sh|php|pl|exs?|jar|go|lua))$/i

/** True if a pattern is as exact as one program's command line: `pkill -f 'node dist/server.js'`. */
const isOneLine = ({ processes, options }: ChosenProcesses): boolean => {
  const [choice, more] = processes.chosen
  // A letter in brackets keeps the pattern from matching the line that it stands in.
  const line = choice?.word.value.replaceAll(/\[(\w)\]/g, '$1') ?? ''
  return (
    choice?.by === 'line' &&
    more === undefined &&
    choice.word.unresolved !== true &&
    // Other options may choose more; an owner only narrows the choice.
    options.every((name) => isOneOf(name, 'f full signal u U euid uid')) &&
    (/^(?!(?:ba|z|da|k|c)?sh )[a-z][\w./-]* (?=.*[a-z]{2}|\d{4,5}$)[\w./:@= -]{3,}$/i.test(line) ||
      isOwnFile.test(line))
  )
}

/** True if many programs of others run under a name: starting one of them again does not replace all that were ended. */
const isShared = (name: string) =>
  agentNamed(name) !== undefined || hasTrait(name.replace(/^(python)[\d.]+$/, '$1'), 'shared')

/** True if a program only looks for processes, reads files or prints: a name among its words starts nothing. */
const onlyLooks = ({ program, output }: ShellCommand) =>
  hasTrait(program, 'prints') || hasTrait(program, 'endsProcesses') || listsProcesses(program) || output === 'lines'

/** True if a program that is ended by its name is started again in the same line: `pkill -f uvicorn; uvicorn app:app &`. */
function isRestarted({ processes, options }: ChosenProcesses, at: number, { commands }: ShellFacts): boolean {
  const [{ by, word } = {}, more] = processes.chosen
  if (more !== undefined || word === undefined || !(by === 'line' || by === 'pattern' || by === 'name')) return false
  const name = word.value
  if (word.unresolved === true || !/^[\w][\w ./:@-]{2,}$/.test(name) || isShared(name.toLowerCase())) return false
  if (!options.every((one) => isOneOf(one, 'f full e echo x exact s signal w wait q quiet'))) return false
  return commands.slice(at + 1).some((one) => {
    if (one.program === '' || onlyLooks(one)) return false
    const isByLine = isShared(one.program) || isBuilder(one.program) || one.wrapper === true
    const words = [one.program, ...(isByLine || name.includes(' ') ? one.args.map(({ value }) => value) : [])]
    return words.join(' ').includes(name)
  })
}

/** True if PowerShell ends the process that listens at one port, as `lsof -ti :3000 | xargs kill` does. */
function isAtPort({ options }: ChosenProcesses, { startedBy = -1 }: ShellCommand, { commands }: ShellFacts): boolean {
  const lines = commands.map((one) => [one.program, ...one.args.map(({ value }) => value)].join(' '))
  const text = commands[startedBy]?.code?.text ?? lines.join('\n')
  return (
    options.includes('id') &&
    /\bGet-NetTCPConnection\b[^;|\n]{0,200}-LocalPort\s+[1-9]\d{3,4}\b/i.test(text) &&
    !/\bGet-(?:Process|CimInstance|WmiObject)\b/i.test(text)
  )
}

/** True for a listing of all processes, or all of a user: `ps aux`, `pgrep -u me`. */
function listsAll({ program, args }: ShellCommand): boolean {
  return listsAllProcesses(program, args.map(({ value }) => value).join(' '))
}

/** True if a program passes on all ids, since awk, sed or tail only selects a column or removes a heading. */
const isWhole = ({ program, args }: ShellCommand) =>
  hasTrait(program, 'passesIds') && !args.some(({ value }) => /\/[^/\w]*\w[^/]*\/|[=<>~]=|!~|\$\d+ ?[~<>]/.test(value))

/** True if the ids of ended processes come from a listing that was not filtered. */
function endsListed(at: number, { commands, flows }: ShellFacts): boolean {
  const seen = new Set<number>()
  const from = (to: number): boolean => {
    if (seen.has(to)) return false
    seen.add(to)
    return flows.some((flow) => {
      const command = flow.to === to ? commands[flow.from] : undefined
      return command !== undefined && (listsAll(command) || (isWhole(command) && from(flow.from)))
    })
  }
  const { program = '', startedBy = -1 } = commands[at] ?? {}
  return (
    hasTrait(program, 'endsProcesses') &&
    (from(at) || (hasTrait(commands[startedBy]?.program ?? '', 'repeats') && from(startedBy)))
  )
}

/** True for a first word with which these programs start no other. */
function isIdle(word: ShellWord | undefined): boolean {
  const { given } = readOptions(word === undefined ? [] : [word])
  return (
    given.length > 0 &&
    given.every(({ name }) => isOneOf(name, 'l v k K V h help list validate version reset-timestamp'))
  )
}

/** Finds programs that are started with the rights of another user. */
export function findElevations(call: Call, { commands }: ShellFacts): readonly Impact[] {
  if (!hasTrait(call.program, 'elevates') || isIdle(call.args[0])) return []
  const started = commands.filter(({ startedBy }) => startedBy === call.at).map(({ program }) => program)
  const impact = makeImpact(call, lineIn(call, {}), {
    kind: 'grant',
    thing: 'machine',
    area: 'privileges',
    object: 'program',
    names: started.filter((name) => name !== ''),
    undo: 'work',
    consequence: 'with the rights of another user',
    instead: `leave out \`${call.program}\`, or have the person run it`,
    words: '',
  })
  return [impact]
}
