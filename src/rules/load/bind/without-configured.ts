import { dirname } from 'node:path'
import { realPath } from '../../../files/real-path.ts'
import { type Draft, isBinding } from './draft.ts'

/**
 * Drops the policies of a `policies/` folder that the hooks.json beside it names.
 *
 * They are in force as that file says, with its params and matcher, and must not apply a second time by their own
 * definitions.
 *
 * @param all every draft, including this one
 */
export function withoutConfigured(draft: Draft, all: readonly Draft[]): Draft {
  const beside = all.filter((other) => other !== draft && isBeside(other, draft))
  const configured = new Set(beside.flatMap(configuredIn))
  if (configured.size === 0) return draft
  const entries = draft.entries.filter(
    (entry) => !isBinding(entry) || entry.written !== undefined || !configured.has(realPath(entry.file)),
  )
  return { ...draft, entries }
}

/** Returns the policies that a rules file names, and all those of its packs, so that disabled rules stay disabled. */
function configuredIn({ entries, claimed }: Draft): readonly string[] {
  const named = entries.filter(isBinding).filter(({ written }) => written !== undefined)
  return [...named.map(({ file }) => file), ...claimed].map(realPath)
}

/** Returns whether a rules file and a folder of policies belong together: same owner, same parent folder. */
function isBeside({ source: rules }: Draft, { source: folder }: Draft): boolean {
  return (
    rules.scope === folder.scope &&
    rules.workspaceRoot === folder.workspaceRoot &&
    dirname(rules.file) === dirname(folder.file)
  )
}
