import { dirname } from 'node:path'
import { presetNames } from '../../files/policy-files.ts'
import { rulesBy, type RulesHere, type RulesLocation } from '../../install/rules-here.ts'
import { withPolicies } from '../../install/with-policies.ts'
import { type RuleMode, Severity, worst } from '../../model/effect.ts'
import { HookgateError } from '../../model/errors.ts'
import type { Json } from '../../model/json.ts'
import { quoted, quotedSome } from '../../model/text.ts'
import { didYouMean } from '../../words/suggest.ts'
import type { PolicyDefinition } from '../../model/policy.ts'
import { isPolicyRule, type PolicyRule } from '../../model/rule.ts'
import { type DescribedPack, describedPacks, shippedPreset } from '../../rules/index.ts'

/** The presets and packs that there are, or one of them, and where each is on. */
interface PacksRead {
  readonly presets: readonly string[]
  readonly packs: readonly DescribedPack[]
  readonly inForce: TurnedOnLookup
  /** The mistakes with which the rules of the folder do not load. */
  readonly wrong: readonly string[]
}

/**
 * Reads the preset or pack with a name; all of them without one.
 *
 * @param withExamples reads the examples of rules too, which takes longer: shipped policies are built without them
 * @throws HookgateError `usage` if there is none of that name
 */
export async function readPacks(
  name: string | undefined,
  location: RulesLocation,
  withExamples: boolean,
): Promise<PacksRead> {
  const { cwd } = location
  const presets = presetNames().filter((one) => name === undefined || one === name)
  const isPreset = name !== undefined && presets.length > 0
  const named = name === undefined ? [] : [name]
  const read = await withPolicies(async (policies) => ({
    here: await rulesBy(policies, location, [cwd]),
    packs: isPreset || withExamples ? [] : await describedPacks(named, cwd, policies),
  }))
  const exampled = withExamples && !isPreset
  const packs = exampled ? await withPolicies((policies) => describedPacks(named, cwd, policies), true) : read.packs
  return { presets, packs, inForce: inForceBy(read.here), wrong: read.here.wrong }
}

/** Returns a preset, and where it is on. */
export const presetReport = (name: string, inForce: TurnedOnLookup) => ({
  name,
  ...shippedPreset(name),
  inForce: inForce.preset(name),
})

/** Returns a pack with its rules, and where each is on. */
export function packReport(pack: DescribedPack, inForce: TurnedOnLookup) {
  const { name, isShipped, folder, description, rules } = pack
  return {
    name,
    shipped: isShipped,
    folder,
    description,
    severity: worstOf(pack) ?? null,
    inForce: inForce.pack(pack),
    rules: inOrder(rules).map((rule) => ruleReport(rule, inForce.rule(pack, rule.id))),
  }
}

function ruleReport(rule: PolicyDefinition, turnedOn: readonly TurnedOn[]) {
  const { id, severity, description, on, tool, params } = rule
  return {
    id,
    severity: severity ?? null,
    description,
    on,
    ...(tool !== undefined && { tool }),
    params,
    inForce: turnedOn,
  }
}

/** Returns the highest severity among a pack's rules. */
export const worstOf = ({ rules }: Pick<DescribedPack, 'rules'>) =>
  worst(rules.flatMap(({ severity }) => severity ?? []))

/** Sorts rules by severity, the highest first, then by id. */
export function inOrder(rules: readonly PolicyDefinition[]): readonly PolicyDefinition[] {
  return rules.toSorted((a, b) => rank(b) - rank(a) || (a.id < b.id ? -1 : 1))
}

const rank = ({ severity }: PolicyDefinition) => (severity === undefined ? -1 : Severity.options.indexOf(severity))

/** @throws HookgateError `usage` if a pack has no such rule */
export function ruleNamed(pack: string, rule: string, rules: readonly PolicyDefinition[]): PolicyDefinition {
  const found = rules.find(({ id }) => id === rule)
  if (found !== undefined) return found
  const names = rules.map(({ id }) => id)
  const remedy = didYouMean(rule, names) ?? `its rules are ${quotedSome(names)}`
  throw new HookgateError('usage', `the pack ${quoted(pack)} has no rule ${quoted(rule)}`, { remedy })
}

/** One source that turns something on: a preset, a pack or a rule of one. */
export interface TurnedOn {
  readonly source: string
  readonly file: string
  /** `observe` if none of its rules can refuse. */
  readonly mode: RuleMode
}

/** Looks up which presets, packs and rules are in force. */
export interface TurnedOnLookup {
  readonly preset: (name: string) => readonly TurnedOn[]
  readonly pack: (pack: Pick<DescribedPack, 'folder'>) => readonly TurnedOn[]
  readonly rule: (pack: Pick<DescribedPack, 'folder'>, id: string) => readonly TurnedOn[]
  /** Returns what sources set a param of a rule to, where that is not its default. */
  readonly param: (pack: Pick<DescribedPack, 'folder'>, id: string, name: string) => readonly SetParam[]
}

interface SetParam {
  readonly source: string
  readonly value: Json
}

export function inForceBy({ rules, loaded }: Pick<RulesHere, 'rules' | 'loaded'>): TurnedOnLookup {
  const policies = rules.filter(isPolicyRule)
  const inFolder = (folder: string) => policies.filter(({ handler }) => dirname(handler.file) === folder)
  const ofRule = (folder: string, id: string) => inFolder(folder).filter(({ handler }) => handler.policy === id)
  return {
    preset(name) {
      const { packs } = shippedPreset(name)
      const by = new Set(loaded.filter(({ preset }) => preset === name).map(({ source }) => source.id))
      const prefixes = [...by].flatMap((source) => packs.map(({ pack }) => `${source}/${pack}/`))
      return bySource(policies.filter(({ id }) => prefixes.some((prefix) => id.startsWith(prefix))))
    },
    pack: ({ folder }) => bySource(inFolder(folder)),
    rule: ({ folder }, id) => bySource(ofRule(folder, id)),
    param: ({ folder }, id, name) =>
      ofRule(folder, id).flatMap(({ source, handler: { params, changedParams } }) => {
        const value = changedParams.includes(name) ? params[name] : undefined
        return value === undefined ? [] : [{ source: source.id, value }]
      }),
  }
}

function bySource(rules: readonly PolicyRule[]): readonly TurnedOn[] {
  return [...Map.groupBy(rules, ({ source }) => source.id)].map(([source, own]) => ({
    source,
    file: own[0]?.source.file ?? '',
    mode: own.every(({ mode }) => mode === 'observe') ? 'observe' : 'enforce',
  }))
}
