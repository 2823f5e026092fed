import type { Impact } from '../../../model/impact.ts'
import type { ShellCommand, ShellFacts } from '../../../model/shell.ts'
import type { Call } from '../../../words/calls.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { agentNamed } from '../../programs/may-start.ts'
import { endingOf, hasTrait, isBuilder, listsAllProcesses, listsProcesses } from '../../programs/table.ts'
import { makeImpact } from '../make-impact.ts'

/** Finds processes that a command ends without naming their ids: all processes, or all with a name. */
export function findEndedProcesses(call: Call, shell: ShellFacts): readonly Impact[] {
  const { command, at } = call
  if (!hasTrait(command.program, 'endsProcesses') || call.args !== command.args) return []
  const ending = endingOf(command.program)
  const isAll = killsAll(command) || isLine(command, ending?.all) || endsListed(at, shell)
  if (!isAll && !isLine(command, ending?.named)) return []
  const isOwn = isOneLine(command) || isRestarted(command, at, shell) || isAtPort(command, shell)
  const names = command.args.filter(
    ({ value, unresolved }, place) =>
      /^[^-/]/.test(value) && unresolved !== true && !/^[/-]+pid$/i.test(command.args[place - 1]?.value ?? ''),
  )
  const impact = makeImpact(call, lineIn(call, {}), {
    kind: 'stop',
    thing: 'machine',
    area: 'processes',
    object: isAll
      ? 'every process of this machine'
      : names.length > 0 && names.every(({ value }) => /^\d+\/(?:tcp|udp)$/.test(value))
        ? 'every process at'
        : 'every process called',
    names: isAll ? [] : names.map(({ value }) => value),
    ...(isAll && { extent: 'all' }),
    undo: isAll ? 'never' : isOwn ? 'easily' : 'work',
    ...(!isAll && !isOwn && { consequence: 'also those of others' }),
    instead: 'use the ids of those that you started',
    words: '',
  })
  return [impact]
}

/**
 * True for `kill -1` behind a signal or a further word, which ends every process, and for `kill 1`, which ends the first
 * process and so all others. In a container, process 1 is its own program.
 */
function killsAll({ program, args, container }: ShellCommand): boolean {
  if (endingOf(program)?.byIds !== true) return false
  const words = args.map(({ value }) => value)
  if (words.some((word) => /^-[lL0]$|^--(?:list|table|help)/.test(word))) return false
  const hasSignal = words.some((word) => /^-(?:s|n|-signal)/.test(word)) || /^-(?:[A-Z]\w*|\d+)$/i.test(words[0] ?? '')
  const hasOwn = container !== undefined && container.open !== true
  return words
    .slice(hasSignal ? 1 : 0)
    .some((word, place) => (word === '1' && !hasOwn) || (word === '-1' && (hasSignal || place > 0)))
}

/** Matches the name of a script, or a path of a program outside of the system's folders. */
const isOwnFile =
  /^(?:[\w@-]+(?:\.\*| ))?(?!\/(?:usr|s?bin|lib\w*|opt|etc|System|Library|Applications)\/)[\w@./-]*(?:\w\w\/[\w-]{2,}|[\w-]{2}\\?\.(?:[cm]?[jt]sx?|py|rb|sh|php|pl|exs?|jar|go|lua))$/i

/** True if a pattern is as exact as one program's command line: `pkill -f 'node dist/server.js'`. */
const isOneLine = ({ program, args: words }: ShellCommand): boolean => {
  // The options `-u` and `-U` only narrow the choice, so they are left out.
  const args = words.filter(({ value }, at) => !/^-[uU]$/.test(value) && !/^-[uU]$/.test(words[at - 1]?.value ?? ''))
  const [pattern, more] = args.filter(({ value }) => !value.startsWith('-'))
  // A letter in brackets keeps the pattern from matching the line that it stands in.
  const line = pattern?.value.replaceAll(/\[(\w)\]/g, '$1') ?? ''
  return (
    endingOf(program)?.byLine === true &&
    args.every(
      ({ value, unresolved }) =>
        unresolved !== true && (!value.startsWith('-') || /^-(?:f|9|15|KILL|TERM|INT|HUP|9f|f9)$/.test(value)),
    ) &&
    args.some(({ value }) => /^-9?f9?$/.test(value)) &&
    more === undefined &&
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
function isRestarted({ program, args }: ShellCommand, at: number, { commands }: ShellFacts): boolean {
  if (endingOf(program)?.byName !== true) return false
  const names = args.filter(({ value }) => !value.startsWith('-'))
  const name = names[0]?.value ?? ''
  if (names.length !== 1 || names[0]?.unresolved === true || !/^[\w][\w ./:@-]{2,}$/.test(name)) return false
  if (isShared(name.toLowerCase())) return false
  if (args.some(({ value }) => /^-(?!f$|e$|x$|\d+$|[A-Z]+$|s$|w$|q$)/.test(value))) return false
  return commands.slice(at + 1).some((one) => {
    if (one.program === '' || onlyLooks(one)) return false
    const isByLine = isShared(one.program) || isBuilder(one.program) || one.wrapper === true
    const words = [one.program, ...(isByLine || name.includes(' ') ? one.args.map(({ value }) => value) : [])]
    return words.join(' ').includes(name)
  })
}

const help = /(?:^| )(?:--help|--version|-\?|\/\?)(?: |$)/

/** True if a command's words match an expression, and ask for no help. */
function isLine({ args }: ShellCommand, like: RegExp | undefined): boolean {
  if (like === undefined) return false
  const words = args.map(({ value }) => value).join(' ')
  return !help.test(words) && like.test(words)
}

/** True if PowerShell ends the process that listens at one port, as `lsof -ti :3000 | xargs kill` does. */
function isAtPort({ args, startedBy = -1 }: ShellCommand, { commands }: ShellFacts): boolean {
  const lines = commands.map((one) => [one.program, ...one.args.map(({ value }) => value)].join(' '))
  const text = commands[startedBy]?.code?.text ?? lines.join('\n')
  return (
    args.some(({ value }) => /^-id$/i.test(value)) &&
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
const isIdle = (word: string) => /^(?:-[lvkKV]+|-h|--help|--list|--validate|--version|--reset-timestamp)$/.test(word)

/** Finds programs that are started with the rights of another user. */
export function findElevations(call: Call, { commands }: ShellFacts): readonly Impact[] {
  if (!hasTrait(call.program, 'elevates') || isIdle(call.args[0]?.value ?? '')) return []
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
