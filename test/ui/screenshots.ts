// Makes pictures of every view of `hookgate ui`, of a day's decisions, at three widths in light and dark.
//
//   npm run build && node test/ui/screenshots.ts FOLDER [VIEW…]
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { placesOf } from '../../src/files/state/places.ts'
import { assetFolder } from '../../src/ui/assets.ts'
import { startBrowser } from '../support/browser.ts'
import { recordDay } from '../support/day.ts'

const [folder = 'pictures', ...views] = process.argv.slice(2)
const shown = views.length > 0 ? views : ['now', 'approvals', 'decision', 'history', 'rules', 'agents', 'replay']
const home = join(tmpdir(), 'maria')
mkdirSync(home)
const env = { PATH: process.env['PATH'] ?? '', HOME: home, HOOKGATE_HOME: join(home, 'state') }
const places = placesOf({ env, platform: process.platform, uid: process.getuid?.(), home })
mkdirSync(places.folder, { mode: 0o700, recursive: true })
mkdirSync(folder, { recursive: true })
await recordDay(home, places.decisions)
const bin = join(assetFolder, '..', '..', 'cli', 'bin.js')
const cwd = join(home, 'work', 'web')
for (const [agent, own] of [
  ['claude-code', '.claude'],
  ['gemini-cli', '.gemini'],
  ['cursor', '.cursor'],
] as const) {
  mkdirSync(join(home, own))
  spawnSync(process.execPath, [bin, 'enable', agent], { env, cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

// A terminal, which the command needs.
const terminal = spawn('script', ['-qfec', `${process.execPath} ${bin} ui`, '/dev/null'], {
  env,
  cwd,
  stdio: ['pipe', 'pipe', 'inherit'],
})
let printed = ''
terminal.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))

// oxlint-disable no-await-in-loop -- one picture after the other
const browser = await startBrowser()
try {
  // Before a new one is asked for, the first is there.
  await printedLink()
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [width, height] of [
      [360, 740],
      [1280, 800],
      [2560, 1440],
    ] as const) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme })
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() !== 'info') console.log(width, colorScheme, message.type(), message.text())
      })
      page.on('pageerror', (error) => console.log(width, colorScheme, String(error)))
      const link = await newLink()
      await page.goto(link)
      await page.locator('main h1').waitFor()
      const { origin } = new URL(link)
      for (const view of shown) {
        await page.goto(`${origin}/#/${view === 'decision' ? 'now' : view}`)
        await settled(page)
        if (view === 'decision') {
          await page.locator('a[href*="decision/"]').filter({ hasText: 'for d in' }).first().click()
          await settled(page)
        }
        await page.screenshot({ path: join(folder, `${view}-${width}-${colorScheme}.png`), fullPage: true })
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  terminal.kill()
  rmSync(home, { recursive: true, force: true })
}

/** Waits until a view has what it asks for. */
async function settled(page: Page): Promise<void> {
  const waiting = page.locator('.state.waiting, [aria-busy=true]')
  for (let tries = 0; tries < 100; tries += 1) {
    await page.waitForTimeout(300)
    if ((await waiting.count()) === 0) return
  }
}

async function newLink(): Promise<string> {
  printed = ''
  terminal.stdin.write('\n')
  return printedLink()
}

async function printedLink(): Promise<string> {
  for (let tries = 0; tries < 300; tries += 1) {
    const link = /http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{40,}(?=\s)/.exec(printed)?.[0]
    if (link !== undefined) return link
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`no link was printed: ${printed}`)
}
