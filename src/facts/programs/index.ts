import type { ShellWord } from '../../model/shell.ts'
import type { Place } from '../paths/index.ts'
import { builtins } from './builtins.ts'
import { coreutils } from './coreutils.ts'
import { type Collected, type Did, collect } from './doing.ts'
import { httpClients } from './http.ts'
import { archives } from './archives.ts'
import { clouds } from './clouds.ts'
import { databases } from './databases.ts'
import { disks } from './disks.ts'
import { editors } from './editors.ts'
import { interpreters } from './interpreters.ts'
import { bytes } from './network.ts'
import { readers } from './readers.ts'
import { remoteCopies } from './remote-copies.ts'
import { search } from './search.ts'
import { system } from './system.ts'
import { vcs } from './vcs.ts'
import { type Line, readLine } from './line.ts'
import { looksLikePath } from './looks.ts'
import { redirect } from './redirections.ts'
import { type Described, type ReadyRow, readyRows } from './row.ts'

export type { Did } from './doing.ts'

const rows = readyRows([
  builtins,
  readers,
  coreutils,
  search,
  editors,
  interpreters,
  archives,
  httpClients,
  remoteCopies,
  bytes,
  vcs,
  clouds,
  disks,
  databases,
  system,
])

/** Which paths a command touches, and what it does with the network. */
export function describe(command: Described, around: Place): Did {
  const { cwd: _, ...anywhere } = around
  const place: Place = command.cwd === undefined ? anywhere : { ...around, cwd: command.cwd }
  const doing = collect(command.elsewhere === true ? notOurs(place) : place)
  if (command.written?.value.includes('/') === true) doing.touch(command.written, 'execute')
  const row = rowOf(command.program)
  if (row === undefined) {
    if (command.wrapper !== true) byLooks(command.args, doing)
  } else {
    const line = readLine(command.program, row.words?.(command) ?? command.args, row.options)
    if (!asksForHelp(line, row)) follow(row, line, doing, command)
  }
  for (const redirection of command.redirections) redirect(redirection, doing)
  return doing.did()
}

/** On another machine nothing is in a workspace or a home of this one. */
function notOurs({ cwd }: Place): Place {
  return { roots: [], ...(cwd !== undefined && { cwd }) }
}

/** Programs that carry a version in their names are looked up without it: `python3.12`, `mkfs.ext4`. */
function rowOf(program: string): ReadyRow | undefined {
  const row = rows.get(program)
  if (row !== undefined || program === '') return row
  const last = program.charCodeAt(program.length - 1)
  if (last >= 0x30 && last <= 0x39) {
    const bare = rows.get(program.replace(/[-.\d]+$/, ''))
    if (bare !== undefined) return bare
  }
  const dot = program.indexOf('.')
  return dot > 0 ? rows.get(program.slice(0, dot + 1)) : undefined
}

function asksForHelp(line: Line, row: ReadyRow): boolean {
  for (const { name, value } of line.given) {
    if (value === undefined && (name === 'help' || name === 'version' || (name === 'h' && row.shortHelp === true)))
      return true
  }
  return false
}

function follow(row: ReadyRow, line: Line, doing: Collected, command: Described): void {
  if (row.silent === true) doing.silent()
  if (row.deaf === true) doing.deaf()
  for (const { value, role } of line.given) if (value !== undefined && role !== 'none') doing.touch(value, role)
  operandsOf(row, line, doing, command.stdin === undefined)
  if (typeof row.network === 'function') {
    const network = row.network(line)
    if (network !== undefined) doing.network(network)
  } else if (row.network !== undefined) doing.network(row.network)
  row.also?.(line, doing, command)
}

function operandsOf(row: ReadyRow, line: Line, doing: Collected, isAlone: boolean): void {
  const { operands } = line
  const recursive = row.recursive === true || (row.recursiveOptions.length > 0 && line.has(...row.recursiveOptions))
  const how = recursive ? { recursive } : undefined
  const isFirst = row.first !== undefined && !line.has(...row.firstUnlessOptions)
  for (let at = 0; at < operands.length; at++) {
    const word = operands[at]
    if (at === 0 && isFirst) doing.touch(word, row.first ?? 'none', how)
    else if (at > 0 && at === operands.length - 1 && row.last !== undefined) doing.touch(word, row.last, how)
    else doing.touch(word, row.operands ?? 'none', how)
  }
  if (row.otherwise !== undefined && isAlone && operands.length === (isFirst ? 1 : 0)) {
    doing.touch({ value: row.otherwise[0] }, row.otherwise[1], how)
  }
}

/** Of a program that is not known, what looks like a path is one that it may read. */
function byLooks(args: readonly ShellWord[], doing: Collected): void {
  for (const word of args) if (looksLikePath(word.value)) doing.touch(word, 'read')
}
