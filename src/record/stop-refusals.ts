import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../files/make-folders.ts'
import { replaceFile } from '../files/replace-file.ts'
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
  /** @returns whether whoever decides the next event will read it */
  readonly write: (session: string, count: number) => boolean
}

/** @param folder where gates that come after each other, or stand beside each other, share it. Default: in memory */
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
        // Nobody would ever come to the last one.
        return isKept || before > 0 || !isRefusedBefore(event) ? verdict : letGo(verdict, 'again and again')
      }
      counts.write(key, 0)
      return letGo(verdict, `${limits.stopRefusalsMax} times in a row`)
    },
  }
}

const endsTurn: ReadonlySet<EventName> = new Set<EventName>(['Stop', 'SubagentStop'])

/** Of one length, for an id is as long as its sender likes. A sub-agent's end does not always tell whose it is. */
const keyOf = ({ agent, session, name }: HookEvent) =>
  createHash('sha256')
    .update(JSON.stringify([agent, session.id, session.agentId ?? '', name]))
    .digest('hex')
    .slice(0, 32)

/** As the event itself says: Claude Code's field, which others have taken over, and Cursor's count. */
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

/** A file for each session whose turn was kept from ending. On a full disk, this gate at least remembers it. */
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

/** What is left of sessions that have ended while they were refused. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder).slice(0, limits.stopSessionsMax)) {
    const file = join(folder, name)
    try {
      if (Date.now() - statSync(file).mtimeMs > limits.stopSessionMsMax) rmSync(file)
    } catch {
      // Another gate has removed it in the meantime, or it is none of ours.
    }
  }
}
