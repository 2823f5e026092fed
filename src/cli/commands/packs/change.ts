import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { packFile, presetNames, shippedPacks } from '../../../files/policy-files.ts'
import { planUserRules, userSource } from '../../../changes/checked-rules-file.ts'
import { checkParams } from '../../../changes/packs/check-params.ts'
import {
  changePack,
  changeRule,
  type PackChange,
  type PackTarget,
  paramsIn,
} from '../../../changes/packs/pack-change.ts'
import { changePreset, presetNotes } from '../../../changes/packs/preset-change.ts'
import type { RuleMode } from '../../../model/effect.ts'
import { HookgateError } from '../../../model/errors.ts'
import { Json, type JsonObject } from '../../../model/json.ts'
import { didYouMean } from '../../../model/suggest.ts'
import { quoted, quotedSome } from '../../../model/text.ts'
import type { PolicyLoader } from '../../../model/policy-loading.ts'
import { type DescribedPack, describedPacks } from '../../../rules/index.ts'
import { type CommandOutput, type Invocation, usage } from '../../command.ts'
import { installContextFor } from '../../args/install-context.ts'
import { applyPlan, printChanges } from '../../text/file-changes.ts'
import { inForceBy, type TurnedOn } from '../../../changes/packs/packs-in-force.ts'
import { rulesBy, type RulesHere } from '../../../install/rules-here.ts'
import { withPolicies } from '../../../install/with-policies.ts'

/** The change that the flags of `hookgate packs` ask for. */
interface PacksFlags extends PackChange {
  readonly isDry: boolean
  readonly asJson: boolean
}

/** The flags of `hookgate packs` that change something, as they were given. */
interface PacksValues {
  readonly on?: boolean
  readonly off?: boolean
  readonly observe?: boolean
  readonly enforce?: boolean
  readonly param?: readonly string[]
  readonly unset?: readonly string[]
  readonly 'dry-run'?: boolean
  readonly json?: boolean
}

/** @throws HookgateError `usage` if flags exclude each other, or nothing is to be changed */
export function packsFlags(values: PacksValues): PacksFlags {
  const turn = oneOf(values, ['on', 'off'])
  const mode = oneOf(values, ['observe', 'enforce'])
  const { param = [], unset = [] } = values
  const isMore = mode !== undefined || param.length > 0 || unset.length > 0
  if (turn === 'off' && isMore) throw usage('--off stands alone', 'packs')
  if (turn === undefined && !isMore) throw usage('--dry-run needs to know what would be changed', 'packs')
  return {
    turn,
    mode,
    params: paramsGiven(param),
    unset,
    isDry: values['dry-run'] === true,
    asJson: values.json === true,
  }
}

function oneOf<const Flag extends 'on' | 'off' | 'observe' | 'enforce'>(
  values: PacksValues,
  flags: readonly Flag[],
): Flag | undefined {
  const [flag, ...more] = flags.filter((one) => values[one] === true)
  if (more.length === 0) return flag
  throw usage(`${flags.map((one) => `--${one}`).join(' and ')} exclude each other`, 'packs')
}

/** Changes what the user's own rules file says of a preset, a pack or one rule. @throws HookgateError */
export function changePacks(name: string, flags: PacksFlags, invocation: Invocation): Promise<CommandOutput> {
  const { env, cwd } = invocation
  return withPolicies(async (policies) => {
    const here = await rulesBy(policies, { env, cwd }, [cwd])
    if (presetNames().includes(name)) return presetChanged(name, flags, invocation, here)
    return packChanged(await namedPack(name, cwd, policies), flags, invocation, here)
  })
}

function presetChanged(name: string, flags: PacksFlags, invocation: Invocation, here: RulesHere): CommandOutput {
  const { params, unset, isDry, asJson } = flags
  if (Object.keys(params).length > 0 || unset.length > 0) {
    const remedy = `\`hookgate packs ${name}\` lists its packs`
    throw new HookgateError('usage', `${quoted(name)} is a preset: params are those of its packs`, { remedy })
  }
  const notes: string[] = []
  const planned = planUserRules(installContextFor(invocation), (document) => {
    const changed = changePreset(document, name, flags)
    notes.push(...presetNotes(changed, flags))
    return changed
  })
  notes.push(...overridingNotes(name, inForceBy(here).preset(name), here))
  return printChanges(applyPlan(planned, { isDry, notes }), { asJson })
}

/** A pack that a command line names, or one of its rules. */
interface ChosenPack {
  readonly described: DescribedPack
  readonly target: PackTarget
  readonly rule: string | undefined
}

function packChanged(
  { described, target, rule }: ChosenPack,
  flags: PacksFlags,
  invocation: Invocation,
  here: RulesHere,
): CommandOutput {
  const { turn, mode, params, unset, isDry, asJson } = flags
  const context = installContextFor(invocation)
  const inForce = inForceBy(here)
  if (rule === undefined) {
    const planned = planUserRules(context, (document) => {
      const changed = changePack(document, target, { turn, mode, params, unset })
      if (Object.keys(params).length > 0) checkParams(target.pack, described.rules, paramsIn(changed, target))
      return changed
    })
    const notes = overridingNotes(target.pack, inForce.pack(described), here)
    return printChanges(applyPlan(planned, { isDry, notes }), { asJson })
  }
  if (turn === undefined || mode !== undefined || Object.keys(params).length > 0 || unset.length > 0) {
    const remedy = `\`hookgate packs ${target.pack}\` with these flags is about all of its rules`
    throw new HookgateError('usage', 'one rule of a pack has no mode and no params of its own', { remedy })
  }
  const planned = planUserRules(context, (document) => changeRule(document, target, rule, turn))
  const notes = overridingNotes(`${target.pack}/${rule}`, inForce.rule(described, rule), here)
  return printChanges(applyPlan(planned, { isDry, notes }), { asJson })
}

/** @throws HookgateError `usage` if there is no such pack or rule */
async function namedPack(name: string, cwd: string, policies: PolicyLoader): Promise<ChosenPack> {
  const { pack, rule } = splitTarget(name, cwd)
  const [described] = await describedPacks([pack], cwd, policies)
  if (described === undefined) throw usage(`there is no pack ${quoted(pack)}`, 'packs')
  const { isShipped, folder } = described
  const rules = described.rules.map(({ id }) => id)
  if (rule !== undefined && !rules.includes(rule)) {
    const remedy = didYouMean(rule, rules) ?? `its rules are ${quotedSome(rules)}`
    throw new HookgateError('usage', `the pack ${quoted(pack)} has no rule ${quoted(rule)}`, { remedy })
  }
  return { described, target: { pack: isShipped ? described.name : folder, folder, rules }, rule }
}

/** Parts `PACK/RULE`. A pack may be the path of a folder. */
function splitTarget(name: string, cwd: string): { readonly pack: string; readonly rule: string | undefined } {
  const isPack = (folder: string) => existsSync(join(resolve(cwd, folder), packFile))
  const above = dirname(name)
  const isRule = name.includes('/') && (shippedPacks().includes(above) || (!isPack(name) && isPack(above)))
  return isRule ? { pack: above, rule: basename(name) } : { pack: name, rule: undefined }
}

/** Tells which other files have a say in it, and what keeps all rules from being in force. */
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

/** Reads `NAME=JSON`; a value that is no JSON is a text. @throws HookgateError `usage` */
function paramsGiven(texts: readonly string[]): JsonObject {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([^=]+)=([^]*)$/.exec(text) ?? []
      if (name === undefined || value === undefined)
        throw usage(`--param must be NAME=JSON, not ${quoted(text)}`, 'packs')
      return [name, jsonOrText(value)]
    }),
  )
}

function jsonOrText(text: string): Json {
  try {
    return Json.parse(JSON.parse(text))
  } catch {
    return text
  }
}
