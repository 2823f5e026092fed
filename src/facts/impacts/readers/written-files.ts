import type { Impact } from '../../../model/impact.ts'
import type { TextChange } from '../../../model/tool-facts.ts'
import { placeOf } from '../places.ts'
import { shownByCode } from '../code/shown-secrets.ts'
import { type SqlDanger, sqlDeeds, worstIn } from '../texts/sql.ts'

/** Files that tests, new databases and steps back are made of. */
const rehearsing =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|testdata|mocks?|examples?|docs?|samples?|seeds?)\/|(?:^|[/._-])(?:tests?|seeds?|down|undo|rollback|revert|fixtures?|schema|teardown|example|dev|local)(?=[._-])/i

/**
 * Steps of a schema's history, which are there to change it, and are asked about when they are run. What they do to rights,
 * users and the server is seldom seen again.
 */
const migration = /(?:^|\/)(?:migrations?|migrate|changelogs?|alembic|flyway|versions)\/|(?:^|\/)V\d[\w.]*__/i
const countsIn = (path: string) => (danger: SqlDanger) =>
  danger.opens === true ||
  (migration.test(path) ? /^(?:a |COPY|INTO|DROP (?:DATABASE|USER|ROLE))/.test(danger.what) : danger.what !== 'REVOKE')

/** The part of a migration before its step back. */
const forth = (text: string) => text.split(/^[^\S\n\r\u2028\u2029]*--\s*(?:\+?\w+[ :]\s*)?down\b/im, 1)[0] ?? ''

/** Finds what SQL and cells of notebooks do that are written to a file, to be run later. */
export const impactsOfFiles = (changes: readonly TextChange[]): readonly Impact[] =>
  changes.flatMap((change) => (change.path.endsWith('.ipynb') ? shownIn(change) : writtenIn(change)))

/** Returns what a notebook shows of variables: its output stays in the file. */
function shownIn({ path, added, at }: TextChange): readonly Impact[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const shared = { where: 'unknown', by: at ?? path, words: name, command: name } as const
  return shownByCode(added).map((found) => Object.assign({}, found, shared, { targets: {}, through: 'file' as const }))
}

function writtenIn({ path, removed, added, at }: TextChange): readonly Impact[] {
  if (rehearsing.test(path)) return []
  const counts = countsIn(path)
  const text = forth(added)
  const worst = worstIn(text, counts)
  // A right on a table that the same text creates takes nothing from anybody.
  if (worst?.opens === true && /\bcreate\s+table\b/i.test(added)) return []
  if (worst !== undefined && worstIn(removed, counts)?.what === worst.what) return []
  const name = path.slice(path.lastIndexOf('/') + 1)
  const shared = {
    area: 'sql',
    undo: 'work',
    where: placeOf([path], []),
    by: at ?? path,
    command: name,
    targets: {},
    through: 'file',
  } as const
  return sqlDeeds(text, counts).map(({ words, extent = 'unknown', ...deed }) =>
    Object.assign(deed, shared, { extent, words: `${name} … ${words}`.trim() }),
  )
}
