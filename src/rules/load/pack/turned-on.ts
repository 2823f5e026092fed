import { limits } from '../../../model/limits.ts'
import { quoted, quotedSome } from '../../../model/text.ts'
import type { Disk } from '../../../model/disk.ts'
import type { Path } from '../../../model/problem.ts'
import type { PolicyBinding } from '../bind/binding.ts'
import { problem, type Reading, readRest, refuse } from '../reading.ts'
import { didYouMean } from '../../../model/suggest.ts'
import { knownPackKeys, PackHook } from '../wire.ts'
import { idOf } from '../bind/pack.ts'
import { type PackFolder, packFolder } from './pack-folder.ts'
import { readPackJson } from './pack-json.ts'

/** The rules of the packs that a rules file turns on. */
export interface TurnedOn {
  readonly entries: readonly PolicyBinding[]
  /** The files of all their rules, including disabled ones. */
  readonly claimed: readonly string[]
}

/** Reads the list `packs` of a rules file. */
export function turnedOn(reading: Reading, values: readonly unknown[], disk: Disk): TurnedOn {
  const names = new Map<string, number>()
  if (values.length > limits.packsMax) {
    const message = `it turns on more than ${limits.packsMax} packs`
    problem(reading, 'error', ['packs'], 'key', message, 'combine their rules into fewer packs')
  }
  const all = values.slice(0, limits.packsMax).map((value, index): TurnedOn => {
    const at: Path = ['packs', index]
    if (typeof value === 'string') {
      problem(
        reading,
        'error',
        at,
        'value',
        'a pack is turned on with an object',
        `write \`{"pack": ${quoted(value).replaceAll('`', '"')}}\``,
      )
      return nothing
    }
    const { rest: hook, isWhole } = readRest(reading, PackHook, value, at, knownPackKeys)
    if (hook === undefined) return nothing
    const found = packFolder(hook.pack, reading.source, disk)
    if ('kind' in found) {
      refuse(reading, found, [...at, 'pack'])
      return nothing
    }
    const first = names.get(found.name)
    names.set(found.name, first ?? index)
    if (first !== undefined) {
      const message = `the pack ${quoted(found.name)} is turned on twice: \`packs[${first}]\` has the same name`
      problem(reading, 'error', [...at, 'pack'], 'value', message, 'merge them, or rename the folder')
    }
    return boundPack(reading, found, { ...hook, isRefused: !isWhole || first !== undefined }, at, disk)
  })
  return { entries: all.flatMap(({ entries }) => entries), claimed: all.flatMap(({ claimed }) => claimed) }
}

const nothing: TurnedOn = { entries: [], claimed: [] }

function boundPack(
  reading: Reading,
  { name, folder, files, isShipped, problems }: PackFolder,
  { params = {}, disable = [], onFailure, isRefused }: PackHook & { readonly isRefused: boolean },
  at: Path,
  disk: Disk,
): TurnedOn {
  const { source, parsed } = reading
  const read = readPackJson(folder, isShipped ? undefined : source.workspaceRoot, disk, reading.budget)
  reading.problems.push(...read.problems, ...problems)
  const rules = new Map(files.map((file) => [idOf(file), file]))
  for (const [index, id] of disable.slice(0, limits.policyProblemsMax).entries()) {
    if (rules.has(id)) continue
    const message = `the pack ${quoted(name)} has no rule ${quoted(id)}`
    const known = [...rules.keys()]
    const remedy = didYouMean(id, known) ?? `its rules are ${quotedSome(known)}`
    problem(reading, 'error', [...at, 'disable', index], 'value', message, remedy)
  }
  const off = new Set(disable)
  const pack = {
    name,
    prefix: `${source.id}/${name}/`,
    params,
    onFailure,
    place: (part: Path, of: 'key' | 'value') => parsed.place([...at, ...part], of),
  }
  const on = [...rules].filter(([id]) => !off.has(id))
  const entries = on.map(([, file]) => ({ source, file, folder, pack, written: undefined, isRefused }))
  return { entries, claimed: files }
}
