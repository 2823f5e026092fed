import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../files/make-folders.ts'
import { replaceFile } from '../files/replace-file.ts'
import type { EventName, HookEvent } from '../model/event.ts'
import { limits } from '../model/limits.ts'
import type { Verdict } from '../model/verdict.ts'

/** Counts for each session how often in a row the end of a turn was refused. */
export interface StopRefusals {
  /**
   * Returns the verdict on the end of a turn. After too many refusals in a row it lets the agent stop, with a notice: Codex,
   * Gemini CLI and droid would run on for ever. A person's next prompt begins a new count.
   */
  readonly settle: (event: HookEvent, verdict: Verdict) => Verdict
}

/** Storage of the counts between events. */
interface Counts {
  readonly read: (session: string) => number
  /** @returns whether the count survives until the next event is decided */
  readonly write: (session: string, count: number) => boolean
}

/** @param folder in which successive and concurrent gates share the counts. Default: in memory */
export function openStopRefusals(folder?: string): StopRefusals {
  const counts = folder === undefined ? inMemory() : inFiles(folder)
  return {
    settle(event, verdict) {
      if (event.name === 'UserPromptSubmit') {
        // Qwen Code sends an empty one after every batch of tools.
        if (event.prompt !== '') for (const name of endsTurn) counts.write(keyOf({ ...event, name }), 0)
        return verdict
      }
      if (!endsTurn.has(event.name)) return verdict
      const key = keyOf(event)
      const before = counts.read(key)
      if (verdict.decision !== 'deny') {
        if (before > 0) counts.write(key, 0)
        return verdict
      }
      if (before < limits.stopRefusalsMax) {
        const isKept = counts.write(key, before + 1)
        // A count that cannot be kept would never reach the limit; then the flag in the event decides.
        return isKept || before > 0 || !isRefusedBefore(event) ? verdict : letGo(verdict, 'again and again')
      }
      counts.write(key, 0)
      return letGo(verdict, `${limits.stopRefusalsMax} times in a row`)
    },
  }
}

const endsTurn: ReadonlySet<EventName> = new Set<EventName>(['Stop', 'SubagentStop'])

/** Hashes the ids, which may be of any length. A sub-agent's end does not always name its session. */
const keyOf = ({ agent, session, name }: HookEvent) =>
  createHash('sha256')
    .update(JSON.stringify([agent, session.id, session.agentId ?? '', name]))
    .digest('hex')
    .slice(0, 32)

/** Reads the event's own field: Claude Code's `stop_hook_active`, which other agents have adopted, or Cursor's count. */
const isRefusedBefore = ({ raw }: HookEvent) => raw['stop_hook_active'] === true || Number(raw['loop_count']) > 0

function letGo(verdict: Verdict, often: string): Verdict {
  const why = `the end of the turn was refused ${often}, and will not be refused again: ${verdict.reason}`
  return Object.freeze({
    ...verdict,
    decision: 'abstain',
    cancel: false,
    reason: '',
    determining: [],
    notices: [...verdict.notices, why],
  })
}

function inMemory(): Counts {
  const counts = new Map<string, number>()
  return {
    read: (session) => counts.get(session) ?? 0,
    write(session, count) {
      counts.delete(session)
      if (count === 0) return true
      const [oldest] = counts.keys()
      if (counts.size >= limits.stopSessionsMax && oldest !== undefined) counts.delete(oldest)
      counts.set(session, count)
      return true
    },
  }
}

/** Keeps a file for each session whose turn was refused its end. On a full disk, the count stays in memory. */
function inFiles(folder: string): Counts {
  const unwritten = inMemory()
  const fileOf = (session: string) => join(folder, session)
  return {
    read(session) {
      try {
        const count = Number(readFileSync(fileOf(session), 'utf8'))
        const isCount = Number.isSafeInteger(count) && count > 0
        return Math.max(isCount ? count : 0, unwritten.read(session))
      } catch {
        return unwritten.read(session)
      }
    },
    write(session, count) {
      try {
        if (count === 0) rmSync(fileOf(session), { force: true })
        else writeCount(folder, fileOf(session), count)
        unwritten.write(session, 0)
        return true
      } catch {
        unwritten.write(session, count)
        return false
      }
    },
  }
}

function writeCount(folder: string, file: string, count: number): void {
  makeFolders(folder, 0o700)
  removeOld(folder)
  replaceFile(file, Buffer.from(String(count)), { flush: false })
}

/** Removes the files of sessions that ended while they were being refused. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder).slice(0, limits.stopSessionsMax)) {
    const file = join(folder, name)
    try {
      if (Date.now() - statSync(file).mtimeMs > limits.stopSessionMsMax) rmSync(file)
    } catch {
      // Another gate has removed it in the meantime, or it is not a file of hookgate's.
    }
  }
}
