import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import type { ExportSettings } from '../../src/model/export-settings.ts'
import type { Heartbeat } from '../../src/model/heartbeat.ts'
import { usualRecord } from '../../src/model/record-settings.ts'
import { openExporter } from '../../src/record/export/exporter.ts'
import type { DecisionRecord } from '../../src/record/record.ts'
import { newRecordId } from '../../src/record/record-id.ts'
import { openRecorder } from '../../src/record/recorder.ts'
import { recorded } from './recorded.ts'
import { folderWith } from './workspace.ts'

const soon = { timeout: 120_000, interval: 20 }

export function recordOf(subject: string, more: Partial<DecisionRecord> = {}, atMs = Date.now()): DecisionRecord {
  return {
    id: newRecordId(atMs),
    at: new Date(atMs).toISOString(),
    version: '1.2.3',
    via: 'client',
    agent: 'codex',
    session: 's1',
    event: 'PreToolUse',
    tool: 'shell',
    toolName: 'Bash',
    subject,
    decision: 'allow',
    reason: '',
    determining: [],
    obligations: [],
    contextBytes: 0,
    contextTruncatedBytes: 0,
    durationMs: 2,
    slowest: null,
    rules: 1,
    evaluations: [],
    ...more,
  }
}

/** Creates a record of decisions that is exported. */
export function exported(env: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({})
  chmodSync(folder, 0o700)
  const file = join(folder, 'decisions.db')
  const warnings: string[] = []
  const infos: string[] = []
  const open = () =>
    openExporter(file, env, { warn: (text) => void warnings.push(text), info: (text) => void infos.push(text) })
  let exporter = open()
  async function writeKeeping(days: number, ...records: readonly (DecisionRecord | string)[]): Promise<void> {
    const recorder = openRecorder(file)
    for (const one of records) {
      recorder.count()
      recorder.add(() => (typeof one === 'string' ? recordOf(one) : one), [], { ...usualRecord, days })
    }
    await recorded(() => recorder.status(), records.length)
    await recorder.close()
    expect(recorder.status()).toMatchObject({ written: records.length, lost: 0 })
  }
  onTestFinished(() => exporter.close())
  return {
    folder,
    file,
    warnings,
    infos,
    write: (...records: readonly (DecisionRecord | string)[]) => writeKeeping(usualRecord.days, ...records),
    writeKeeping,
    use: (settings: ExportSettings | undefined) => exporter.use(settings),
    beat: (heartbeat: Heartbeat) => exporter.beat(heartbeat),
    status: () => exporter.status(),
    close: () => exporter.close(),
    async restart(settings: ExportSettings | undefined) {
      await exporter.close()
      exporter = open()
      exporter.use(settings)
    },
    /** Waits until the thread works, so that what is written next is seen by it as new. */
    isRunning: () => vi.waitFor(() => expect(exporter.status().sinks.length).toBeGreaterThan(0), soon),
    lines: (name: string) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as DecisionRecord),
  }
}
