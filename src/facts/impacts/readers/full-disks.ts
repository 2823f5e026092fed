import type { Impact } from '../../../model/impact.ts'
import type { ShellCommand, ShellFacts, ShellOutput } from '../../../model/shell.ts'
import type { Call } from '../../../words/calls.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { readOptions } from '../../../words/options.ts'
import { codeOnStdin, hasTrait } from '../../programs/table.ts'
import { makeImpact } from '../make-impact.ts'

/** Finds files that a command writes without end, until the disk is full. */
export function findFilledDisks(call: Call, shell: ShellFacts): readonly Impact[] {
  if (call.args !== call.command.args) return []
  const filler = fillerOf(call.at, shell)
  if (filler === undefined && !(isHuge(call.command) && grows(call.command))) return []
  const isCopy = /^g?dd$/.test((filler ?? call.command).program)
  const impact = makeImpact(call, lineIn(call, {}), {
    kind: 'create',
    thing: 'machine',
    area: 'disks',
    object: filler === undefined ? 'file that may fill the disk' : 'file without end',
    names: [],
    // `dd` usually copies a given amount, so a missing `count=` may be a mere mistake.
    undo: isCopy ? 'work' : 'never',
    ...(filler !== undefined && { consequence: 'until the disk is full' }),
    instead: filler === undefined ? 'make it smaller' : `say how much, with \`${isCopy ? 'count=' : 'head -c 1M'}\``,
    words: '',
  })
  return [impact]
}

/** Devices with endless output. */
const endless = /^(?:if=)?\/dev\/(?:zero|u?random|full)$/
/** What a program puts out that gives on all that it reads. */
const whole: ReadonlySet<ShellOutput | undefined> = new Set(['lines', 'files', 'form', 'decoded', 'unpacked'])
/** An interpreter may read only as much as it needs; `openssl enc` and `cut` read on. */
const givesOnAll = ({ program, output }: ShellCommand) =>
  !hasTrait(program, 'limits') && (whole.has(output) || (output === 'parts' && codeOnStdin(program) === undefined))

const isEndless = (command: ShellCommand): boolean => {
  const words = command.args.map(({ value }) => value)
  if (hasTrait(command.program, 'endless')) return !readOptions(command.args).has('help', 'version')
  if (!givesOnAll(command) || words.some((word) => word.startsWith('count='))) return false
  const isRead = command.redirections.some(
    ({ operator, descriptor, target }) => operator === '<' && descriptor === 0 && endless.test(target?.value ?? ''),
  )
  return isRead || words.some((word) => endless.test(word))
}

/** True if a command writes to a file of the disk, not to a device. */
const grows = ({ paths }: ShellCommand) =>
  paths.some(
    ({ access, metadata, written }) =>
      access === 'write' && metadata !== true && !/^\/(?:dev|proc|sys)\//.test(written),
  )

/** True if a command was started by one that ends it. */
function isTimed({ startedBy }: ShellCommand, { commands }: ShellFacts): boolean {
  const starter = startedBy === undefined ? undefined : commands[startedBy]
  return (
    starter !== undefined &&
    (hasTrait(starter.program, 'limits') || isTimed(starter, { commands, flows: [], uncertain: [] }))
  )
}

/** Returns the command that writes endless output into a file: its source, or the command that reads it from a pipe. */
function fillerOf(at: number, shell: ShellFacts): ShellCommand | undefined {
  const source = shell.commands[at]
  if (source === undefined || !isEndless(source) || isTimed(source, shell)) return undefined
  if (grows(source)) return source
  const next = shell.flows.find(({ from, via }) => from === at && via === 'pipe')
  const reader = next === undefined ? undefined : shell.commands[next.to]
  return reader !== undefined && givesOnAll(reader) && grows(reader) ? reader : undefined
}

/** Matches a size of hundreds of gigabytes or more, which few disks have left. */
const huge = /^(?:--(?:length|size|bytes)=?|-[lsc]?)?\+?(?:\d+[TPEZY]i?B?|\d{3,}Gi?B?|\d{6,}Mi?B?|\d{12,})$/i
/** Returns whether `dd` copies as much: `bs=1G count=900`. */
function isHugeCopy(args: ShellCommand['args']): boolean {
  const amount = (pattern: RegExp) => {
    const [, digits = '', unit = ''] = args.flatMap(({ value }) => pattern.exec(value) ?? [])
    return Number(digits) * 1024 ** ' KMGT'.indexOf(unit.toUpperCase() || ' ')
  }
  return amount(blockSize) * amount(blockCount) >= hugeBytes
}
const blockSize = /^bs=(\d+)([KMGT]?)/i
const blockCount = /^count=(\d+)([KMGT]?)/i
const hugeBytes = 100 * 1024 ** 3
const isHuge = ({ program, args }: ShellCommand) =>
  (hasTrait(program, 'fillsSize') && args.some(({ value }) => huge.test(value))) || isHugeCopy(args)
