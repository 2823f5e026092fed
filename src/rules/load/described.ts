import { basename, join } from 'node:path'
import { z } from 'zod'
import { makeDisk } from '../../files/disk.ts'
import { shippedPacks, shippedPolicies, shippedPolicy } from '../../files/policy-files.ts'
import { HookgateError, isError, type Problem, problemsError } from '../../model/errors.ts'
import type { PolicyLoader } from '../../model/policy-loading.ts'
import type { PolicyDefinition } from '../../model/policy.ts'
import type { Source } from '../../model/rule.ts'
import { discover } from '../find/discover.ts'
import { noBudget } from './reading.ts'
import { type PackFolder, packFolder, readPackJson, shippedPackFolder } from './pack.ts'
import type { RulesPlaces } from '../places.ts'
import { everyRule, rulesFileEvents, wireParts } from './wire.ts'
import { ExceptionEntry } from './exceptions.ts'
import { paramsSchema } from '../../words/policy-declarations.ts'

/** A pack with the definitions of its rules. */
export interface DescribedPack {
  readonly name: string
  readonly isShipped: boolean
  /** Absolute. */
  readonly folder: string
  readonly description: string
  readonly rules: readonly PolicyDefinition[]
}

/**
 * Describes packs by their names or folder paths; all that hookgate ships if none is given.
 *
 * @throws HookgateError `usage` if there is no such pack, `rulesMalformed` if one does not load
 */
export async function describedPacks(
  named: readonly string[],
  cwd: string,
  policies: PolicyLoader,
): Promise<readonly DescribedPack[]> {
  const disk = makeDisk()
  const source: Source = {
    id: 'explicit:',
    scope: 'explicit',
    file: join(cwd, 'hooks.json'),
    workspaceRoot: undefined,
    pluginRoot: undefined,
  }
  const folders = named.length === 0 ? shippedPacks().map((name) => shippedPackFolder(name, disk)) : named.map(found)
  return Promise.all(folders.map((folder) => described(folder)))

  function found(text: string): PackFolder {
    const folder = packFolder(text, source, disk)
    if (!('kind' in folder)) return folder
    throw new HookgateError('usage', folder.message, folder.remedy === undefined ? {} : { remedy: folder.remedy })
  }

  async function described({ name, isShipped, folder, files, problems }: PackFolder): Promise<DescribedPack> {
    const read = readPackJson(folder, undefined, disk, noBudget)
    const compiled = await policies.compile(
      files.map((file) => ({ file, folder })),
      disk,
    )
    // The examples of its rules are checked when the pack is turned on, not when it is described.
    const isEmpty = compiled.compiled.size === 0
    const domain = isEmpty ? undefined : await policies.load(folder, compiled, { runExamples: false })
    domain?.release()
    const rules = domain?.policies ?? []
    // Errors of the pack itself come first: an unfinished pack has no rules either.
    const all = [...read.problems, ...problems, ...compiled.problems]
    const [first, ...more] = [...all, ...rules.flatMap((one) => one.problems)].filter(isError)
    if (first !== undefined) throw problemsError([first, ...more])
    const definitions = rules.flatMap(({ definition }) => definition ?? [])
    return { name, isShipped, folder, description: read.description ?? '', rules: definitions }
  }
}

interface PolicyName {
  readonly name: string
  readonly isShipped: boolean
  readonly file: string
  readonly folder: string
}

/** Loads the definitions of the policies that hookgate ships and of those among the explicitly named files. */
export async function namedPolicies(
  places: RulesPlaces,
  policies: PolicyLoader,
): Promise<{ readonly named: readonly NamedPolicy[]; readonly errors: readonly Problem[] }> {
  const disk = makeDisk()
  const finding = discover({ ...places, discover: false }, [], disk)
  const explicit = finding.found.flatMap((found) =>
    found.kind === 'policies' ? found.files.map((file) => ofFile(file, found.folder)) : [],
  )
  const shipped = shippedPolicies().map((name): PolicyName => {
    const { file, folder } = shippedPolicy(name)
    return { name: `hookgate/${name}`, isShipped: true, file, folder }
  })
  const all = await Promise.all([...shipped, ...explicit].map((one) => described(one)))
  const errors = [...finding.problems, ...all.flatMap(({ problems }) => problems)].filter(isError)
  return { named: all.flatMap(({ named }) => named), errors }

  async function described({ name, isShipped, file, folder }: PolicyName) {
    const compiled = await policies.compile([{ file, folder }], disk)
    if (compiled.problems.length > 0) return { named: [], problems: compiled.problems }
    const domain = await policies.load(file, compiled)
    domain.release()
    const [policy] = domain.policies
    const definition = policy?.definition
    return {
      named: definition === undefined ? [] : [{ name, isShipped, definition }],
      problems: policy?.problems ?? [],
    }
  }
}

const ofFile = (file: string, folder: string): PolicyName => ({ name: basename(file), isShipped: false, file, folder })

/** A policy under its name in rules files: `hookgate/<name>`, or any path that ends with its file's name. */
interface NamedPolicy {
  readonly name: string
  readonly isShipped: boolean
  readonly definition: PolicyDefinition
}

/** A pack under its name in rules files, with the params of all of its rules. */
interface NamedPack {
  readonly name: string
  readonly description: string
  readonly rules: readonly Pick<PolicyDefinition, 'id' | 'params'>[]
}

/** Returns the JSON Schema (draft 2020-12) of hookgate's own rules file, generated from the schemas that load it. */
export function rulesJsonSchema(
  policies: readonly NamedPolicy[],
  shipped: readonly NamedPack[],
  presets: readonly string[],
): object {
  const { file: common, own: top, permissions, command, policy, authzen, pack, group } = wireParts
  const known = policies.map(({ name, isShipped, definition }) =>
    z
      .strictObject({
        ...policy,
        policy: z.string().regex(patternOf(name, isShipped)).describe(definition.description),
        params: paramsSchema(definition.params).optional(),
      })
      .describe(definition.description),
  )
  const other = z.strictObject({ ...policy, policy: z.string().regex(otherThan(policies)) })
  const hook = z.union([z.strictObject(command), z.strictObject(authzen), other, ...known])
  const groups = z.array(z.strictObject({ ...group, hooks: z.array(hook).describe('Hooks that run side by side.') }))
  const hooks = z
    .strictObject(Object.fromEntries(rulesFileEvents.map((event) => [event, groups.optional()])))
    .describe('For each event, groups of hooks.')
  const own = z.strictObject({ ...pack, pack: z.string().regex(/^\.|[/\\]/) })
  const file = {
    ...common,
    preset: z
      .enum(presets)
      .optional()
      .describe(top.preset.description ?? ''),
    mode: top.mode,
    selfProtection: top.selfProtection,
    record: top.record,
    export: top.export,
    remote: top.remote,
    approvals: top.approvals,
    permissions,
    exceptions: z
      .array(ExceptionEntry)
      .optional()
      .describe(top.exceptions.description ?? ''),
  }
  const packs = z
    .array(z.union([own, ...shipped.map((one) => packSchema(one, pack))]))
    .optional()
    .describe('Packs of policies that are turned on.')
  // A file without `hooks` must have packs, a preset, permissions or exceptions, or set a switch.
  const whole = z.union([
    z.strictObject({ ...file, packs, hooks }),
    z.strictObject({ ...file, hooks: hooks.optional(), packs: packs.unwrap() }),
    z.strictObject({ ...file, hooks: hooks.optional(), packs, preset: z.enum(presets) }),
    z.strictObject({ ...file, hooks: hooks.optional(), packs, permissions: permissions.unwrap() }),
    z.strictObject({ ...file, hooks: hooks.optional(), packs, exceptions: z.array(ExceptionEntry) }),
    z.strictObject({ ...file, hooks: hooks.optional(), packs, disableAllHooks: z.boolean() }),
    z.strictObject({ ...file, hooks: hooks.optional(), packs, selfProtection: z.boolean() }),
    z.strictObject({ ...file, hooks: hooks.optional(), packs, record: top.record.unwrap() }),
    z.strictObject({ ...file, hooks: hooks.optional(), packs, export: top.export.unwrap() }),
    z.strictObject({ ...file, hooks: hooks.optional(), packs, remote: top.remote.unwrap() }),
  ])
  return { title: 'hookgate rules', ...z.toJSONSchema(whole, { target: 'draft-2020-12', io: 'input', reused: 'ref' }) }
}

function packSchema({ name, description, rules }: NamedPack, pack: typeof wireParts.pack) {
  const params = Object.fromEntries(rules.flatMap((rule) => Object.entries(rule.params)))
  const ids = rules.map(({ id }) => id)
  return z
    .strictObject({
      ...pack,
      pack: z.literal(name).describe(description),
      params: paramsSchema(params).optional(),
      disable: z.array(z.enum([...ids, everyRule])).optional(),
    })
    .describe(description)
}

const patternOf = (name: string, isShipped: boolean) =>
  new RegExp(isShipped ? `^${escaped(name)}$` : `(^|/)${escaped(name)}$`)

/** Matches policies that are not described here, which may have any params, but no unknown `hookgate/` policy. */
function otherThan(policies: readonly NamedPolicy[]): RegExp {
  const named = policies.filter(({ isShipped }) => !isShipped).map(({ name }) => `(.*/)?${escaped(name)}$`)
  return new RegExp(`^(?!${['hookgate/', ...named].join('|')}).*\\S`)
}

const escaped = (text: string) => text.replaceAll(/[^\w-]/g, '\\$&')
