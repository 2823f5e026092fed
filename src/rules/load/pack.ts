import { basename, dirname, join, resolve } from 'node:path'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parseJson } from '../../files/parse-json.ts'
import {
  goneProgram,
  isPolicyName,
  packFile,
  presetNames,
  presetsFolder,
  shippedFolder,
  shippedPacks,
} from '../../files/policy-files.ts'
import { isReallyBelow, isReallyWithin } from '../../files/real-path.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import { type Problem, type Refusal, refused } from '../../model/errors.ts'
import type { Source } from '../../model/rule.ts'
import { schemaProblems } from '../../words/schema-problems.ts'
import { didYouMean } from '../../words/suggest.ts'
import { quoted } from '../../model/text.ts'
import { findPolicies } from '../find/policies.ts'
import type { RulesBudget } from './reading.ts'
import type { Json } from '../../model/json.ts'
import { ListChange } from '../../words/policy-declarations.ts'
import { type PackHook, Preset } from './wire.ts'

/** A folder of rules that are turned on together, and its problems. */
export interface PackFolder {
  /** The folder's own name. */
  readonly name: string
  /** Absolute path of the folder. */
  readonly folder: string
  readonly isShipped: boolean
  /** The files of its rules, one each, in the order of their names. */
  readonly files: readonly string[]
  readonly problems: readonly Problem[]
}

/** Returns whether a name is that of one of hookgate's own packs, and not a path. */
export const isShippedName = (text: string) => !/^\.|[/\\]/.test(text)

/**
 * Resolves a pack: a bare name is one of hookgate's own; with a slash or a leading dot it is a path relative to the
 * rules file.
 */
export function packFolder(text: string, source: Source, disk: Disk): PackFolder | Refusal {
  if (isShippedName(text)) return shippedPack(text, source, disk)
  const folder = resolve(dirname(source.file), text)
  const { workspaceRoot } = source
  // Any message about the folder would disclose something of the user's files.
  if (workspaceRoot !== undefined && !isReallyWithin(folder, workspaceRoot)) {
    return refused(`the pack ${quoted(text)} is outside the workspace`, 'copy it into the workspace')
  }
  const seen = disk.see(folder)
  if (isUnreadable(seen)) return refused(`the pack ${quoted(text)} cannot be read: ${seen.why}`, 'fix it')
  if (seen === 'absent') return refused(`there is no pack at ${quoted(text)}`, nearFolder(folder, disk))
  if (seen === 'file') return refused(`${quoted(text)} is a file`, 'name the folder that holds its `pack.json`')
  if (disk.see(join(folder, packFile)) === 'absent') {
    const remedy = `write one: \`{"description": "…"}\``
    return refused(`${quoted(text)} is not a pack: it has no \`${packFile}\``, remedy)
  }
  const origin = { scope: source.scope, prefix: '', base: folder, workspaceRoot }
  const { found, problems } = findPolicies(disk, origin, folder)
  const files = found.flatMap((one) => (one.kind === 'policies' ? one.files : []))
  return { name: basename(folder), folder, isShipped: false, files, problems: [...problems, ...empty(folder, files)] }
}

function empty(folder: string, files: readonly string[]): readonly Problem[] {
  if (files.length > 0) return []
  const remedy = 'put one into a file named `….policy.ts`'
  return [{ severity: 'error', place: { file: folder }, message: 'this pack has no rules', remedy }]
}

function shippedPack(text: string, source: Source, disk: Disk): PackFolder | Refusal {
  const known = shippedPacks()
  if (known.includes(text)) return shippedPackFolder(text, disk)
  const beside = disk.see(resolve(dirname(source.file), text)) === 'folder'
  const near = beside ? `write ${quoted(`./${text}`)} for the folder of that name` : didYouMean(text, known)
  return notShipped(
    `hookgate has no built-in pack ${quoted(text)}`,
    near ?? `there are ${known.map(quoted).join(', ')}`,
  )
}

/**
 * Returns a pack that hookgate ships.
 *
 * @param name of an existing pack
 */
export function shippedPackFolder(name: string, disk: Disk): PackFolder {
  const folder = join(shippedFolder, name)
  const names = disk.list(folder)
  // Every shipped rule is directly in the folder, and the rest was checked before it was shipped.
  const files = isUnreadable(names) ? [] : names.filter(isPolicyName).map((one) => join(folder, one))
  return { name, folder, isShipped: true, files, problems: empty(folder, files) }
}

function nearFolder(folder: string, disk: Disk): string {
  const near = didYouMean(basename(folder), disk.names(dirname(folder)))
  return near ?? 'name a folder that holds a `pack.json`'
}

/** The content of a `pack.json`. A pack's name is its folder's, and its rules are the policies in it. */
const PackJson = z.strictObject({
  $schema: z.string().optional(),
  description: z.string().regex(/\S/, { error: 'is empty' }),
})

interface ReadPack {
  /** `undefined` if the file is invalid. */
  readonly description: string | undefined
  readonly problems: readonly Problem[]
}

/**
 * Reads a `pack.json`.
 *
 * @param workspaceRoot of a pack that came with a workspace: messages about its file must disclose nothing outside
 */
export function readPackJson(
  folder: string,
  workspaceRoot: string | undefined,
  disk: Disk,
  budget: RulesBudget,
): ReadPack {
  const file = join(folder, packFile)
  const wrong = (message: string, remedy: string | undefined): ReadPack => ({
    description: undefined,
    problems: [{ severity: 'error', place: { file }, message, remedy }],
  })
  if (workspaceRoot !== undefined && !isReallyBelow(file, folder)) {
    return wrong('it is a link that points outside its pack', 'put the file itself into the folder')
  }
  const bytes = disk.read(file, packFileBytesMax)
  if (isUnreadable(bytes)) {
    const isShipped = dirname(folder) === shippedFolder
    return wrong(`it cannot be read: ${bytes.why}`, isShipped ? 'install hookgate again' : 'make it readable')
  }
  const over = budget(file, bytes.length)
  if (over !== undefined) return wrong(over.message, over.remedy)
  const parsed = parseJson(bytes, file)
  if (parsed.value === undefined) return { description: undefined, problems: parsed.problems }
  const result = PackJson.safeParse(parsed.value)
  if (result.success) return { description: result.data.description, problems: parsed.problems }
  const issues = schemaProblems(result.error.issues, parsed, [], {
    keys: knownKeys,
    otherwise: 'a pack.json has only a `description`',
  })
  return { description: undefined, problems: [...parsed.problems, ...issues] }
}
/** A `pack.json`: a description, and no more. */
const packFileBytesMax = 16 * 1024

const knownKeys: ReadonlyMap<string, string> = new Map([
  ['description', ''],
  ['$schema', ''],
  ['name', 'a pack is named after its folder: remove it'],
  ['rules', 'its rules are the policies in its folder: remove it'],
  ...['params', 'disable', 'onFailure'].map((key) => [key, 'move it to where the pack is turned on'] as const),
])

/** Reads a preset, a named choice of packs that hookgate ships. */
export function readPreset(name: string): Preset | Refusal {
  const known = presetNames()
  if (!known.includes(name)) {
    const remedy = didYouMean(name, known) ?? `there are ${known.map(quoted).join(', ')}`
    return notShipped(`hookgate has no preset ${quoted(name)}`, remedy)
  }
  return shippedPreset(name)
}

/** @param name of an existing preset */
export const shippedPreset = (name: string): Preset =>
  Preset.parse(JSON.parse(readFileSync(join(presetsFolder, `${name}.json`), 'utf8')))

/**
 * Changes a preset's entry of a pack by an entry of the same pack in the file that names the preset: what the file says
 * counts, and all else stays as the preset has it. Rules that it leaves out are left out as well.
 */
export function changedPack(preset: PackHook, own: PackHook): PackHook {
  const params = Object.entries(own.params ?? {}).map(
    ([name, value]) => [name, changedParam(preset.params?.[name], value)] as const,
  )
  return {
    ...preset,
    ...own,
    params: { ...preset.params, ...Object.fromEntries(params) },
    disable: [...(own.disable ?? []), ...(preset.disable ?? []).filter((id) => own.disable?.includes(id) !== true)],
  }
}

/** A change of a list is one of the preset's list, where the preset has one. A malformed one is reported later. */
function changedParam(preset: Json | undefined, own: Json): Json {
  const change = ListChange.safeParse(own).data
  if (change === undefined || preset === undefined) return own
  const list = Texts.safeParse(preset).data
  if (list !== undefined) return [...without(list, change.remove), ...without(change.add, list)]
  const earlier = ListChange.safeParse(preset).data ?? { add: [], remove: [] }
  return {
    add: [...without(earlier.add, change.remove), ...without(change.add, earlier.add)],
    // What only the preset adds is no part of the default list.
    remove: [...without(change.remove, earlier.add), ...without(earlier.remove, [...change.add, ...change.remove])],
  }
}
const Texts = z.array(z.string())

const without = (texts: readonly string[], gone: readonly string[]) => texts.filter((text) => !gone.includes(text))

/**
 * Refuses the name of something that hookgate does not ship. If hookgate itself was moved or removed while this gate ran,
 * the name is not to blame, and the refusal says so.
 */
export function notShipped(message: string, remedy: string | undefined): Refusal {
  const gone = goneProgram()
  return gone === undefined ? refused(message, remedy) : refused(gone.message, gone.remedy)
}
