import { dirname, join } from 'node:path'
import { agents, descriptorOf } from '../../agents/registry.ts'
import type { AgentName } from '../../model/event.ts'
import { HookgateError } from '../../model/errors.ts'
import { choiceOf, quoted } from '../../model/text.ts'
import type { Source } from '../../model/rule.ts'
import { placesFor } from '../../rules/places.ts'
import { boundsOf, type InstallContext } from '../install-context.ts'
import { lookAt } from '../files/look-at.ts'
import { checkReplaceable, makeFolder, replaceSettings } from '../files/replace-settings.ts'
import { documentBytes, parseDocument } from '../json/document.ts'
import { diffText } from '../preview.ts'
import { withRules } from './merge.ts'
import { ownRulesSite } from './site.ts'
import { translate, type Translation } from './translate.ts'

/** The planned change of a rules file by `hookgate import`. */
export interface PlannedImport extends Translation {
  /** hookgate's own rules file. */
  readonly file: string
  /** The change as `diff -u` shows it; empty if the file has all of it already. */
  readonly diff: string
  /** Writes the file. @throws HookgateError `settingsUnwritable` */
  readonly write: () => void
}

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
  const isProject = scope === 'project'
  const folder = isProject ? join(cwd, '.hookgate') : placesFor({ env: context.env, home, cwd }).configFolder
  const file = join(folder, 'hooks.json')
  const source: Source = {
    id: `${scope}:hooks.json`,
    scope,
    file,
    workspaceRoot: isProject ? cwd : undefined,
    pluginRoot: undefined,
  }
  const translation = translate(read(ownRulesSite(context)), agent, source, home)
  const looked = lookAt(file, boundsOf(context))
  const before = parseDocument(looked.present?.bytes ?? Buffer.from('{}\n'), file)
  const merged = withRules(before, translation)
  const isSame = merged.text === before.text
  const after = documentBytes(merged, merged.text)
  const write = () => {
    if (isSame) return
    checkReplaceable(looked.real, looked.present)
    makeFolder(dirname(looked.real), isProject ? 0o755 : 0o700)
    replaceSettings(looked.real, after, looked.present?.mode ?? 0o644, looked.present)
  }
  return { ...translation, file, diff: isSame ? '' : diffText({ file, looked, after }), write }
}
