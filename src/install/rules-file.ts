import { dirname, join } from 'node:path'
import { placesFor, userRulesFile } from '../rules/places.ts'
import { checkUnchanged } from './files/change.ts'
import { backUp } from './files/own-state.ts'
import { lookAt } from './files/look-at.ts'
import { checkReplaceable, makeFolder, replaceSettings } from './files/replace-settings.ts'
import { boundsOf, type InstallContext } from './install-context.ts'
import { documentBytes, type JsonDocument, parseDocument } from './json/document.ts'
import { diffText } from './preview.ts'

/** The planned change of hookgate's own rules file, of the context's scope. */
export interface PlannedRulesFile {
  readonly file: string
  /** The change as `diff -u` shows it; empty if the file has all of it already. */
  readonly diff: string
  readonly after: Buffer
  /** Writes the file. @returns where the copy of the old one is @throws HookgateError `settingsUnwritable` */
  readonly write: () => string | undefined
}

/** Returns hookgate's own rules file of the context's scope. */
export function rulesFileOf({ scope, env, cwd, home }: InstallContext): string {
  return scope === 'project' ? join(cwd, '.hookgate', 'hooks.json') : userRulesFile(placesFor({ env, home, cwd }))
}

/** @throws HookgateError `settingsMalformed` if the file is not one that can be changed */
export function planRulesFile(
  context: InstallContext,
  change: (document: JsonDocument) => JsonDocument,
): PlannedRulesFile {
  const file = rulesFileOf(context)
  const looked = lookAt(file, boundsOf(context))
  const { real, present } = looked
  const before = parseDocument(present?.bytes ?? Buffer.from('{}\n'), file)
  const changed = change(before)
  const isSame = changed.text === before.text
  const after = documentBytes(changed, changed.text)
  const write = () => {
    if (isSame) return undefined
    // A person may have thought about the change for minutes.
    checkUnchanged({ file, looked, within: boundsOf(context) })
    checkReplaceable(real, present)
    makeFolder(dirname(real), context.scope === 'project' ? 0o755 : 0o700)
    const copy = present === undefined ? undefined : backUp(context.places, real, present.bytes)
    replaceSettings(real, after, 'json', present?.mode ?? 0o644, present)
    return copy
  }
  return { file, diff: isSame ? '' : diffText({ file, looked, after }), after, write }
}
