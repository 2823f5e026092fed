import { dirname } from 'node:path'
import type { RuleMode } from '../../model/effect.ts'
import { isPolicyRule, type PolicyRule } from '../../model/rule.ts'
import { type DescribedPack, shippedPreset } from '../../rules/index.ts'
import type { RulesHere } from '../../install/rules-here.ts'

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
}

export function inForceBy({ rules, loaded }: Pick<RulesHere, 'rules' | 'loaded'>): TurnedOnLookup {
  const policies = rules.filter(isPolicyRule)
  const inFolder = (folder: string) => policies.filter(({ handler }) => dirname(handler.file) === folder)
  return {
    preset(name) {
      const { packs } = shippedPreset(name)
      const by = new Set(loaded.filter(({ preset }) => preset === name).map(({ source }) => source.id))
      const prefixes = [...by].flatMap((source) => packs.map(({ pack }) => `${source}/${pack}/`))
      return bySource(policies.filter(({ id }) => prefixes.some((prefix) => id.startsWith(prefix))))
    },
    pack: ({ folder }) => bySource(inFolder(folder)),
    rule: ({ folder }, id) => bySource(inFolder(folder).filter(({ handler }) => handler.policy === id)),
  }
}

function bySource(rules: readonly PolicyRule[]): readonly TurnedOn[] {
  return [...Map.groupBy(rules, ({ source }) => source.id)].map(([source, own]) => ({
    source,
    file: own[0]?.source.file ?? '',
    mode: own.every(({ mode }) => mode === 'observe') ? 'observe' : 'enforce',
  }))
}
