import { z } from 'zod'
import type { PolicyDefinition } from '../../model/policy.ts'
import { everyRule, rulesFileEvents, wireParts } from './wire.ts'
import { ExceptionEntry } from './exceptions.ts'
import { paramsSchema } from '../../words/policy-declarations.ts'

/** A policy under its name in rules files: `hookgate/<name>`, or any path that ends with its file's name. */
export interface NamedPolicy {
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
