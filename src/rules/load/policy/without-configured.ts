import { dirname } from 'node:path'
import { realPath } from '../../disk.ts'
import { type Draft, isBinding } from '../draft.ts'

/**
 * A policy of a `policies/` folder that the hooks.json beside it names is in force as that says, with its params and
 * matcher, and not a second time as it says itself.
 */
export function withoutConfigured(drafts: readonly Draft[]): readonly Draft[] {
  return drafts.map((draft) => {
    const beside = drafts.filter((other) => other !== draft && isBeside(other, draft))
    const configured = new Map(
      beside.flatMap(({ entries }) =>
        entries.flatMap((entry) =>
          isBinding(entry) && entry.written !== undefined ? [[realPath(entry.file), entry.written.id] as const] : [],
        ),
      ),
    )
    if (configured.size === 0) return draft
    const nameOf = (file: string) => configured.get(realPath(file))
    const entries = draft.entries.filter(
      (entry) => !isBinding(entry) || entry.written !== undefined || nameOf(entry.file) === undefined,
    )
    return { ...draft, entries }
  })
}

/** One person's files: the folder is the rules file's own neighbour. */
function isBeside({ source: rules }: Draft, { source: folder }: Draft): boolean {
  return (
    rules.scope === folder.scope &&
    rules.workspaceRoot === folder.workspaceRoot &&
    dirname(rules.file) === dirname(folder.file)
  )
}
