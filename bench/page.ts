// How heavy is the page of `hookgate ui`, how soon does it show something, and what does it cost the gate's decisions?
//
// Assets: all files of the page, gzipped. First paint: a record with 100,000 decisions, a fresh browser context each
// round, from the start of the navigation to the page (after the link was opened) to the first contentful paint and to
// the first row of a decision. Decisions: a resident gate is asked 200 times a second, evenly, in blocks of five
// seconds, with and without the page open in a real browser, in turn; the page's and the browser's processes run in
// either case, and the page follows the decisions as they are recorded. Times are those of the caller at the socket.
//
//   npm run build && node bench/page.ts [rounds]
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { limits } from '../src/model/limits.ts'
import { newRecordId } from '../src/record/record-id.ts'
import { openWriter } from '../src/record/writer.ts'
import { readAssets } from '../src/ui/serve.ts'
import { startBrowser } from '../test/support/browser.ts'
import { loadNow, machine } from './support/machine.ts'
import { table } from './support/markdown.ts'
import { residentGate } from './support/resident-gate.ts'
import { median, medianRatio, shuffled, summary } from './support/statistics.ts'
import { recordBatchMax } from '../src/record/waiting-rows.ts'

const rounds = Number(process.argv[2] ?? 10)
const rows = 100_000
const aSecond = 200
const blockSeconds = 5
const loadBefore = loadNow()

// oxlint-disable no-await-in-loop -- one after the other is the measurement
const bytes = readAssets().reduce((sum, asset) => sum + gzipSync(asset.bytes, { level: 9 }).length, 0)
const gate = residentGate({ permissions: { deny: ['Bash(rm *)'] } })
const served = spawn(process.execPath, [fileURLToPath(new URL('support/page-process.ts', import.meta.url))], {
  env: gate.env,
  stdio: ['pipe', 'pipe', 'inherit'],
})
const links = createInterface({ input: served.stdout })[Symbol.asyncIterator]()
const browser = await startBrowser()
try {
  record()
  gate.cli('up')
  const paints = []
  for (let round = 0; round < rounds; round += 1) paints.push(await firstPaint(browser))
  const first = summary(paints.map(({ paint }) => paint))
  const row = summary(paints.map(({ shown }) => shown))
  const decided = await decisions(browser)
  console.log(`${rounds} rounds. ${machine(loadBefore)}\n`)
  console.log(`All files of the page, gzipped: ${(bytes / 1000).toFixed(1)} kB.\n`)
  console.log(
    table(
      [`with ${rows.toLocaleString('en')} decisions recorded, ms`, 'p50', 'highest'],
      [
        ['first contentful paint', first.p50, first.p99],
        ['first decisions shown', row.p50, row.p99],
      ],
    ),
  )
  console.log(`\n${table([`a decision at ${aSecond} a second, ms`, 'p50', 'p99'], decided)}`)
} finally {
  await browser.close()
  served.kill()
  gate.close()
}

/** Fills the record, the newest decision being of now. */
function record(): void {
  const writer = openWriter(gate.places.decisions, { name: `${process.pid}-bench`, startedAt: '' }, limits.recordLockMs)
  const everyMs = 60_000
  const begin = Date.now() - rows * everyMs
  for (let at = 0; at < rows; at += recordBatchMax) {
    const batch = Array.from({ length: Math.min(recordBatchMax, rows - at) }, (_, more) => recorded(at + more))
    const figures = { written: at + batch.length, lost: 0 }
    writer.write({ rows: batch, counts: [], times: [] }, figures, { days: 365, megabytes: 1000 })
  }
  writer.end(undefined)

  function recorded(at: number) {
    const atMs = begin + at * everyMs
    const id = newRecordId(atMs)
    const decision = at % 20 === 0 ? 'deny' : 'abstain'
    const ruleId = 'git/no-force-push'
    const evaluation = { ruleId, durationMs: 0.2, effect: 'deny', reason: 'pushes over the work of others' }
    const isRefused = decision === 'deny'
    return {
      id,
      record: JSON.stringify({
        id,
        at: new Date(atMs).toISOString(),
        version: '1.0.0',
        via: 'client',
        agent: 'claude-code',
        session: `s${at % 50}`,
        project: '/home/me/web',
        event: 'PreToolUse',
        tool: 'shell',
        toolName: 'Bash',
        subject: isRefused ? `git push --force origin step-${at}` : `npm run step-${at}`,
        decision,
        told: decision,
        reason: isRefused ? 'pushes over the work of others' : '',
        determining: isRefused ? [ruleId] : [],
        obligations: [],
        contextBytes: 0,
        contextTruncatedBytes: 0,
        durationMs: 1.5,
        slowest: null,
        rules: 3,
        evaluations: isRefused ? [evaluation] : [],
      }),
    }
  }
}

async function newLink(): Promise<string> {
  served.stdin.write('\n')
  const { value } = await links.next()
  return String(value)
}

async function openPage(of: Browser) {
  const context = await of.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript(`
    const look = () => {
      if (document.querySelector('main')?.textContent.includes('step-')) window.shownAtMs = performance.now()
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)`)
  await page.goto(await newLink())
  await page.locator('main').getByText('step-').first().waitFor()
  await sleep(100)
  return { page, context }
}

async function firstPaint(of: Browser) {
  const { page, context } = await openPage(of)
  const times = await page.evaluate<{ paint: number; shown: number }>(
    `({ paint: performance.getEntriesByName('first-contentful-paint')[0].startTime, shown: window.shownAtMs })`,
  )
  await context.close()
  return times
}

async function decisions(of: Browser) {
  const sides = {
    without: { p50: [] as number[], p99: [] as number[] },
    with: { p50: [] as number[], p99: [] as number[] },
  }
  await block()
  for (let round = 0; round < rounds; round += 1) {
    for (const side of shuffled(['without', 'with'] as const)) {
      const opened = side === 'with' ? await openPage(of) : undefined
      // What opening it costs is not asked here.
      await sleep(1000)
      const { p50, p99 } = summary(await block())
      sides[side].p50.push(p50)
      sides[side].p99.push(p99)
      await opened?.context.close()
    }
  }
  const { without, with: open } = sides
  return [
    ['no page is open', median(without.p50), median(without.p99)],
    ['the page is open', median(open.p50), median(open.p99)],
    ['ratio, median of the pairs', medianRatio(open.p50, without.p50), medianRatio(open.p99, without.p99)],
  ]
}

/** Asks at an even rate, whether or not the last is answered. @returns the times of the answers, ms */
async function block(): Promise<readonly number[]> {
  const asked: Promise<number>[] = []
  const began = performance.now()
  for (let at = 0; at < aSecond * blockSeconds; at += 1) {
    await sleep(Math.max(0, began + (at * 1000) / aSecond - performance.now()))
    const sent = performance.now()
    asked.push(
      gate.send(at % 10 === 0 ? `rm step-${at}` : `npm run step-${at}`, `${at}`).then(() => performance.now() - sent),
    )
  }
  return Promise.all(asked)
}
