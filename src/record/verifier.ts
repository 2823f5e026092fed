import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { entryFile } from '../files/program-files.ts'
import { errorText } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { lastVerification } from './verification.ts'
import type { FromVerifyThread, VerifyThreadData } from './verify-thread.ts'

/** Verifies the record's chain once a day while a gate runs, on a thread of its own. */
export interface Verifier {
  /** Starts it if it is time. */
  look(nowMs?: number): void
  close(): Promise<void>
}

/**
 * @param file the database of decisions
 * @param warn reports what is wrong with the record
 */
export function openVerifier(file: string, warn: (text: string) => void): Verifier {
  let nextAtMs = 0
  let worker: Worker | undefined

  function start(): void {
    const workerData: VerifyThreadData = { file }
    try {
      worker = new Worker(entryFile('record/verify-thread'), {
        workerData,
        name: 'hookgate-verify',
        env: {},
        // It holds one row at a time.
        resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 },
      })
    } catch (error) {
      return warn(`the record cannot be verified: no thread can be started: ${errorText(error)}`)
    }
    worker.on('message', (problem: FromVerifyThread) => problem !== null && warn(problem))
    worker.on('error', (error) => warn(`the record cannot be verified: ${errorText(error)}`))
    worker.on('exit', () => (worker = undefined))
    worker.unref()
  }

  return {
    look(nowMs = Date.now()) {
      if (nowMs < nextAtMs || worker !== undefined || !existsSync(file)) return
      const { at } = lastVerification(file) ?? {}
      const sinceMs = at === undefined ? Infinity : Math.abs(nowMs - Date.parse(at))
      // Also after a failure: what fails now would fail again in a moment.
      nextAtMs = nowMs + limits.recordVerifyMs - (sinceMs < limits.recordVerifyMs ? sinceMs : 0)
      if (sinceMs >= limits.recordVerifyMs) start()
    },
    async close() {
      nextAtMs = Infinity
      await worker?.terminate()
    },
  }
}
