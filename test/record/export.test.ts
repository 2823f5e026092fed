import { appendFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { accept, attribute, logsIn, replyWith, startCollector } from '../support/collector.ts'
import { exported, recordOf } from '../support/exported.ts'
import { folderWith } from '../support/workspace.ts'

const soon = { timeout: 120_000, interval: 20 }

const subjects = (logs: readonly { attributes: never[] }[] | ReturnType<typeof logsIn>) =>
  logs.map((log) => attribute(log, 'hookgate.subject'))
const named = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `call ${from + index}`)

describe('a collector', () => {
  it('gets each decision from now on once, in order, as a log record with its attributes', async () => {
    const collector = await startCollector()
    const record = exported()
    await record.write(recordOf('before', {}, Date.now() - 60_000))
    record.use({ otlp: { url: `${collector.url}/`, metrics: false } })
    await record.isRunning()
    await record.write(...named(1300))
    await record.write(recordOf('rm -rf /', { decision: 'deny', reason: 'no', determining: ['a'], refusal: 'abc234' }))
    await vi.waitFor(() => expect(collector.logs()).toHaveLength(1301), soon)
    expect(subjects(collector.logs())).toEqual([...named(1300), 'rm -rf /'])
    expect(collector.requests.every(({ path }) => path === '/v1/logs')).toBe(true)
    expect(Math.max(...collector.requests.map((one) => logsIn(one).length))).toBeLessThanOrEqual(512)
    const last = collector.logs().at(-1)
    expect(last).toMatchObject({ severityText: 'WARN', eventName: 'hookgate.decision' })
    const shown = Object.fromEntries((last?.attributes ?? []).map(({ key, value }) => [key, value.stringValue]))
    expect(shown).toMatchObject({
      'gen_ai.agent.name': 'codex',
      'gen_ai.tool.name': 'Bash',
      'session.id': 's1',
      'hookgate.decision': 'deny',
      'hookgate.refusal.id': 'abc234',
      'log.record.uid': expect.stringMatching(/^[0-9a-z]{16}$/) as unknown,
    })
    expect(collector.requests[0]?.text).toContain('"service.name"')
  })

  it('gets the whole record if it is asked for from the start, and only decisions with an opinion if so asked', async () => {
    const collector = await startCollector()
    const record = exported()
    await record.write('old', recordOf('refused', { decision: 'deny' }))
    record.use({ otlp: { url: collector.url, metrics: false }, from: 'start', what: 'decisions' })
    await vi.waitFor(() => expect(subjects(collector.logs())).toEqual(['refused']), soon)
  })

  it('gets all that came while it was away, and the log says once that it is, and that it is back', async () => {
    const away = await startCollector()
    await away.close()
    const record = exported()
    record.use({ otlp: { url: away.url, metrics: false } })
    await record.isRunning()
    await record.write('a', 'b')
    await vi.waitFor(() => expect(record.warnings).toHaveLength(1), soon)
    await record.write('c')
    const collector = await startCollector(accept, away.port)
    await vi.waitFor(() => expect(subjects(collector.logs())).toEqual(['a', 'b', 'c']), soon)
    await vi.waitFor(() => expect(record.infos).toEqual(['the export of logs works again']), soon)
    expect(record.warnings).toEqual([expect.stringContaining('is tried again')])
  })

  it('that is busy gets the same rows again, not before it wants them', async () => {
    const collector = await startCollector(replyWith(429, { 'retry-after': '2' }))
    const record = exported()
    record.use({ otlp: { url: collector.url, metrics: false } })
    await record.isRunning()
    await record.write('a')
    await vi.waitFor(() => expect(collector.requests).toHaveLength(1), soon)
    const refusedAtMs = performance.now()
    collector.answerWith(accept)
    await vi.waitFor(() => expect(collector.logs()).toHaveLength(1), soon)
    expect(performance.now() - refusedAtMs).toBeGreaterThan(1900)
    await vi.waitFor(() => expect(record.status().sinks).toMatchObject([{ name: 'logs', sent: 1, refused: 0 }]), soon)
  })

  it('that never accepts one row gets all others, and the one is counted', async () => {
    const collector = await startCollector((response, request) =>
      (request.text.includes('poison') ? replyWith(400, {}, 'bad row') : accept)(response, request),
    )
    const record = exported()
    record.use({ otlp: { url: collector.url, metrics: false } })
    await record.isRunning()
    await record.write(...named(10), 'poison', ...named(10, 10))
    await vi.waitFor(() => expect(collector.logs()).toHaveLength(20), soon)
    expect(subjects(collector.logs())).toEqual(named(20))
    await vi.waitFor(() => expect(record.status().sinks).toMatchObject([{ sent: 20, refused: 1 }]), soon)
    expect(record.warnings).toEqual(['the export of logs: 1 decision was refused, and left out'])
  })

  it('is not followed to another place, which would get the headers', async () => {
    const other = await startCollector()
    const collector = await startCollector(replyWith(307, { location: `${other.url}/v1/logs` }))
    const record = exported()
    record.use({ otlp: { url: collector.url, metrics: false, headers: { 'x-key': 'secret-value' } } })
    await record.isRunning()
    await record.write('a')
    await vi.waitFor(() => expect(record.warnings).toEqual([expect.stringContaining('redirects (307)')]), soon)
    expect(other.requests).toEqual([])
  })

  it('gets headers whose values are in the environment or a file, and no message quotes them', async () => {
    const collector = await startCollector((response, { headers }) =>
      replyWith(401, {}, `wrong key: ${headers.authorization}`)(response, { headers, path: '', text: '' }),
    )
    const record = exported({ KEY: 'Bearer from-env-123', UNNAMED: 'x' })
    writeFileSync(join(record.folder, 'key'), 'from-file-456\n')
    const headers = { authorization: { env: 'KEY' }, 'x-key': { file: join(record.folder, 'key') } }
    record.use({ otlp: { url: collector.url, metrics: false, headers } })
    await record.isRunning()
    await record.write('a')
    await vi.waitFor(
      () => expect(record.warnings).toEqual([expect.stringContaining('401: wrong key: Bearer ***')]),
      soon,
    )
    collector.answerWith(accept)
    await vi.waitFor(() => expect(collector.logs()).toHaveLength(1), soon)
    expect(collector.requests.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer from-env-123',
      'x-key': 'from-file-456',
    })
    // Those of the settings, and what HTTP needs: `fetch` would send five more.
    expect(Object.keys(collector.requests.at(-1)?.headers ?? {}).toSorted()).toEqual([
      'authorization',
      'connection',
      'content-encoding',
      'content-length',
      'content-type',
      'host',
      'x-key',
    ])
  })

  it('gets nothing while a header is missing, and the log says which', async () => {
    const collector = await startCollector()
    const record = exported()
    record.use({ otlp: { url: collector.url, metrics: false, headers: { authorization: { env: 'KEY' } } } })
    await record.isRunning()
    await record.write('a')
    await vi.waitFor(() => expect(record.warnings).toEqual([expect.stringContaining('no variable `KEY`')]), soon)
    expect(collector.requests).toEqual([])
  })

  it('gets sums since the start of the exporter, which go on after a failure', async () => {
    const collector = await startCollector(replyWith(503))
    const record = exported()
    record.use({ otlp: { url: collector.url, logs: false }, from: 'start' })
    await record.write('a', recordOf('b', { decision: 'deny' }))
    await vi.waitFor(() => expect(collector.requests).not.toEqual([]), soon)
    await record.write('c')
    collector.answerWith(accept)
    await vi.waitFor(() => expect(collector.metric('hookgate.decisions')).toBeDefined(), soon)
    const points = collector.metric('hookgate.decisions')?.sum?.dataPoints ?? []
    expect(points.map((point) => [attribute(point, 'hookgate.decision'), point.asDouble])).toEqual([
      ['allow', 2],
      ['deny', 1],
    ])
    expect(collector.metric('hookgate.decision.duration')?.histogram?.dataPoints[0]).toMatchObject({ count: 3 })
  })
})

describe('an export', () => {
  it('goes on where it was after the process has ended, with what was written in the meantime', async () => {
    const collector = await startCollector()
    const record = exported()
    const settings = { otlp: { url: collector.url, metrics: false } }
    record.use(settings)
    await record.isRunning()
    await record.write('a')
    await record.close()
    await record.write('b')
    await record.restart(settings)
    await record.write('c')
    await vi.waitFor(() => expect(subjects(collector.logs())).toEqual(['a', 'b', 'c']), soon)
  })

  it('that was off begins anew: what was recorded in between is not sent', async () => {
    const collector = await startCollector()
    const record = exported()
    const settings = { otlp: { url: collector.url, metrics: false } }
    record.use(settings)
    await record.isRunning()
    await record.restart(undefined)
    await record.write(recordOf('private', {}, Date.now() - 1))
    await record.restart(settings)
    await record.isRunning()
    await record.write('c')
    await vi.waitFor(() => expect(subjects(collector.logs())).toEqual(['c']), soon)
  })

  it('counts what retention removed before it could be sent', async () => {
    const collector = await startCollector(replyWith(503))
    const record = exported()
    const old = Date.now() - 2 * 86_400_000
    await record.write(recordOf('a', {}, old), recordOf('b', {}, old), 'c')
    record.use({ otlp: { url: collector.url, metrics: false }, from: 'start' })
    await vi.waitFor(() => expect(collector.requests).toHaveLength(1), soon)
    await record.close()
    await record.writeKeeping(1, 'd')
    collector.answerWith(accept)
    await record.restart({ otlp: { url: collector.url, metrics: false }, from: 'start' })
    await vi.waitFor(() => expect(subjects(collector.logs())).toEqual(['c', 'd']), soon)
    await vi.waitFor(() => expect(record.status().sinks).toMatchObject([{ sent: 2, removed: 2 }]), soon)
    expect(record.warnings.at(-1)).toContain('2 decisions were removed from the record before being sent')
  })

  it('goes on with the rows of a database that replaces a damaged one', async () => {
    const collector = await startCollector()
    const record = exported()
    record.use({ otlp: { url: collector.url, metrics: false } })
    await record.isRunning()
    await record.write('a', 'b', 'c')
    await vi.waitFor(() => expect(collector.logs()).toHaveLength(3), soon)
    for (const end of ['', '-wal', '-shm']) rmSync(`${record.file}${end}`)
    await record.write('d')
    await vi.waitFor(() => expect(subjects(collector.logs())).toEqual(['a', 'b', 'c', 'd']), soon)
  })
})

describe('a file', () => {
  it('gets one record a line, for its owner only, and another file after it was moved away', async () => {
    const record = exported()
    const file = join(record.folder, 'log.jsonl')
    record.use({ file })
    await record.isRunning()
    await record.write('a', 'b')
    await vi.waitFor(() => expect(record.lines('log.jsonl')).toHaveLength(2), soon)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    renameSync(file, `${file}.1`)
    await record.write('c')
    await vi.waitFor(() => expect(record.lines('log.jsonl').map(({ subject }) => subject)).toEqual(['c']), soon)
    expect(record.lines('log.jsonl.1').map(({ subject }) => subject)).toEqual(['a', 'b'])
  })

  it('is tried again where its folder is missing, and never ends in the middle of a line', async () => {
    const record = exported()
    record.use({ file: join(record.folder, 'there', 'log.jsonl') })
    await record.isRunning()
    await record.write('a')
    await vi.waitFor(() => expect(record.warnings).toEqual([expect.stringContaining('ENOENT')]), soon)
    const cutOff = folderWith({ 'log.jsonl': '{"id":"cut' })
    renameSync(cutOff, join(record.folder, 'there'))
    await vi.waitFor(() => expect(record.infos).toHaveLength(1), soon)
    const text = readFileSync(join(record.folder, 'there', 'log.jsonl'), 'utf8')
    expect(text).toMatch(/^\{"id":"cut\n\{"id":"[0-9a-z]{16}",.*\}\n$/)
  })

  it('that is a link is not written to', async () => {
    const record = exported()
    const { symlinkSync } = await import('node:fs')
    const target = join(record.folder, 'target')
    appendFileSync(target, '')
    symlinkSync(target, join(record.folder, 'log.jsonl'))
    record.use({ file: join(record.folder, 'log.jsonl') })
    await record.isRunning()
    await record.write('a')
    await vi.waitFor(() => expect(record.warnings).toEqual([expect.stringContaining('ELOOP')]), soon)
    expect(readFileSync(target, 'utf8')).toBe('')
  })
})
