import { counted } from '../../words/counted.ts'
import { errorText } from '../../model/errors.ts'
import type { ExportSettings } from '../../model/export-settings.ts'
import type { Heartbeat } from '../../model/heartbeat.ts'
import { limits } from '../../model/limits.ts'
import type { Environment } from '../../model/node-environment.ts'
import { startThread } from '../own-thread.ts'
import { type Destination, removeCursors } from './rows.ts'
import type { ExportThreadData, FromExportThread, ToExportThread } from './export-thread.ts'
import { proxyVariables } from './post.ts'
import { attributesVariable } from './resource.ts'
import type { SinkState } from './send-rows.ts'

/** Sends the record on while a gate runs, on a thread of its own, which there is only if something is to be sent. */
export interface Exporter {
  /** Applies settings. `undefined`: nothing is sent, now or later, of the time until an export is turned on again. */
  use(settings: ExportSettings | undefined): void
  status(): ExportStatus
  /** True if there is a collector that heartbeats are sent to. */
  takesHeartbeats(): boolean
  /** Sends a heartbeat, and gives up one that has not arrived yet. */
  beat(heartbeat: Heartbeat): void
  /** Sends what can be sent at once, and ends. */
  close(): Promise<void>
}

export interface ExportStatus {
  readonly sinks: readonly SinkState[]
  /** The reason why nothing is sent although the settings ask for it. */
  readonly problem?: string
}

/** Reports on an export that begins to fail, or works again. */
interface ExportLog {
  warn(text: string): void
  info(text: string): void
}

/**
 * @param file the database of decisions
 * @param env the variables that headers may name
 */
export function openExporter(file: string, env: Environment, log: ExportLog): Exporter {
  let current = ''
  /** The first settings are those of the start, although it takes a while to read them. */
  let sinceMs = Date.now()
  let isOpen = true
  let hasCollector = false
  let newest: Heartbeat | undefined
  let thread: ExportThread | undefined
  /** One thread ends before the next begins. */
  let changing: Promise<void> = Promise.resolve()

  async function change(settings: ExportSettings | undefined, fromMs: number): Promise<void> {
    await thread?.end()
    thread =
      settings && isOpen
        ? exportThread({ file, settings, env: namedIn(settings, env), sinceMs: fromMs, heartbeat: newest }, log)
        : undefined
    if (settings !== undefined) return
    try {
      removeCursors(file)
    } catch (error) {
      log.warn(`the position of the export cannot be removed: ${errorText(error)}`)
    }
  }

  return {
    use(settings) {
      const wanted = JSON.stringify(settings ?? null)
      if (wanted === current || !isOpen) return
      if (current !== '') sinceMs = Date.now()
      current = wanted
      hasCollector = settings?.otlp !== undefined
      const fromMs = sinceMs
      changing = changing.then(() => change(settings, fromMs))
    },
    status: () => thread?.status() ?? { sinks: [] },
    takesHeartbeats: () => hasCollector,
    beat(heartbeat) {
      newest = heartbeat
      thread?.beat(heartbeat)
    },
    async close() {
      isOpen = false
      await changing
      await thread?.end()
    },
  }
}

/** Returns the variables that the thread may read. Others of the SDK would change what it does. */
function namedIn({ otlp, hashKey }: ExportSettings, env: Environment): Record<string, string> {
  const places = [...Object.values(otlp?.headers ?? {}), otlp?.proxy, hashKey]
  const names = places.flatMap((one) => (typeof one === 'object' && 'env' in one ? [one.env] : []))
  return Object.fromEntries(
    [...names, ...proxyVariables, attributesVariable].flatMap((name) => {
      const value = env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

interface ExportThread {
  beat(heartbeat: Heartbeat): void
  status(): ExportStatus
  end(): Promise<void>
}

function exportThread(workerData: ExportThreadData, log: ExportLog): ExportThread {
  const sinks = new Map<Destination, SinkState>()
  let problem: string | undefined
  let isEnding = false

  function fail(why: string): void {
    if (isEnding || problem !== undefined) return
    problem = why
    log.warn(`the record is not exported: ${why}`)
  }

  function note(state: SinkState): void {
    const before = sinks.get(state.name)
    sinks.set(state.name, state)
    for (const line of changesBetween(before, state)) log.warn(line)
    if (before?.problem !== undefined && state.problem === undefined)
      log.info(`the export of ${state.name} works again`)
  }

  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const thread = startThread<{ from: FromExportThread; to: ToExportThread }>(
    // It holds one batch for each destination, and the SDK.
    { entry: 'record/export/export-thread', name: 'hookgate-export', workerData, heapMb: [4, 96] },
    (message) => {
      switch (message.kind) {
        case 'state':
          note(message.state)
          break
        case 'failed':
          fail(message.why)
          break
        case 'warning':
          log.warn(`the export: ${message.why}`)
          break
        case 'ended':
          resolve()
          break
      }
    },
    (why = 'its thread has ended') => {
      fail(why)
      resolve()
    },
  )

  return {
    beat: (heartbeat) => thread.post({ kind: 'heartbeat', heartbeat }),
    status: () => ({ sinks: [...sinks.values()], ...(problem !== undefined && { problem }) }),
    async end() {
      isEnding = true
      thread.hold()
      thread.post({ kind: 'end' })
      const late = new Promise<void>((done) => setTimeout(done, limits.exportCloseMs + graceMs).unref())
      await Promise.race([ended, late])
      await thread.terminate()
    },
  }
}

/** The time that a thread has to end after it has aborted its requests. */
const graceMs = 500

/** Returns the changes to report: the first of consecutive failures, and rows that will never arrive. */
function changesBetween(before: SinkState | undefined, { name, problem, refused, removed }: SinkState): string[] {
  const dropped = refused - (before?.refused ?? refused)
  const gone = removed - (before?.removed ?? removed)
  return [
    ...(problem !== undefined && before?.problem === undefined
      ? [`the export of ${name} fails, and is tried again: ${problem}`]
      : []),
    ...(dropped > 0
      ? [`the export of ${name}: ${counted(dropped, 'decision was', 'decisions were')} refused, and left out`]
      : []),
    ...(gone > 0
      ? [
          `the export of ${name}: ${counted(gone, 'decision was', 'decisions were')} removed from the record before being sent`,
        ]
      : []),
  ]
}
