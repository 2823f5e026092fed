import { dirname } from 'node:path'
import { realPath } from '../../../files/real-path.ts'
import { type Draft, isBinding } from './draft.ts'

/**
 * A draft without the policies of a `policies/` folder that the hooks.json beside it names: those are in force as that
 * says, with its params and matcher, and not a second time as they say themselves.
 *
 * @param all every draft, this one among them
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

/** The policies that a rules file names, and all those of packs that it names: what it switches off stays off. */
function configuredIn({ entries, claimed }: Draft): readonly string[] {
  const named = entries.filter(isBinding).filter(({ written }) => written !== undefined)
  return [...named.map(({ file }) => file), ...claimed].map(realPath)
}

/** One person's files: the folder is the rules file's own neighbour. */
function isBeside({ source: rules }: Draft, { source: folder }: Draft): boolean {
  return (
    rules.scope === folder.scope &&
    rules.workspaceRoot === folder.workspaceRoot &&
    dirname(rules.file) === dirname(folder.file)
  )
}
