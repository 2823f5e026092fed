import { join } from 'node:path'
import { isJsonObject } from '../../model/json.ts'
import { commandRule, hooksInGroups, type OwnRule, type OwnRulesSite, untranslated } from '../install/own-rules.ts'
import { ownFolder } from '../install/settings.ts'
import { callsIn, type RuleCall, type RuleValue } from './rules-file.ts'

/** Reads Codex's rules about commands, and its hooks. */
export function ownRules(site: OwnRulesSite): readonly OwnRule[] {
  const folder = site.scope === 'user' ? ownFolder(site, 'CODEX_HOME', '.codex') : join(site.cwd, '.codex')
  const config = join(folder, 'config.toml')
  const hooks = join(folder, 'hooks.json')
  const settings = site.toml(config)
  const listed = site.json(hooks)
  const rules = site.files(join(folder, 'rules')).filter((name) => name.endsWith('.rules'))
  return [
    ...rules.flatMap((file) => rulesIn(file, site.text(file) ?? '')),
    ...(isJsonObject(listed)
      ? hooksInGroups(hooks, listed['hooks'], (handler) => ({ ...handler, dialect: 'codex' }))
      : []),
    ...(isJsonObject(settings) ? Object.keys(settings).flatMap((key) => unlike(config, key)) : []),
  ]
}

/** Settings of Codex that limit what it does, each with the reason why it stays there. */
const stays: Readonly<Record<string, string>> = {
  approval_policy: 'it says when Codex itself asks',
  sandbox_mode: 'it is about the sandbox that Codex itself runs commands in',
  sandbox_workspace_write: 'it is about the sandbox that Codex itself runs commands in',
}

const unlike = (config: string, key: string): readonly OwnRule[] =>
  stays[key] === undefined ? [] : [untranslated(config, key, stays[key])]

const decisions: Readonly<Record<string, 'deny' | 'ask' | 'allow'>> = {
  allow: 'allow',
  prompt: 'ask',
  forbidden: 'deny',
}

function rulesIn(from: string, text: string): readonly OwnRule[] {
  return callsIn(text).flatMap((call) => rulesOfCall(from, call))
}

function rulesOfCall(from: string, { name, named, source }: RuleCall): readonly OwnRule[] {
  if (named === undefined) return [untranslated(from, source, 'only literal arguments are understood')]
  if (name !== 'prefix_rule') return [untranslated(from, source, 'only `prefix_rule` is about commands alone')]
  const effect = decisions[String(named['decision'] ?? 'allow')]
  const words = alternatives(named['pattern'])
  if (effect === undefined || words === undefined) return [untranslated(from, source, 'it is not a known form of rule')]
  return words.map((one) => {
    const rule = commandRule(one)
    return rule === undefined
      ? untranslated(from, source, 'a word with a blank or a parenthesis cannot be written in a permission rule')
      : { kind: 'permission', from, effect, text: rule }
  })
}

/** More alternatives than these are no rule that a person wrote. */
const alternativesMax = 100

/** Returns every list of words that a pattern stands for: each of its elements is a word, or a choice of words. */
function alternatives(pattern: RuleValue | undefined): readonly (readonly string[])[] | undefined {
  if (!Array.isArray(pattern) || pattern.length === 0) return undefined
  let all: readonly (readonly string[])[] = [[]]
  for (const element of pattern as readonly RuleValue[]) {
    const words = typeof element === 'string' ? [element] : element
    all = all.flatMap((before) => words.flatMap((word) => (typeof word === 'string' ? [[...before, word]] : [])))
    if (all.length > alternativesMax || all.length === 0) return undefined
  }
  return all
}
