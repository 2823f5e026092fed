import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { bundlesFolder, pollStateIn } from '../../bundle/machine/poll-state.ts'
import { type Lock, tryLock } from '../../files/lock.ts'
import { secretValue } from '../../files/header-values.ts'
import { makePrivate, readPrivate } from '../../files/private-folder.ts'
import { errorText } from '../../model/errors.ts'
import type { ExportSettings } from '../../model/export-settings.ts'
import type { Heartbeat } from '../../model/heartbeat.ts'
import { limits } from '../../model/limits.ts'
import { machineState, attributesVariable, ownAccount, resourceAttributes } from './resource.ts'
import type { Collector } from './otlp.ts'
import { openRedactor, type Redactor } from './redact.ts'
import {
  type Destination,
  type ExportReader,
  type ExportRow,
  openCursors,
  openExportReader,
  type RecordEnds,
} from './rows.ts'
import {
  openHeartbeatBox,
  sendHeartbeats,
  type SendResult,
  sendRows,
  type SinkState,
  type ExportSink,
} from './send-rows.ts'
import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'

/** How often a gate looks whether another one, which is ending, has stopped exporting. */
const exportLockLookMs = 1000

/** Data for the thread's start. */
export interface ExportThreadData {
  /** The database of decisions. */
  readonly file: string
  readonly settings: ExportSettings
  /** The variables that headers name. */
  readonly env: Readonly<Record<string, string>>
  /** The time when the export was turned on, ms since the epoch. */
  readonly sinceMs: number
  /** The newest heartbeat, which an earlier thread may not have sent. */
  readonly heartbeat?: Heartbeat | undefined
}

export type ToExportThread =
  | { readonly kind: 'heartbeat'; readonly heartbeat: Heartbeat }
  /** The process ends. */
  | { readonly kind: 'end' }

export type FromExportThread =
  | { readonly kind: 'state'; readonly state: SinkState }
  /** The export could not begin. */
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'warning'; readonly why: string }
  | { readonly kind: 'ended' }

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- exporter.ts starts it, with a value of this type
const { file, settings, env, sinceMs, heartbeat } = workerData as ExportThreadData
const ending = new AbortController()
const aborted = new AbortController()
const newline = Buffer.from('\n')

const heartbeats = openHeartbeatBox()
if (heartbeat !== undefined) heartbeats.put(heartbeat)

parentPort?.on('message', (message: ToExportThread) => {
  switch (message.kind) {
    case 'heartbeat':
      heartbeats.put(message.heartbeat)
      break
    case 'end':
      ending.abort()
      setTimeout(() => aborted.abort(), limits.exportCloseMs).unref()
      break
  }
})

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
const post = (message: FromExportThread) => parentPort?.postMessage(message)
const warn = (why: string) => post({ kind: 'warning', why })

/** The thread that sends the record on: the network and the disk keep it waiting, in place of the gate. */
async function runExport(): Promise<void> {
  const lock = await lockOfExport()
  if (lock === undefined) return
  const redactor = openRedactor({ fields: settings.fields ?? {}, key: hashKey(), account: ownAccount() })
  const stored = openExportReader(file, settings.what ?? 'all', { from: settings.from ?? 'now', sinceMs })
  const reader = redacted(stored, redactor)
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
    const collector = await collectorOf(reader, redactor, () => [...states.values()])
    const lines = settings.file === undefined ? [] : [jsonLines(settings.file)]
    const beats = { warn, ending: ending.signal, aborted: aborted.signal }
    const send = async (beat: Heartbeat, signal: AbortSignal): Promise<SendResult> => {
      const state = machineState(beat, endsOf(reader), lastLook(), redactor)
      return collector === undefined ? { kind: 'sent', refused: 0 } : collector.beat(state, signal)
    }
    await Promise.all([
      ...[...(collector?.sinks ?? []), ...lines].map((sink) => sendRows(sink, context)),
      sendHeartbeats(heartbeats, { ...beats, send }),
    ])
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
    await sleep(exportLockLookMs, undefined, { signal: ending.signal }).catch(() => {})
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

/** Returns the key of the hashes: the one that the settings name, else one that this machine makes and keeps. */
function hashKey(): string {
  const { fields = {}, hashKey: place } = settings
  if (!Object.values(fields).includes('hash')) return ''
  if (place !== undefined) {
    const key = secretValue(place, env)
    if (key.length >= keyCharactersMin) return key
    throw new Error(`\`hashKey\`: the key has fewer than ${keyCharactersMin} characters`)
  }
  const own = join(dirname(file), 'export.key')
  makePrivate(own, randomBytes(32).toString('hex'))
  return readPrivate(own) ?? ''
}

/** A shorter key could be found by trying all. */
const keyCharactersMin = 16

/** Returns a reader whose rows have only the texts that may be sent. */
const redacted = (reader: ExportReader, redactor: Redactor): ExportReader => ({
  ...reader,
  next(cursor, rowsMax) {
    const batch = reader.next(cursor, rowsMax)
    return batch && { ...batch, rows: batch.rows.map((row) => redactedRow(row, redactor)) }
  },
})

function redactedRow(row: ExportRow, redactor: Redactor): ExportRow {
  const record = redactor.record(row.record)
  return record === row.record ? row : { ...row, record, text: JSON.stringify(record) }
}

/** Loaded late: a file needs no SDK. */
async function collectorOf(
  reader: ExportReader,
  redactor: Redactor,
  states: () => readonly SinkState[],
): Promise<Collector | undefined> {
  const { otlp, resource = {} } = settings
  if (otlp === undefined) return undefined
  const { openCollector } = await import('./otlp.ts')
  const added = { setting: resource, variable: env[attributesVariable] }
  const attributes = resourceAttributes(file, redactor, added, warn)
  return openCollector(otlp, env, attributes, { lostDecisions: () => reader.lostDecisions(), states, bundle: lastLook })
}

/** A record that cannot be read is reported where rows are sent. */
function endsOf(reader: ExportReader): RecordEnds | undefined {
  try {
    return reader.ends()
  } catch {
    return undefined
  }
}

try {
  await runExport()
} catch (error) {
  post({ kind: 'failed', why: errorText(error) })
}
post({ kind: 'ended' })
parentPort?.close()

/** Appends each record to a file, as one line of JSON. */
function jsonLines(path: string): ExportSink {
  return {
    name: 'file',
    everyMs: limits.exportPollMs,
    async send(rows) {
      return appendLines(path, Buffer.from(rows.map(({ text }) => `${text}\n`).join('')))
    },
  }
}

/** Opens the file anew each time, since it may have been moved away in the meantime. */
function appendLines(path: string, lines: Buffer): SendResult {
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    // Non-blocking: opening a named pipe in the file's place would otherwise hang.
    const descriptor = openSync(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0o600)
    try {
      const stats = fstatSync(descriptor)
      if (!stats.isFile()) return { kind: 'retry', why: `${path} is not a file` }
      try {
        writeWholly(descriptor, endsInLine(descriptor, stats.size) ? lines : Buffer.concat([newline, lines]))
        fdatasyncSync(descriptor)
        return { kind: 'sent', refused: 0 }
      } catch (error) {
        // The disk is full: without a part of a line, which a reader could not parse.
        ftruncateSync(descriptor, stats.size)
        throw error
      }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return { kind: 'retry', why: errorText(error) }
  }
}

/** Returns false if the last line was cut off, by a kill or a power failure. */
function endsInLine(descriptor: number, size: number): boolean {
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(descriptor, last, 0, 1, size - 1)
  return last.equals(newline)
}

function writeWholly(descriptor: number, bytes: Buffer): void {
  let written = 0
  while (written < bytes.length) written += writeSync(descriptor, bytes, written)
}
