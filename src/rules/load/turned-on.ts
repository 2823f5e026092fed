import { basename, dirname, join } from 'node:path'
import { packFile } from '../../files/policy-files.ts'
import type { Disk } from '../../model/disk.ts'
import type { JsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import type { PolicyDefinition } from '../../model/policy.ts'
import type { JsonPath, Problem } from '../../model/errors.ts'
import type { Source } from '../../model/rule.ts'
import { didYouMean } from '../../words/suggest.ts'
import { quoted, quotedSome } from '../../model/text.ts'
import { everyRule, PackHook, type Preset } from './wire.ts'
import { type PackUse, type PolicyBinding, type RulesDraft, idOf } from './draft.ts'
import { changedPack, type PackFolder, packFolder, readPackJson, readPreset, shippedPackFolder } from './pack.ts'
import { knownPackKeys, problem, readRest, refuse, type RulesBudget, type RulesFileState } from './reading.ts'

/** The rules of the packs that a rules file turns on. */
interface PackRules {
  readonly entries: readonly PolicyBinding[]
  /** The files of all their rules, including disabled ones. */
  readonly claimed: readonly string[]
  readonly disabled: RulesDraft['disabled']
}

/** Reads the list `packs` of a rules file, and its preset. */
export function turnedOn(
  reading: RulesFileState,
  preset: string | undefined,
  values: readonly unknown[],
  disk: Disk,
): PackRules {
  const names = new Map<string, number>()
  const given = preset === undefined ? undefined : presetOf(reading, preset)
  if (values.length > packsMax) {
    const message = `it turns on more than ${packsMax} packs`
    problem(reading, 'error', ['packs'], 'key', message, 'combine their rules into fewer packs')
  }
  const own = values.slice(0, packsMax).map((value, index): PackRules => {
    const at: JsonPath = ['packs', index]
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
    const changed = found.isShipped ? given?.packs.find(({ pack }) => pack === found.name) : undefined
    const use = changed === undefined ? hook : changedPack(changed, hook)
    return boundPack(reading, found, { ...use, isRefused: !isWhole || first !== undefined }, at, disk, hook.disable)
  })
  const others = given?.packs.filter(({ pack }) => !names.has(pack)) ?? []
  const all = [
    ...own,
    ...others.map((hook) =>
      boundPack(reading, shippedPackFolder(hook.pack, disk), { ...hook, isRefused: false }, ['preset'], disk),
    ),
  ]
  return {
    entries: all.flatMap(({ entries }) => entries),
    claimed: all.flatMap(({ claimed }) => claimed),
    disabled: all.flatMap(({ disabled }) => disabled),
  }
}
/** Packs that one rules file enables: each is a folder to search. */
const packsMax = 100

/** Returns the preset, with its mode at each pack. */
function presetOf(reading: RulesFileState, name: string): Preset | undefined {
  const preset = readPreset(name)
  if ('kind' in preset) return refuse(reading, preset, ['preset'])
  const { mode = reading.mode, packs } = preset
  return { ...preset, packs: packs.map((hook) => Object.assign({ mode }, hook)) }
}

const nothing: PackRules = { entries: [], claimed: [], disabled: [] }

/** @param written what the file itself leaves out: the first of what its preset leaves out with it */
function boundPack(
  reading: RulesFileState,
  { name, folder, files, isShipped, problems }: PackFolder,
  hook: PackHook & { readonly isRefused: boolean },
  at: JsonPath,
  disk: Disk,
  written: readonly string[] = [],
): PackRules {
  const { source, parsed } = reading
  const { params = {}, disable = [], onFailure, mode = reading.mode, isRefused } = hook
  const read = readPackJson(folder, isShipped ? undefined : source.workspaceRoot, disk, reading.budget)
  reading.problems.push(...read.problems, ...problems)
  const rules = new Map(files.map((file) => [idOf(file), file]))
  for (const [index, id] of disable.slice(0, limits.policyProblemsMax).entries()) {
    if (rules.has(id) || id === everyRule) continue
    const message = `the pack ${quoted(name)} has no rule ${quoted(id)}`
    const known = [...rules.keys()]
    const remedy = didYouMean(id, known) ?? `its rules are ${quotedSome(known)}`
    problem(reading, 'error', [...at, 'disable', index], 'value', message, remedy)
  }
  const off = new Set(disable.includes(everyRule) ? rules.keys() : disable)
  const pack = {
    name,
    prefix: `${source.id}/${name}/`,
    params,
    onFailure,
    mode,
    approving: hook,
    place: (part: JsonPath, of: 'key' | 'value') => parsed.place([...at, ...part], of),
  }
  const on = [...rules].filter(([id]) => !off.has(id))
  const entries = on.map(([, file]) => ({ source, file, folder, pack, written: undefined, isRefused }))
  const disabled = written.flatMap((id, index) => {
    const place = pack.place(['disable', index], 'value')
    return (id === everyRule ? [...off] : [id]).map((rule) => ({ rule: `${name}/${rule}`, place }))
  })
  return { entries, claimed: files, disabled }
}

/** Selects those of a pack's params that a rule declares. */
export function ownParams({ params }: PackUse, definition: PolicyDefinition): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([name]) => Object.hasOwn(definition.params, name)))
}

/** Reports params that are given to a pack and that none of its rules declares. */
export function undeclaredParams(
  { name: pack, params, ...use }: PackUse,
  rules: readonly PolicyDefinition[],
): readonly Problem[] {
  const known = [...new Set(rules.flatMap((definition) => Object.keys(definition.params)))].toSorted()
  const unknown = Object.keys(params).filter((name) => !known.includes(name))
  return unknown.slice(0, limits.policyProblemsMax).map((name) => {
    const there = known.length === 0 ? 'its rules have no params' : `there are ${quotedSome(known)}`
    return {
      severity: 'error',
      place: use.place(['params', name], 'key'),
      message: `no rule in the pack ${quoted(pack)} has a param ${quoted(name)}`,
      remedy: didYouMean(name, known) ?? there,
    }
  })
}

/** Binds the policies of a folder. Those in or below one with a `pack.json` are the rules of that pack. */
export function bindFolder(
  source: Source,
  { folder, files }: { readonly folder: string; readonly files: readonly string[] },
  disk: Disk,
  budget: RulesBudget,
): { readonly entries: readonly PolicyBinding[]; readonly problems: readonly Problem[] } {
  const packs = new Map<string, PackUse | undefined>()
  const problems: Problem[] = []
  const packOf = (within: string): PackUse | undefined => {
    if (packs.has(within)) return packs.get(within)
    const file = join(within, packFile)
    const above = within === folder || dirname(within) === within ? undefined : packOf(dirname(within))
    const own = above === undefined && disk.see(file) !== 'absent'
    if (own) problems.push(...readPackJson(within, source.workspaceRoot, disk, budget).problems)
    const pack = own ? useOf(source, within, within === folder) : above
    packs.set(within, pack)
    return pack
  }
  const entries = files.map((file): PolicyBinding => {
    // A policy file that was named explicitly is bound alone, even if it lies in a pack.
    const pack = file === source.file ? undefined : packOf(dirname(file))
    return { source, file, folder, pack, written: undefined, isRefused: false }
  })
  return { entries, problems }
}

function useOf({ id }: Source, folder: string, isWhole: boolean): PackUse {
  const name = basename(folder)
  const place = () => ({ file: join(folder, packFile) })
  return {
    name,
    prefix: isWhole ? `${id}/` : `${id}/${name}/`,
    params: {},
    onFailure: undefined,
    mode: 'enforce',
    approving: {},
    place,
  }
}
