import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { bundlesFolder, pollStateIn } from '../../bundle/machine/poll-state.ts'
import { type Lock, tryLock } from '../../files/lock.ts'
import { errorText } from '../../model/errors.ts'
import type { ExportSettings } from '../../model/export-settings.ts'
import { limits } from '../../model/limits.ts'
import { type Destination, openCursors } from './cursors.ts'
import { jsonLines } from './json-lines.ts'
import { type ExportReader, openExportReader } from './rows.ts'
import { sendRows, type ExportSink, type SinkState } from './send-rows.ts'

/** Data for the thread's start. */
export interface ExportThreadData {
  /** The database of decisions. */
  readonly file: string
  readonly settings: ExportSettings
  /** The variables that headers name. */
  readonly env: Readonly<Record<string, string>>
  /** When the export was asked for, ms since the epoch. */
  readonly sinceMs: number
}

export type FromExportThread =
  | { readonly kind: 'state'; readonly state: SinkState }
  /** It could not begin. */
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'ended' }

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- exporter.ts starts it, with a value of this type
const { file, settings, env, sinceMs } = workerData as ExportThreadData
const ending = new AbortController()
const aborted = new AbortController()

/** The only message is that the process ends. */
parentPort?.on('message', () => {
  ending.abort()
  setTimeout(() => aborted.abort(), limits.exportCloseMs).unref()
})

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
const post = (message: FromExportThread) => parentPort?.postMessage(message)

/** The thread that sends the record on: the network and the disk keep it waiting, in place of the gate. */
async function runExport(): Promise<void> {
  const lock = await lockOfExport()
  if (lock === undefined) return
  const reader = openExportReader(file, settings.what ?? 'all', { from: settings.from ?? 'now', sinceMs })
  try {
    const cursors = openCursors(file, destinationsOf(settings))
    const states = new Map<Destination, SinkState>(
      destinationsOf(settings).map((name) => {
        const { sent = 0, refused = 0, removed = 0 } = cursors.get(name) ?? {}
        return [name, { name, sent, refused, removed }]
      }),
    )
    const report = (state: SinkState) => {
      states.set(state.name, state)
      post({ kind: 'state', state })
    }
    for (const state of states.values()) report(state)
    const context = { reader, cursors, report, ending: ending.signal, aborted: aborted.signal }
    const sinks = await sinksOf(reader, () => [...states.values()])
    await Promise.all(sinks.map((sink) => sendRows(sink, context)))
  } finally {
    reader.close()
    lock.release()
  }
}

/** Waits until no other gate exports. */
async function lockOfExport(): Promise<Lock | undefined> {
  while (!ending.signal.aborted) {
    const lock = tryLock(join(dirname(file), 'export.lock'))
    if (lock !== undefined) return lock
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    await sleep(limits.exportLockLookMs, undefined, { signal: ending.signal }).catch(() => {})
  }
  return undefined
}

function destinationsOf({ otlp, file: lines }: ExportSettings): readonly Destination[] {
  return [
    ...(otlp !== undefined && otlp.logs !== false ? (['logs'] as const) : []),
    ...(otlp !== undefined && otlp.metrics !== false ? (['metrics'] as const) : []),
    ...(lines === undefined ? [] : (['file'] as const)),
  ]
}

const lastLook = () => pollStateIn(bundlesFolder(dirname(file)))

async function sinksOf(reader: ExportReader, states: () => readonly SinkState[]): Promise<readonly ExportSink[]> {
  const { otlp, file: lines } = settings
  const ofLines = lines === undefined ? [] : [jsonLines(lines)]
  if (otlp === undefined) return ofLines
  // Loaded late: a file needs no SDK.
  const { otlpSinks } = await import('./otlp.ts')
  const elsewhere = { lostDecisions: () => reader.lostDecisions(), states, bundle: lastLook }
  return [...otlpSinks(otlp, env, elsewhere), ...ofLines]
}

try {
  await runExport()
} catch (error) {
  post({ kind: 'failed', why: errorText(error) })
}
post({ kind: 'ended' })
parentPort?.close()
