// Makes pictures of every view of `hookgate ui`, of five days' decisions with calls that wait, at three widths in light
// and dark. The view `empty-NAME` is NAME for a user who has nothing yet.
//
//   npm run build && node test/ui/screenshots.ts FOLDER [VIEW…]
//   npm run build && node test/ui/screenshots.ts --docs          those that the docs and the README show
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Page } from 'playwright-core'
import { placesOf } from '../../src/files/state/places.ts'
import { assetFolder } from '../../src/ui/serve.ts'
import { startBrowser } from '../support/browser.ts'
import { askGate } from '../../src/service/server/ask-gate.ts'
import { answerRequest, openRequests } from '../../src/service/server/ask-approvals.ts'
import { recordDays } from '../support/day.ts'
import { claudeShell } from '../support/wire.ts'

const [target = 'pictures', ...views] = process.argv.slice(2)
const isForDocs = target === '--docs'
const folder = isForDocs ? join(import.meta.dirname, '..', '..', 'docs', 'pictures') : target
/** The view of each picture of the docs, with its scheme. */
const ofDocs = { now: 'light', decision: 'dark', session: 'light' } as const
const all = [
  'now',
  'by-session',
  'approvals',
  'decision',
  'sessions',
  'session',
  'history',
  'rules',
  'agents',
  'replay',
  'replay-report',
]
const shown = isForDocs
  ? Object.keys(ofDocs)
  : views.length > 0
    ? views
    : [...all, ...all.slice(0, -1).map((view) => `empty-${view}`)]
const sizes = [
  [390, 844],
  [900, 1024],
  [1400, 900],
] as const
const docsSizes = [[1440, 700]] as const
mkdirSync(folder, { recursive: true })
const bin = join(assetFolder, '..', '..', 'cli', 'bin.js')

// oxlint-disable no-await-in-loop -- one picture after the other
const browser = await startBrowser()
try {
  for (const isEmpty of [false, true]) {
    const own = shown.filter((view) => view.startsWith('empty-') === isEmpty)
    if (own.length > 0) await takeAll(isEmpty ? 'nora' : 'maria', isEmpty, own)
  }
} finally {
  await browser.close()
}

/** Takes the pictures of some views, of a user of its own. */
async function takeAll(name: string, isEmpty: boolean, names: readonly string[]): Promise<void> {
  const home = join(tmpdir(), name)
  const cwd = join(home, 'work', 'web')
  mkdirSync(cwd, { recursive: true })
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, HOOKGATE_HOME: join(home, 'state') }
  const places = placesOf({ env, platform: process.platform, uid: process.getuid?.(), home })
  mkdirSync(places.folder, { mode: 0o700, recursive: true })
  const hookgate = (...argv: string[]) =>
    spawnSync(process.execPath, [bin, ...argv], { env, cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  // A terminal, which the command needs.
  const terminal = spawn('script', ['-qfec', `${process.execPath} ${bin} ui`, '/dev/null'], {
    env,
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const link = linksOf(terminal)
  try {
    if (!isEmpty) {
      await recordDays(home, places.decisions, 5)
      for (const [agent, folderOfAgent] of [
        ['claude-code', '.claude'],
        ['gemini-cli', '.gemini'],
        ['cursor', '.cursor'],
      ] as const) {
        mkdirSync(join(home, folderOfAgent))
        hookgate('enable', agent)
      }
      hookgate('up')
      await askPeople(places, cwd)
    }
    await link.printed()
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [width, height] of isForDocs ? docsSizes : sizes) {
        const context = await browser.newContext({ viewport: { width, height }, colorScheme })
        const page = await context.newPage()
        page.on('console', (message) => {
          if (message.type() !== 'info') console.log(width, colorScheme, message.type(), message.text())
        })
        page.on('pageerror', (error) => console.log(width, colorScheme, String(error)))
        const opened = await link.next()
        await page.goto(opened)
        await page.locator('main h1').waitFor()
        for (const view of names.filter(
          (one) => !isForDocs || Object.entries(ofDocs).some(([of, scheme]) => of === one && scheme === colorScheme),
        )) {
          await show(page, new URL(opened).origin, view)
          const path = join(folder, isForDocs ? `${view}.png` : `${view}-${width}-${colorScheme}.png`)
          await page.screenshot({ path, fullPage: !isForDocs })
        }
        await context.close()
      }
    }
  } finally {
    terminal.kill()
    hookgate('down')
    rmSync(home, { recursive: true, force: true })
  }
}

/** Has calls wait for a person: one that is approved, one that is refused, and two that go on waiting. */
async function askPeople(places: ReturnType<typeof placesOf>, cwd: string): Promise<void> {
  const commands = [
    'terraform apply plan.bin',
    'rm -rf "$OUT"/',
    'ssh build-1 "systemctl restart runner"',
    'for d in "$A" "$B"; do rm -rf "$d"/; done',
  ]
  for (const [index, command] of commands.entries()) {
    const wire = claudeShell(command, cwd, { turn_id: 't', model: 'm', tool_use_id: `${index}` })
    void askGate(places, { to: 'hook', agent: 'codex', body: JSON.stringify(wire), timeoutMs: 600_000 }).catch(() => {})
    await new Promise((done) => setTimeout(done, 1500))
  }
  const [first, second] = (await openRequests(places)) ?? []
  if (first === undefined || second === undefined) throw new Error('too few calls wait')
  await answerRequest(places, { id: first.id, call: first.call, answer: 'approve', channel: 'terminal', by: 'maria' })
  const reason = 'only on a branch'
  await answerRequest(places, {
    id: second.id,
    call: second.call,
    answer: 'deny',
    channel: 'page',
    by: 'maria',
    reason,
  })
}

/** Opens a view as a person would, and waits until it has what it asks for. */
async function show(page: Page, origin: string, view: string): Promise<void> {
  const address =
    { 'by-session': 'now?by=session', decision: 'now', session: 'sessions', 'replay-report': 'replay' }[view] ?? view
  await page.goto(`${origin}/#/${address.replace('empty-', '')}`)
  await settled(page)
  if (view === 'decision') {
    await page.locator('a[href*="decision/"]').filter({ hasText: 'for d in' }).first().click()
  } else if (view === 'session') {
    await page.locator('a[href*="session/"]').filter({ hasText: 'Claude Code in web' }).first().click()
  } else if (view === 'replay-report') {
    await page.getByLabel('Decisions that hookgate recorded').check()
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await page.locator('.findings').first().waitFor()
    await page.locator('.findings summary').first().click()
  }
  await settled(page)
}

async function settled(page: Page): Promise<void> {
  const waiting = page.locator('.state.waiting, [aria-busy=true]')
  for (let tries = 0; tries < 100; tries += 1) {
    await page.waitForTimeout(300)
    if ((await waiting.count()) === 0) return
  }
}

/** The links that `hookgate ui` prints: the first by itself, each further one for a key. */
function linksOf(terminal: ChildProcessByStdio<Writable, Readable, null>) {
  let text = ''
  terminal.stdout.setEncoding('utf8').on('data', (more: string) => (text += more))
  async function printed(): Promise<string> {
    for (let tries = 0; tries < 300; tries += 1) {
      const link = /http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{40,}(?=\s)/.exec(text)?.[0]
      if (link !== undefined) return link
      await new Promise((done) => setTimeout(done, 100))
    }
    throw new Error(`no link was printed: ${text}`)
  }
  return {
    printed,
    next(): Promise<string> {
      text = ''
      terminal.stdin.write('\n')
      return printed()
    },
  }
}
