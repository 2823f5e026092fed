import { sqlDeeds } from '../texts/sql.ts'
import type { TextDeed } from '../texts/text-deed.ts'

/** Texts in quotes that are SQL. */
const texts = () => /"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g

/** Carriers of SQL from code to a database: a driver, a connection, a started client, a method that runs text. */
const carriers =
  /connect|cursor|session|engine|execut|database|quer(?:y|ies)\w*\s*\(|\bexec|\braw\b|\bdbh?\b|\bdb[A-Z_]|\bDB\w|\bconn\b|(?:\.|->|::)\s*(?:do|run|prepare|migrate|batch|begin|transaction|unsafe)\b|\brun\w*\s*\(|\bsql\s*["(`]|\w+sql\b|\bsql(?!parse\b|glot\b|fluff\b|lint\b)\w+|\bPDO\b|\bpg\b|postgres|duckdb|maria|oracle|knex|prisma|drizzle|sequelize|typeorm|activerecord|eloquent|\brepo\b|snowflake|bigquery|clickhouse|cassandra|subprocess|child_process|popen|spawn|system|\beval|getattr|__import__|import_module|importlib|base64|\bsend\b/i

/** Returns what the SQL in the texts of code does, of the first text that does anything. */
export function sqlInTexts(code: string): readonly TextDeed[] {
  if (code.includes(':memory:')) return []
  for (const found of code.matchAll(texts())) {
    const text = found.slice(1).find((one) => one !== undefined) ?? ''
    if (!/^\s*(?:DROP|TRUNCATE|DELETE|ALTER|UPDATE|WITH)\b/i.test(text)) continue
    // A text that is only printed or parsed is none that is run.
    if (
      /(?:print|puts|echo|console\.log|say|logger?\.\w+|info|warn|\b(?:parse|tokeni[sz]e|lint)\w*\()\s*\(?\s*$/.test(
        code.slice(0, found.index),
      )
    )
      continue
    // A text that is looked for in another is none either: `'drop table' in line`, `line.includes('drop table')`.
    const behind = code.slice(found.index + found[0].length)
    const before = code.slice(0, found.index)
    if (
      /^\s+(?:not\s+)?in\s+[a-z_]/i.test(behind) ||
      /\.(?:includes|startsWith|startswith|endswith|indexOf|find)\(\s*$/.test(before)
    )
      continue
    const deeds = sqlDeeds(text)
    if (deeds.length > 0) return deeds
  }
  return []
}

/** Returns code without its texts: a method that is only written about is none. */
export const withoutTexts = (code: string): string =>
  code.replace(texts(), (found) => (/^["'`][@\w./-]+["'`]$/.test(found) ? found : '""'))

/** True if code carries SQL to a database. What only reads SQL runs none: `pgsql-ast-parser`, `sql-formatter`. */
export const carriesSql = (bare: string): boolean =>
  carriers.test(
    bare.replace(
      /[\w@./-]*(?:pars(?:e|er|ing)|lint(?:er)?|format(?:ter)?|lexer|tokeni[sz]er|highlight(?:er)?)\b/gi,
      '',
    ),
  )
