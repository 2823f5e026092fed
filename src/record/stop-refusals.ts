import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventName, HookEvent } from '../model/event.ts'
import { limits } from '../model/limits.ts'
import type { Verdict } from '../model/verdict.ts'

/** How often in a row the end of a turn was refused, session by session. */
export interface StopRefusals {
  /**
   * The verdict on the end of a turn, or, where refusing it once more would make it one refusal too many, one that lets the
   * agent go and says so: Codex, Gemini CLI and droid would run on for ever. A person's next prompt begins a new count.
   */
  readonly settle: (event: HookEvent, verdict: Verdict) => Verdict
}

/** Where counts are kept from one event to the next. */
interface Counts {
  readonly read: (session: string) => number
  readonly write: (session: string, count: number) => void
}

/** @param folder for a gate that decides one event and is gone; made where it is missing. Default: in memory */
export function openStopRefusals(folder?: string): StopRefusals {
  const counts = folder === undefined ? inMemory() : inFiles(folder)
  return {
    settle(event, verdict) {
      if (event.name === 'UserPromptSubmit') {
        // Qwen Code sends an empty one after every batch of tools.
        if (event.prompt !== '') counts.write(keyOf(event), 0)
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
        counts.write(key, before + 1)
        return verdict
      }
      counts.write(key, 0)
      return letGo(verdict)
    },
  }
}

const endsTurn: ReadonlySet<EventName> = new Set<EventName>(['Stop', 'SubagentStop'])

const keyOf = ({ agent, session }: HookEvent) => JSON.stringify([agent, session.id, session.agentId ?? ''])

function letGo(verdict: Verdict): Verdict {
  const why = `the end of the turn was refused ${limits.stopRefusalsMax} times in a row, and is not refused again: ${verdict.reason}`
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
      if (count === 0) return
      const [oldest] = counts.keys()
      if (counts.size >= limits.stopSessionsMax && oldest !== undefined) counts.delete(oldest)
      counts.set(session, count)
    },
  }
}

/** A file for each session whose turn was kept from ending. What cannot be kept is not counted. */
function inFiles(folder: string): Counts {
  const fileOf = (session: string) => join(folder, createHash('sha256').update(session).digest('hex').slice(0, 32))
  return {
    read(session) {
      try {
        const count = Number(readFileSync(fileOf(session), 'utf8'))
        return Number.isSafeInteger(count) && count > 0 ? count : 0
      } catch {
        return 0
      }
    },
    write(session, count) {
      const file = fileOf(session)
      try {
        if (count === 0) return rmSync(file, { force: true })
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        removeOld(folder)
        const draft = `${file}.${process.pid}`
        writeFileSync(draft, String(count), { mode: 0o600 })
        renameSync(draft, file)
      } catch {
        // A full disk keeps nobody from being refused.
      }
    },
  }
}

/** What is left of sessions that have ended while they were refused. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder).slice(0, limits.stopSessionsMax)) {
    const file = join(folder, name)
    if (Date.now() - statSync(file).mtimeMs > limits.stopSessionMsMax) rmSync(file, { force: true })
  }
}
