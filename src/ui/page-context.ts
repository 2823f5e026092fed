import type { LatestReader } from '../record/latest-reader.ts'
import type { GatePaths } from '../files/state/places.ts'
import type { InstallContext } from '../install/index.ts'

/** Everything that the routes of the page need. */
export interface PageContext {
  readonly places: GatePaths
  readonly version: string
  /** The folder in which `hookgate ui` was started: the project that the page shows first. Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The record, as it is now. */
  readonly record: LatestReader
  /** Returns what looking at agents and changing something needs, for a project. @throws HookgateError `usage` without a home folder */
  readonly installingIn: (project: string) => InstallContext
}
