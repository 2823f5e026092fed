import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { whyFailed } from '../files/disk.ts'
import { pastLimits } from '../model/past-limits.ts'

/** Where one session may be: in one of these databases. */
export interface DatabaseSource {
  readonly agent: string
  readonly session: string
  readonly folder: string
  readonly named: RegExp
  readonly has: string
  readonly query: string
}

/** What a session has spent in an hour since the epoch. */
type SpentInHour = readonly [hour: number, tokens: number]

/** Reads what a session with its sub-agents has spent up to a time. @throws Error that says why it is not known */
export async function spentIn(
  { folder, named, has, query, session }: DatabaseSource,
  untilMs: number,
): Promise<readonly SpentInHour[]> {
  const { rowsOfOther } = await import('./other-database.ts')
  for (const file of databasesIn(folder, named)) {
    try {
      if (rowsOfOther(file, has, { session }).length === 0) continue
      const about = { session, until: Math.trunc(untilMs), most: pastLimits.tokenMessagesMax }
      return rowsOfOther(file, query, about).map(({ hour, tokens }) => [Number(hour), Number(tokens)])
    } catch (error) {
      throw new Error(`${file} cannot be read: ${whyFailed(error)}`, { cause: error })
    }
  }
  throw new Error(`no database in ${folder} has the session`)
}

function databasesIn(folder: string, named: RegExp): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => named.test(name))
    return names.map((name) => join(folder, name))
  } catch (error) {
    throw new Error(`${folder} cannot be read: ${whyFailed(error)}`, { cause: error })
  }
}
