import type { ImpactKind, ImpactThing } from '../../../model/impact.ts'
import { charactersReadMax, type TextDeed } from './text-deed.ts'

/** Texts and comments are no code, but a text may be the name of a command: `{"dropDatabase": 1}`. */
const withoutTexts = (code: string) =>
  code.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g, (found) =>
    /^['"`]\w+['"`]$/.test(found) ? found.slice(1, -1) : found.startsWith('/') ? ' ' : '""',
  )

type Danger = readonly [RegExp, TextDeed['undo'], kind: ImpactKind, thing: ImpactThing, object: string, extent?: 'all']

/** Methods and commands of the MongoDB shell that take something away, the worst first. */
const dangers: readonly Danger[] = [
  [/\.dropDatabase\s*\(|\bdropDatabase\s*:/, 'never', 'delete', 'data', 'database'],
  [/\.drop\s*\(|\bdrop\s*:\s*\w|\.dropCollection\s*\(/, 'never', 'delete', 'data', 'collection'],
  [/\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*[,)]|\))/, 'never', 'delete', 'data', 'document', 'all'],
  [/\.bulkWrite\s*\([\s\S]*deleteMany\s*:\s*\{\s*filter\s*:\s*\{\s*\}/, 'never', 'delete', 'data', 'document', 'all'],
  [/\bdelete\s*:\s*\w+\s*,\s*deletes\s*:\s*\[\s*\{\s*q\s*:\s*\{\s*\}/, 'never', 'delete', 'data', 'document', 'all'],
  [
    /\.(?:dropUser|dropAllUsers|dropRole|dropAllRoles|removeUser)\s*\(|\b(?:dropUser|dropAllUsersFromDatabase|dropRole)\s*:/,
    'never',
    'delete',
    'account',
    'user or role',
  ],
  [/\.shutdownServer\s*\(|\bshutdown\s*:\s*(?:1|true)/, 'never', 'stop', 'infrastructure', 'the server'],
  [
    /\b(?:rs\.remove|sh\.removeShard|sh\.removeRange\w*)\s*\(|\bremoveShard\s*:/,
    'never',
    'delete',
    'infrastructure',
    'server of the cluster',
  ],
  [/\.updateMany\s*\(\s*\{\s*\}\s*,/, 'work', 'overwrite', 'data', 'document', 'all'],
  [/\.dropIndex(?:es)?\s*\(|\bdropIndexes\s*:/, 'work', 'delete', 'data', 'index'],
  [/\.renameCollection\s*\([^)]*true\s*\)/, 'never', 'overwrite', 'data', 'collection'],
  [/\.(?:deleteMany|remove|findOneAndDelete|deleteOne)\s*\(/, 'work', 'delete', 'data', 'documents'],
  [
    /\b(?:rs\.stepDown|rs\.reconfig|sh\.disableBalancing|sh\.stopBalancer)\s*\(/,
    'work',
    'change',
    'infrastructure',
    'the cluster',
  ],
  [/\$out\b\s*["']?\s*:/, 'work', 'overwrite', 'data', 'collection'],
]

/** The worst of what JavaScript for MongoDB does. */
export function mongoDeed(code: string): TextDeed | undefined {
  const text = withoutTexts(code.slice(0, charactersReadMax))
  for (const undo of ['never', 'work'] as const) {
    for (const [pattern, own, kind, thing, object, extent] of dangers) {
      const found = own === undo ? pattern.exec(text) : null
      if (found === null) continue
      const names = collectionBefore(text, found.index)
      return {
        kind,
        thing,
        object,
        names,
        ...(extent && { extent }),
        undo,
        words: /[a-z]\w+/i.exec(found[0])?.[0] ?? '',
      }
    }
  }
  if (code.length <= charactersReadMax) return undefined
  return { kind: 'run', thing: 'code', object: 'more code than can be read here', names: [], undo: 'work', words: '' }
}

/** Returns the collection that a method is called of: `users` in `db.users.drop()`. */
function collectionBefore(text: string, at: number): readonly string[] {
  const name = /\bdb\.(\w{1,80})$/.exec(text.slice(Math.max(0, at - 84), at))?.[1]
  return name === undefined ? [] : [name]
}
