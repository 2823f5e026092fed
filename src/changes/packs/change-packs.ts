import type { InstallContext } from '../../install/index.ts'
import { removeValue, setValue, type JsonDocument } from '../../install/json/edit.ts'
import { rulesBy, type RulesHere } from '../../install/rules-here.ts'
import { withPolicies } from '../../install/with-policies.ts'
import type { RuleMode } from '../../model/effect.ts'
import { HookgateError } from '../../model/errors.ts'
import type { FileChanges } from '../../model/file-changes.ts'
import type { JsonObject } from '../../model/json.ts'
import type { PolicyLoader } from '../../model/policy-loading.ts'
import type { PolicyDefinition } from '../../model/policy.ts'
import { quoted } from '../../model/text.ts'
import { type DescribedPack, describedPacks } from '../../rules/index.ts'
import { ownParams, undeclaredParams } from '../../rules/load/turned-on.ts'
import { paramProblems, paramsSchema } from '../../words/policy-declarations.ts'
import { applyPlan, planUserRules, userSource } from '../user-rules-file.ts'
import {
  changePack,
  changeRule,
  type PackChange,
  type PackTarget,
  paramsIn,
  packsOfFile,
  presetNamed,
  withContent,
} from './pack-change.ts'
import { inForceBy, ruleNamed, type TurnedOn } from './report.ts'

/** A change of a preset, a pack or one rule of a pack in the user's own rules file. */
export type PacksChange =
  | ({ readonly kind: 'preset'; readonly preset: string } & PresetChange)
  /** `pack` is the name of a shipped pack, or the folder of another one. */
  | ({ readonly kind: 'pack'; readonly pack: string } & PackChange)
  | { readonly kind: 'rule'; readonly pack: string; readonly rule: string; readonly turn: 'on' | 'off' }

/** @throws HookgateError `usage` if there is no such pack or rule; those of `planUserRules` */
export function changePacks(change: PacksChange, context: InstallContext, isDry: boolean): Promise<FileChanges> {
  const { env, cwd } = context
  return withPolicies(async (policies) => {
    const here = await rulesBy(policies, { env, cwd }, [cwd])
    if (change.kind === 'preset') return applyPresetChange(change, context, here, isDry)
    const described = await findPack(change.pack, cwd, policies)
    if (change.kind === 'rule') return applyRuleChange(change, described, context, here, isDry)
    return applyPackChange(change, described, context, here, isDry)
  })
}

type ChangeOf<Kind extends PacksChange['kind']> = Extract<PacksChange, { readonly kind: Kind }>

function applyPresetChange(
  change: ChangeOf<'preset'>,
  context: InstallContext,
  here: RulesHere,
  isDry: boolean,
): FileChanges {
  const notes: string[] = []
  const planned = planUserRules(context, (document) => {
    const changed = changePreset(document, change.preset, change)
    notes.push(...presetNotes(changed, change))
    return changed
  })
  notes.push(...overridingNotes(change.preset, inForceBy(here).preset(change.preset), here))
  return applyPlan(planned, { isDry, notes })
}

function applyPackChange(
  change: ChangeOf<'pack'>,
  described: DescribedPack,
  context: InstallContext,
  here: RulesHere,
  isDry: boolean,
): FileChanges {
  const target = targetOf(described)
  const planned = planUserRules(context, (document) => {
    const changed = changePack(document, target, change)
    if (Object.keys(change.params).length > 0) checkParams(target.pack, described.rules, paramsIn(changed, target))
    return changed
  })
  return applyPlan(planned, { isDry, notes: overridingNotes(target.pack, inForceBy(here).pack(described), here) })
}

function applyRuleChange(
  { pack, rule, turn }: ChangeOf<'rule'>,
  described: DescribedPack,
  context: InstallContext,
  here: RulesHere,
  isDry: boolean,
): FileChanges {
  const target = targetOf(described)
  ruleNamed(pack, rule, described.rules)
  const planned = planUserRules(context, (document) => changeRule(document, target, rule, turn))
  const notes = overridingNotes(`${target.pack}/${rule}`, inForceBy(here).rule(described, rule), here)
  return applyPlan(planned, { isDry, notes })
}

/** @throws HookgateError `usage` if there is no such pack */
async function findPack(pack: string, cwd: string, policies: PolicyLoader): Promise<DescribedPack> {
  const [described] = await describedPacks([pack], cwd, policies)
  if (described !== undefined) return described
  throw new HookgateError('usage', `there is no pack ${quoted(pack)}`, { remedy: 'see `hookgate packs --help`' })
}

const targetOf = ({ isShipped, name, folder, rules }: DescribedPack): PackTarget => ({
  pack: isShipped ? name : folder,
  folder,
  rules: rules.map(({ id }) => id),
})

/** Returns notes on other files that turn the same thing on, and on what keeps all rules from being in force. */
function overridingNotes(
  name: string,
  uses: readonly TurnedOn[],
  { switchedOff, wrong }: RulesHere,
): readonly string[] {
  const others = uses.filter(({ source }) => source !== userSource)
  return [
    ...others.map(
      ({ source, file, mode }) => `${name} is on here by ${source} too (${modeText[mode]}): ${file} decides that`,
    ),
    ...switchedOff,
    ...(wrong.length === 0 ? [] : ['not all rules load: see `hookgate check`']),
  ]
}

const modeText: Readonly<Record<RuleMode, string>> = { enforce: 'it enforces', observe: 'it observes' }

/** Returns the place of params that come from the command line, not from a file. */
const place = () => ({ file: '' })

/** Checks params for a pack by what its rules declare. @throws HookgateError `usage` */
function checkParams(name: string, rules: readonly PolicyDefinition[], params: JsonObject): void {
  const use = { name, prefix: '', params, onFailure: undefined, mode: 'enforce', approving: {}, place } as const
  const [wrong] = [
    ...undeclaredParams(use, rules),
    ...rules.flatMap((definition) => {
      const given = ownParams(use, definition)
      const { error } = paramsSchema(definition.params).safeParse(given)
      const parsed = { value: { params: given }, place }
      return error === undefined ? [] : paramProblems(error, parsed, ['params'], definition.params)
    }),
  ]
  if (wrong === undefined) return
  throw new HookgateError('usage', wrong.message, wrong.remedy === undefined ? {} : { remedy: wrong.remedy })
}

/** A change of the preset that a rules file turns on. */
interface PresetChange {
  readonly turn: 'on' | 'off' | undefined
  readonly mode: RuleMode | undefined
}

/** Turns a preset on or off in a rules file, and sets its mode. @throws HookgateError `usage`, `settingsMalformed` */
function changePreset(document: JsonDocument, name: string, { turn, mode }: PresetChange): JsonDocument {
  const before = packsOfFile(document).preset?.name
  if (turn === 'off') {
    return before === name ? withContent(removeValue(document, ['preset'])) : document
  }
  const turned = turn === 'on' && before !== name ? setValue(document, ['preset'], name) : document
  if (mode === undefined) return turned
  if (turn === undefined && before !== name) {
    throw new HookgateError('usage', `the preset ${quoted(name)} is not on`, { remedy: 'add `--on`' })
  }
  return withMode(turned, name, mode)
}

/** Sets the mode of a preset, which is the mode of the whole file: presets with a fixed mode cannot be changed. */
function withMode(document: JsonDocument, name: string, mode: RuleMode): JsonDocument {
  const own = presetNamed(name).mode
  if (own === mode) return document
  if (own !== undefined) {
    const remedy = '`hookgate packs strict --on` refuses what it reports'
    throw new HookgateError('usage', `the preset ${quoted(name)} always has the mode ${quoted(own)}`, { remedy })
  }
  if ((packsOfFile(document).mode ?? 'enforce') === mode) return document
  return mode === 'enforce' ? removeValue(document, ['mode']) : setValue(document, ['mode'], mode)
}

/** Returns notes on what a change of a preset means for the rest of the file. */
function presetNotes(document: JsonDocument, { turn, mode }: PresetChange): readonly string[] {
  const { entries, preset, others, mode: modeOfFile } = packsOfFile(document)
  if (turn === 'off') {
    const names = entries.map(({ hook }) => hook.pack)
    return names.length === 0 ? [] : [`what the file lists in \`packs\` stays on: ${names.join(', ')}`]
  }
  if (mode === undefined) {
    return modeOfFile === 'observe' ? ['this file only records what it would refuse: `--enforce` has it refuse'] : []
  }
  const own = entries.filter(({ hook }) => hook.mode !== undefined && hook.mode !== mode)
  const isOfFile = preset?.mode === undefined && (others.includes('hooks') || others.includes('permissions'))
  return [
    ...(isOfFile ? ['this mode holds for the whole file, so for its `hooks` and `permissions` too'] : []),
    ...own.map(({ hook }) => `the pack ${quoted(hook.pack)} keeps a mode of its own: ${quoted(hook.mode ?? '')}`),
  ]
}
