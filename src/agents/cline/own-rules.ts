import { join } from 'node:path'
import { isJsonObject, parseJsonObject } from '../../model/json.ts'
import { type OwnRule, type OwnRulesSite, rulesOfTexts, untranslated } from '../install/own-rules.ts'

/**
 * Reads Cline's rules about commands, which are in an environment variable, and the files that it must not touch.
 *
 * Its hooks are not read: hookgate runs them where they are.
 */
export function ownRules(site: OwnRulesSite): readonly OwnRule[] {
  if (site.scope === 'user') return commandRules(site.env[variable])
  const file = join(site.cwd, '.clineignore')
  return (site.text(file) ?? '').split(/\r?\n/).flatMap((line) => ignored(file, line.trim()))
}

const variable = 'CLINE_COMMAND_PERMISSIONS'

function commandRules(text: string | undefined): readonly OwnRule[] {
  if (text === undefined || text.trim() === '') return []
  const rules = parseJsonObject(text)
  if (!isJsonObject(rules)) return [untranslated(variable, text, 'it is not a JSON object')]
  const listed = (['deny', 'allow'] as const).flatMap((effect) =>
    rulesOfTexts(variable, effect, rules[effect], (glob) => ({
      kind: 'permission',
      from: variable,
      effect,
      text: `shell(${glob})`,
    })),
  )
  return [
    ...listed,
    ...(rules['allow'] === undefined
      ? []
      : [
          untranslated(variable, '`allow` as a list of the only commands', 'Cline goes on to refuse all others itself'),
        ]),
    ...(rules['allowRedirects'] === undefined
      ? []
      : [untranslated(variable, '`allowRedirects`', 'an `allow` of hookgate never covers a redirection to a file')]),
  ]
}

/** A line of `.clineignore` keeps Cline from reading and writing what it matches, in the syntax of `.gitignore`. */
function ignored(from: string, line: string): readonly OwnRule[] {
  if (line === '' || line.startsWith('#')) return []
  if (line.startsWith('!')) return [untranslated(from, line, 'a `deny` has no exceptions')]
  return ['Read', 'Edit'].map((tool) => ({ kind: 'permission', from, effect: 'deny', text: `${tool}(${line})` }))
}
