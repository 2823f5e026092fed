import { agents, descriptorOf } from '../../agents/registry.ts'
import type { AgentName } from '../../model/event.ts'
import { HookgateError } from '../../model/errors.ts'
import { choiceOf, quoted } from '../../model/text.ts'
import type { Source } from '../../model/rule.ts'
import type { InstallContext } from '../install-context.ts'
import { addItems } from '../json/add-items.ts'
import type { JsonDocument } from '../json/document.ts'
import { type PlannedRulesFile, planRulesFile, rulesFileOf } from '../rules-file.ts'
import { ownRulesSite } from './site.ts'
import { translate, type Translation } from './translate.ts'

/** The planned change of a rules file by `hookgate import`. */
export interface PlannedImport extends Translation, PlannedRulesFile {}

/**
 * Plans the import of an agent's own rules. Reads the agent's files, and never changes them.
 *
 * @throws HookgateError `usage` if the agent has no rules of its own, `settingsMalformed`
 */
export function planImport(agent: AgentName, context: InstallContext): PlannedImport {
  const read = descriptorOf(agent)?.ownRules
  if (read === undefined) {
    const known = agents.flatMap(({ name, ownRules }) => (ownRules === undefined ? [] : [name]))
    const remedy = `rules can be imported from ${choiceOf(known)}`
    throw new HookgateError('usage', `${quoted(agent)} keeps no rules that could be imported`, { remedy })
  }
  const { scope, cwd, home } = context
  const source: Source = {
    id: `${scope}:hooks.json`,
    scope,
    file: rulesFileOf(context),
    workspaceRoot: scope === 'project' ? cwd : undefined,
    pluginRoot: undefined,
  }
  const translation = translate(read(ownRulesSite(context)), agent, source, home)
  return { ...translation, ...planRulesFile(context, (document) => withRules(document, translation)) }
}

/**
 * Adds rules to a rules file, in its own layout. What it has already is not added again.
 *
 * @throws HookgateError `settingsMalformed` if a part of the file is not what it should be
 */
function withRules(document: JsonDocument, { permissions, hooks }: Translation): JsonDocument {
  let merged = document
  for (const effect of ['deny', 'ask', 'allow'] as const) {
    const texts = permissions.filter((one) => one.effect === effect).map(({ text }) => text)
    merged = addItems(merged, ['permissions', effect], [...new Set(texts)])
  }
  for (const { event, group } of hooks) merged = addItems(merged, ['hooks', event], [group])
  return merged
}
