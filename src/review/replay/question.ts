import type { KnownAgent } from '../../agents/registry.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { HookgateError } from '../../model/errors.ts'

/** Which past calls are decided, and by which rules. Relative paths are those of the process. */
export interface ReplayQuestion {
  /** Session files and folders; none: those of all agents. */
  readonly sources: readonly string[]
  readonly from: 'sessions' | 'record' | 'stdin'
  readonly agents: readonly KnownAgent[] | undefined
  readonly sinceMs: number
  readonly untilMs: number
  /** Absolute. */
  readonly project: string | undefined
  /** `undefined`: the rules in force. */
  readonly rules: readonly string[] | undefined
  /** A preset in their place. */
  readonly preset: string | undefined
  readonly against: readonly string[] | undefined
  readonly againstGit: string | undefined
  /** Compare with the rules in force. */
  readonly againstCurrent: boolean
  readonly runHooks: boolean
  /** How many findings are shown. */
  readonly limit: number
}

/** Where a replay looks for what its question does not name. */
export interface ReplaySite {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly places: GatePaths
  /** Opens stdin, for a question from there. */
  readonly openStdin?: () => AsyncIterable<Uint8Array>
}

/** Checks that the sets of rules go together. @throws HookgateError `usage` */
export function checkRules({ rules, preset, againstGit, againstCurrent }: ReplayQuestion): void {
  if (preset !== undefined && rules !== undefined) throw wrong('--preset and --rules exclude each other')
  if (preset !== undefined && againstGit !== undefined) {
    throw wrong('--preset and --against-git exclude each other: a preset is in no repository')
  }
  if (againstCurrent && preset === undefined && rules === undefined) {
    throw wrong('--against-current needs --rules or --preset: the rules in force are what it compares with')
  }
}

const wrong = (message: string) => new HookgateError('usage', message, { remedy: 'see `hookgate replay --help`' })
