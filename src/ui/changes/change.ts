import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { agentNames } from '../../agents/registry.ts'
import { Json } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'

/** A text that a command line takes as a word of its own. INVARIANT: it cannot be read as a flag. */
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

/** Something that the page can change, each by one command of hookgate. */
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

/** Returns the command line that makes a change. */
export function argvOf(change: PageChange): readonly string[] {
  switch (change.kind) {
    case 'preset':
      return ['packs', change.preset, `--${change.to}`]
    case 'pack':
      return ['packs', change.pack, `--${change.to}`]
    case 'rule':
      return ['packs', `${change.pack}/${change.rule}`, `--${change.to}`]
    case 'param':
      return ['packs', change.pack, `--param=${change.param}=${JSON.stringify(change.value)}`]
    case 'unsetParam':
      return ['packs', change.pack, `--unset=${change.param}`]
    case 'allow':
      return ['allow', change.id, `--${change.extent}`, ...flag('reason', change.reason)]
    case 'allowUntil':
      return ['allow', change.id, `--until=${change.day}`, ...flag('reason', change.reason)]
    case 'removeException':
      return ['allow', `--remove=${change.key}`]
    case 'approvals':
      return ['approvals', change.to]
    case 'trust':
      return ['trust', change.folder]
    case 'revokeTrust':
      return ['trust', '--revoke', change.folder]
    case 'enable':
      return ['enable', change.agent, ...flag('preset', change.preset), ...flag('via', change.via)]
    case 'disable':
      return ['disable', change.agent]
  }
}

const flag = (name: string, value: string | undefined) => (value === undefined ? [] : [`--${name}=${value}`])

/**
 * Returns the command line that takes a change back which is more than the content of the user's own files, if there is
 * one.
 */
export function oppositeOf(change: PageChange): readonly string[] | undefined {
  switch (change.kind) {
    case 'enable':
      return argvOf({ kind: 'disable', agent: change.agent })
    case 'disable':
      // The rules are the person's own by now, and stay as they are.
      return argvOf({ kind: 'enable', agent: change.agent, preset: 'none' })
    case 'allow':
      return change.extent === 'always' ? undefined : argvOf({ kind: 'removeException', key: change.id })
    case 'preset':
    case 'pack':
    case 'rule':
    case 'param':
    case 'unsetParam':
    case 'allowUntil':
    case 'removeException':
    case 'approvals':
    case 'trust':
    case 'revokeTrust':
      return undefined
  }
}
