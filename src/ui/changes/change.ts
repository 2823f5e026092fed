import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { agentNames } from '../../agents/registry.ts'
import { parseDay } from '../../changes/allow.ts'
import type { SettingsChange } from '../../changes/change.ts'
import { Json } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'

/**
 * A text that a command line takes as a word of its own, since a person may type what the page shows.
 *
 * INVARIANT: it cannot be read as a flag.
 */
const Name = z
  .string()
  .min(1)
  .max(limits.pageWordCharactersMax)
  .regex(/^[^-\p{Cc}][^\p{Cc}]*$/u, { error: 'must not begin with `-`, nor have control characters' })

/** A text behind the `=` of a flag. */
const Value = z
  .string()
  .min(1)
  .max(limits.pageWordCharactersMax)
  .regex(/^\P{Cc}*$/u, { error: 'must not have control characters' })

const Folder = Name.refine((path) => isAbsolute(path), { error: 'must be absolute' })
const PresetName = Name.regex(/^[a-z][a-z0-9-]*$/, { error: 'must look like `recommended`' })
const RuleName = Name.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'must look like `force-push`' })
const ParamName = Name.regex(/^[^=]+$/, { error: 'must not have a `=`' })
const Id = Name.regex(/^[a-z0-9]+$/, { error: 'must look like `k3x7qd`' })
const Reason = Value.optional()
const Turn = z.enum(['on', 'off'])
const Setting = z.enum(['on', 'off', 'observe', 'enforce'])

/** A change that the page asks for. */
export const PageChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('preset'), preset: PresetName, to: Setting }),
  /** `pack` is the name of a shipped one, or a folder. */
  z.strictObject({ kind: z.literal('pack'), pack: Name, to: Setting }),
  z.strictObject({ kind: z.literal('rule'), pack: Name, rule: RuleName, to: Turn }),
  z.strictObject({ kind: z.literal('param'), pack: Name, param: ParamName, value: Json }),
  z.strictObject({ kind: z.literal('unsetParam'), pack: Name, param: ParamName }),
  z.strictObject({ kind: z.literal('allow'), id: Id, extent: z.enum(['once', 'session', 'always']), reason: Reason }),
  z.strictObject({ kind: z.literal('allowUntil'), id: Id, day: z.iso.date(), reason: Reason }),
  z.strictObject({ kind: z.literal('removeException'), key: Id }),
  z.strictObject({ kind: z.literal('approvals'), to: Turn }),
  z.strictObject({ kind: z.literal('trust'), folder: Folder }),
  z.strictObject({ kind: z.literal('revokeTrust'), folder: Folder }),
  z.strictObject({
    kind: z.literal('enable'),
    agent: z.enum(agentNames),
    preset: PresetName.optional(),
    via: z.enum(['http', 'command']).optional(),
  }),
  z.strictObject({ kind: z.literal('disable'), agent: z.enum(agentNames) }),
])
export type PageChange = Readonly<z.infer<typeof PageChange>>

/** Returns the change that the page asks for, as every part of hookgate makes it. @throws HookgateError if its day is over */
export function changeOf(asked: PageChange): SettingsChange {
  switch (asked.kind) {
    case 'preset':
      return { kind: 'preset', preset: asked.preset, ...turnOf(asked.to) }
    case 'pack':
      return { kind: 'pack', pack: asked.pack, ...turnOf(asked.to), params: {}, unset: [] }
    case 'param': {
      const { pack, param, value } = asked
      return { kind: 'pack', pack, ...unturned, params: { [param]: value }, unset: [] }
    }
    case 'unsetParam':
      return { kind: 'pack', pack: asked.pack, ...unturned, params: {}, unset: [asked.param] }
    case 'rule':
      return { kind: 'rule', pack: asked.pack, rule: asked.rule, turn: asked.to }
    case 'allow':
      return { kind: 'allow', id: asked.id, extent: { kind: asked.extent }, reason: asked.reason }
    case 'allowUntil':
      return { kind: 'allow', id: asked.id, extent: { kind: 'until', day: parseDay(asked.day) }, reason: asked.reason }
    case 'enable':
      return { kind: 'enable', agent: asked.agent, preset: asked.preset, via: asked.via }
    case 'removeException':
    case 'approvals':
    case 'trust':
    case 'revokeTrust':
    case 'disable':
      return asked
  }
}

const unturned = { turn: undefined, mode: undefined }
const turnOf = (to: z.infer<typeof Setting>) =>
  to === 'on' || to === 'off' ? { turn: to, mode: undefined } : { turn: undefined, mode: to }
