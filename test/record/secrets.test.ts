import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { openExporter } from '../../src/record/export/exporter.ts'
import { maskEvent } from '../../src/service/server/http/event-log.ts'
import { LogFile } from '../../src/service/server/log-file.ts'
import { secretSamples } from '../fixtures/secrets.ts'
import { hookgateHere } from '../support/cli.ts'
import { startCollector } from '../support/collector.ts'
import { policyText } from '../support/policies.ts'
import { claudeEvent, claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const packs = ['destructive-commands', 'git-safety', 'remote-execution', 'secrets', 'supply-chain']
const packFolders = packs.map((pack) => fileURLToPath(new URL(`../../policies/${pack}`, import.meta.url)))

/** Refuses everything, with a reason that repeats the call. */
const refusing = policyText(
  'refusing',
  "tool: ['shell', 'write'], examples: [],",
  'return deny(`refused: ${tool.command ?? JSON.stringify(tool.input)}`)',
)

/** The halves of a secret, if each is long enough to be of use, as they are written in texts and in JSON, once or twice. */
function spellings(secret: string): readonly string[] {
  const middle = Math.ceil(secret.length / 2)
  // What is long enough to be searched for quickly, and not to be found by chance.
  const parts = middle < 8 ? [secret] : [secret.slice(0, middle).slice(0, 40), secret.slice(middle).slice(0, 40)]
  const once = parts.map(escaped)
  return [...new Set([...parts, ...once, ...once.map(escaped)])]
}
const escaped = (text: string) => JSON.stringify(text).slice(1, -1)

const keptIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((where) => ({ where, text: readFileSync(join(folder, where), 'latin1') }))

const linesOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0)

const atOnce = 40

/** Of the places that each token is in, one; the test of masking has all of them. */
const samples = secretSamples.filter(({ isToken }, index) => !isToken || index % 5 === Math.floor(index / 5) % 5)

it('no secret reaches what hookgate keeps', async () => {
  const cwd = folderWith({ 'refusing.policy.ts': refusing, 'state/x': '' })
  const state = join(cwd, 'state')
  const rules = [join(cwd, 'refusing.policy.ts'), ...packFolders]
  const reasons: string[] = []
  const gate = createGate({
    rules,
    discover: false,
    home: cwd,
    env: { HOME: cwd },
    placement: 'caller',
    state,
    onRecord: (record) => reasons.push(record.reason),
  })
  const wires = samples.map(({ kind, text }): JsonObject => {
    if (kind !== 'file') return claudeShell(text, cwd)
    const tool_input = { file_path: join(cwd, 'kept.txt'), content: text }
    return claudeEvent('PreToolUse', cwd, { tool_name: 'Write', tool_input })
  })
  expect(samples.length).toBeGreaterThan(250)
  const log = new LogFile(join(state, 'gate.log'))
  const shownEvents: string[] = []
  for (let start = 0; start < wires.length; start += atOnce) {
    const batch = wires.slice(start, start + atOnce)
    // oxlint-disable-next-line no-await-in-loop -- a gate refuses hundreds of calls at once
    const answers = await Promise.all(batch.map((wire) => gate.answer(wire, { agent: 'claude-code' })))
    for (const [at, { stderr }] of answers.entries()) {
      log.write(`${JSON.stringify({ level: 30, msg: stderr, event: batch[at] })}\n`)
    }
    shownEvents.push(...batch.map((wire) => JSON.stringify(maskEvent(wire))))
  }
  // Before the database is closed, which empties its write-ahead log.
  const open = keptIn(state)
  await gate.close()
  log.close()
  expect(reasons.filter((reason) => reason.includes('refused: '))).toHaveLength(samples.length)

  const replayed = await hookgateHere(
    ['replay', '--from', 'stdin', '--json', '--agent', 'claude-code', ...rules.flatMap((path) => ['--rules', path])],
    { cwd, stdin: wires.map((wire) => JSON.stringify(wire)).join('\n'), env: { HOME: cwd, HOOKGATE_HOME: state } },
  )
  expect(replayed).toMatchObject({ exitCode: 0 })
  expect(replayed.stdout).toContain('***')

  const logged = await hookgateHere(['log', '--json', '--limit', 'all'], {
    cwd,
    env: { HOME: cwd, HOOKGATE_HOME: state },
  })
  expect(logged.stdout.split('\n').length).toBeGreaterThan(samples.length)
  const collector = await startCollector()
  const exporter = openExporter(join(state, 'decisions.db'), {}, { warn: () => {}, info: () => {} })
  exporter.use({ otlp: { url: collector.url }, file: join(state, 'export.jsonl'), from: 'start' })
  await vi.waitFor(() => expect(collector.logs().length).toBeGreaterThanOrEqual(samples.length), 120_000)
  await vi.waitFor(() => expect(linesOf(join(state, 'export.jsonl'))).toBeGreaterThanOrEqual(samples.length), 120_000)
  await exporter.close()

  const kept = [
    ...open,
    ...keptIn(state),
    { where: 'what a collector was sent', text: JSON.stringify(collector.logs()) },
    { where: 'log', text: logged.stdout },
    { where: 'the events of the gate', text: shownEvents.join('\n') },
    { where: 'replay', text: replayed.stdout + replayed.stderr },
  ]
  expect(kept.map(({ where }) => where)).toEqual(
    expect.arrayContaining(['decisions.db', 'decisions.db-wal', 'export.jsonl', 'gate.log']),
  )
  const found = samples.flatMap(({ text, secret }) =>
    kept.flatMap(({ where, text: whole }) =>
      spellings(secret).some((spelling) => whole.includes(spelling)) ? [{ where, text }] : [],
    ),
  )
  expect(found).toEqual([])
})
