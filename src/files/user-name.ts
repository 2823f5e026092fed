import { userInfo } from 'node:os'
import { limits } from '../model/limits.ts'

/** Returns the name of the person at this machine; `undefined` for one without an entry in the system's list. */
export function userName(): string | undefined {
  try {
    return userInfo().username.slice(0, limits.approvalNameCharactersMax)
  } catch {
    return undefined
  }
}
