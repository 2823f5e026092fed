import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { getNodeValue } from 'jsonc-parser'
import type { OwnRulesSite } from '../../agents/install/own-rules.ts'
import { parseToml } from '../../files/settings-values.ts'
import { codeOf, errorText, HookgateError } from '../../model/errors.ts'
import { Json } from '../../model/json.ts'
import { lookAt, reasonOf } from '../files/look-at.ts'
import { boundsOf, type InstallContext } from '../install-context.ts'
import { malformed, parseDocument } from '../json/document.ts'

/**
 * Gives an agent's reader its files. Unlike for `status`, a file that does not parse is an error: its rules would be
 * left out unseen.
 */
export function ownRulesSite(context: InstallContext): OwnRulesSite {
  const { scope, env, cwd, home, platform } = context
  // A project's link must not show a file of the user's, as an error or as a rule.
  const bytesOf = (file: string) => lookAt(file, boundsOf(context)).present?.bytes
  return {
    scope,
    env,
    cwd,
    home,
    platform,
    json(file) {
      const bytes = bytesOf(file)
      return bytes === undefined ? undefined : Json.parse(getNodeValue(parseDocument(bytes, file, 'allowed').root))
    },
    toml(file) {
      const bytes = bytesOf(file)
      if (bytes === undefined) return undefined
      try {
        return parseToml(bytes.toString())
      } catch (cause) {
        throw malformed({ file }, `it is not TOML: ${errorText(cause).split('\n')[0] ?? ''}`)
      }
    },
    text: (file) => bytesOf(file)?.toString(),
    files(folder) {
      try {
        return readdirSync(folder)
          .toSorted()
          .map((name) => join(folder, name))
      } catch (cause) {
        if (codeOf(cause) === 'ENOENT') return []
        const message = `it cannot be read (${reasonOf(cause)})`
        throw new HookgateError('settingsMalformed', message, { place: { file: folder } })
      }
    },
  }
}
