import { type Impact, isLike, namesOneOf } from 'hookgate/policy'
import type { CallAt } from '../impacts.ts'

/** A param of policies on databases. */
export const testDatabases = {
  type: 'strings',
  default: [],
  description: 'databases and environments that may be emptied and dropped: `*_test`, `test`; `*` at one end',
} as const

const isNamed = (name: string, patterns: readonly string[]) =>
  name !== '' && patterns.some((one) => /[^*]/.test(one) && isLike(name, one))

/** Variables by which frameworks choose one of their databases. */
const environments = /(?:^|_)ENV$|_SETTINGS_MODULE$/
/** Words of variables and addresses that lead to another database than the one that is named. */
const elsewhere = ['prod', 'production', 'prd', 'live', 'staging']

/** Options that say who logs in, and where. */
const ofLogin = /^(?:-[UuhHpPW]|--(?:user|username|host|port|password|maintenance-db))(?:=|$)/

/** The name of a database in an argument: a file's, the end of an address, the value of an option. */
function nameIn(word: string): string {
  const value = /^--?[\w-]+=(.*)$/.exec(word)?.[1] ?? word
  const last = value.replace(/[?#].*$/, '').replace(/^.*[/\\]/, '')
  return last
    .replace(/\.(?:db|sqlite3?|duckdb)$/i, '')
    .replace(/^.*\.(?=\w+$)/, '')
    .toLowerCase()
}

/** True if a command names a database or an environment for tests, and nothing that leads to another. */
export function isForTests({ args, environment }: CallAt, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return false
  const words = args.flatMap(({ value, unresolved }) => (unresolved === true ? [] : [value]))
  if (words.length < args.length || words.some((word) => namesOneOf(word, elsewhere))) return false
  if (environment.some(({ name, value }) => /URL$|HOST$/.test(name) || namesOneOf(value.value, elsewhere))) return false
  const chosen = environment.filter(({ name }) => environments.test(name)).map(({ value }) => nameIn(value.value))
  // Statements have blanks in them, and name tables.
  const named = words
    .filter((word, at) => !/\s|^--?[\w-]+$/.test(word) && !ofLogin.test(words[at - 1] ?? '') && !ofLogin.test(word))
    .map(nameIn)
  return [...chosen, ...named].some((name) => isNamed(name, patterns))
}

/** Impacts name no more than this; there may be others. */
const namesShownMax = 8

/** True if an impact is that databases for tests are dropped, and no others. */
export const isTestDatabase = ({ kind, names, targets: { database = [] } }: Impact, patterns: readonly string[]) =>
  kind === 'delete' &&
  database.length > 0 &&
  names.length < namesShownMax &&
  database.every((name) => isNamed(name.toLowerCase(), patterns))
