import type { Impact } from '../../model/impact.ts'
import { setOf } from '../../model/look-ups.ts'
import { unknownPart } from '../../model/shell.ts'

/** Verbs that change something, or tell people something, in the clients of forges and in the names of MCP tools. */
const writes = setOf(
  (
    'create new add comment note edit update set write push close reopen delete remove merge approve unapprove review ready ' +
    'revert update-branch lock unlock pin unpin transfer rename archive unarchive upload publish enable disable run trigger dispatch ' +
    'cancel rerun retry sync assign unassign label request submit respond reply resolve revoke'
  ).split(' '),
)
export const writesToForge = (verb: string): boolean => writes.has(verb)

/** A repository, `owner/name` in lower case. */
export type RepositoryName = string

/** Reads `owner/name`, `host/owner/name` or an address; `undefined` for anything else, and what is not known. */
export function repositoryIn(text: string): RepositoryName | undefined {
  if (text.includes(unknownPart) || /[\s{}$]/.test(text)) return undefined
  const path = text
    .toLowerCase()
    .replaceAll('%2f', '/')
    .replace(/^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?[/:]/, '')
    .replace(/\.git$/, '')
  return /^[\w.-]+(?:\/[\w.-]+)+/.exec(path)?.[0]
}

/** The impact of a write to a repository of which nothing more is known. */
export const repositoryWrite = { kind: 'change', thing: 'repository', object: 'repository', undo: 'easily' } as const

/** Adds the repository that a call writes to: to each of its impacts, or as one if there is no other. */
export function withRepository(
  impacts: readonly Impact[],
  repository: RepositoryName | undefined,
  orElse: (names: readonly string[]) => Impact,
): readonly Impact[] {
  if (repository === undefined) return impacts
  const all = impacts.length > 0 ? impacts : [orElse([repository])]
  return all.map((impact) => Object.assign({}, impact, { targets: { ...impact.targets, repository: [repository] } }))
}
