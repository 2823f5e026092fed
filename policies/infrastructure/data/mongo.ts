import { charactersReadMax } from './bounds.ts'

/** Texts and comments are no code, but a text may be the name of a command: `{"dropDatabase": 1}`. */
const withoutTexts = (code: string) =>
  code.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g, (found) =>
    /^['"`]\w+['"`]$/.test(found) ? found.slice(1, -1) : found.startsWith('/') ? ' ' : '""',
  )

/** Methods of the MongoDB shell that delete data, the worst first. */
const dangers: readonly (readonly [RegExp, 'deny' | 'ask', string])[] = [
  [/\.dropDatabase\s*\(|\bdropDatabase\s*:/, 'deny', 'dropDatabase'],
  [/\.drop\s*\(|\bdrop\s*:\s*\w|\.dropCollection\s*\(/, 'deny', 'drop of a collection'],
  [/\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*[,)]|\))/, 'deny', 'deletion of every document'],
  [/\.bulkWrite\s*\([\s\S]*deleteMany\s*:\s*\{\s*filter\s*:\s*\{\s*\}/, 'deny', 'deletion of every document'],
  [/\bdelete\s*:\s*\w+\s*,\s*deletes\s*:\s*\[\s*\{\s*q\s*:\s*\{\s*\}/, 'deny', 'deletion of every document'],
  [
    /\.(?:dropUser|dropAllUsers|dropRole|dropAllRoles|removeUser)\s*\(|\b(?:dropUser|dropAllUsersFromDatabase|dropRole)\s*:/,
    'deny',
    'removal of users or roles',
  ],
  [/\.shutdownServer\s*\(|\bshutdown\s*:\s*(?:1|true)/, 'deny', 'shutdown of the server'],
  [/\b(?:rs\.remove|sh\.removeShard|sh\.removeRange\w*)\s*\(|\bremoveShard\s*:/, 'deny', 'removal of a server'],
  [/\.updateMany\s*\(\s*\{\s*\}\s*,/, 'ask', 'change of every document'],
  [/\.dropIndex(?:es)?\s*\(|\bdropIndexes\s*:/, 'ask', 'drop of indexes'],
  [/\.renameCollection\s*\([^)]*true\s*\)/, 'deny', 'replacement of a collection'],
  [/\.(?:deleteMany|remove|findOneAndDelete|deleteOne)\s*\(/, 'ask', 'deletion of documents'],
  [/\b(?:rs\.stepDown|rs\.reconfig|sh\.disableBalancing|sh\.stopBalancer)\s*\(/, 'ask', 'change of the cluster'],
  [/\$out\b\s*["']?\s*:/, 'ask', '$out, which replaces a collection'],
]

/** The worst of what JavaScript for MongoDB does. */
export function mongoDanger(code: string): { effect: 'deny' | 'ask'; what: string } | undefined {
  const text = withoutTexts(code.slice(0, charactersReadMax))
  const found = (effect: 'deny' | 'ask') => dangers.find(([pattern, one]) => one === effect && pattern.test(text))
  const danger = found('deny') ?? found('ask')
  if (danger !== undefined) return { effect: danger[1], what: danger[2] }
  return code.length > charactersReadMax ? { effect: 'ask', what: 'more code than can be analyzed' } : undefined
}
