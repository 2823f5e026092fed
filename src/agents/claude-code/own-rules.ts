import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { hooksInGroups, type OwnRule, type OwnRulesSite, rulesOfTexts, untranslated } from '../install/own-rules.ts'
import { ownFolder } from '../install/settings.ts'

/** Reads the permission rules and hooks of Claude Code's settings, which have hookgate's own form. */
export function ownRules(site: OwnRulesSite): readonly OwnRule[] {
  const files =
    site.scope === 'user'
      ? [join(ownFolder(site, 'CLAUDE_CONFIG_DIR', '.claude'), 'settings.json')]
      : ['settings.json', 'settings.local.json'].map((name) => join(site.cwd, '.claude', name))
  return files.flatMap((file) => {
    const settings = site.json(file)
    return isJsonObject(settings) ? rulesIn(file, settings) : []
  })
}

const rulesIn = (file: string, settings: JsonObject): readonly OwnRule[] => [
  ...permissionsIn(file, settings['permissions']),
  ...hooksInGroups(file, settings['hooks'], (handler) => handler),
]

const effects = ['deny', 'ask', 'allow'] as const

function permissionsIn(from: string, permissions: Json | undefined): readonly OwnRule[] {
  if (permissions === undefined) return []
  if (!isJsonObject(permissions)) return [untranslated(from, '`permissions`', 'it is not an object')]
  const others = Object.keys(permissions).filter((key) => !effects.some((effect) => effect === key))
  return [
    ...effects.flatMap((effect) =>
      rulesOfTexts(from, `permissions.${effect}`, permissions[effect], (text) => ({
        kind: 'permission',
        from,
        effect,
        text,
      })),
    ),
    ...others.map((key) => untranslated(from, `permissions.${key}`, 'it is about how Claude Code itself works')),
  ]
}
