import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { installContextFor } from '../../src/cli/args/flags.ts'
import { servePage } from '../../src/ui/serve.ts'
import { residentUser } from './resident.ts'
import { claudeShell } from './wire.ts'
import { startBrowser } from './browser.ts'

let browser: Promise<Browser> | undefined

/** Returns the browser of this process, which is started once, and again if it has ended. */
async function sharedBrowser(): Promise<Browser> {
  const running = await browser
  if (running?.isConnected() === true) return running
  browser = startBrowser()
  return browser
}

/**
 * Serves the page to a user of its own, as `hookgate ui` does.
 *
 * @param files as for `residentUser`; the user works in `project`
 */
export async function servedPage(
  files: Parameters<typeof residentUser>[0] = {},
  options: Partial<Pick<Parameters<typeof servePage>[0], 'port' | 'limits' | 'nowMs' | 'managedFolder'>> & {
    /** The folder with the files of administrators. Default: the system's. */
    readonly managedRoot?: string
  } = {},
) {
  const user = residentUser(files)
  const project = join(user.folder, 'project')
  mkdirSync(project, { recursive: true })
  const { managedRoot, ...others } = options
  const served = await servePage({
    port: 0,
    places: user.places,
    version: '1.2.3',
    cwd: project,
    env: user.env,
    installingIn: (cwd) => ({ ...installContextFor({ env: user.env, cwd }), managedRoot }),
    ...others,
  })
  onTestFinished(() => served.close())
  return {
    ...user,
    project,
    served,
    origin: `http://127.0.0.1:${served.port}`,
    /** Has a command decided as an agent has it decided, by a process of its own. */
    decide: (command: string, more: object = {}) =>
      user.cli(['run', '--agent', 'claude-code', '--json'], {
        cwd: project,
        stdin: JSON.stringify(claudeShell(command, project, more)),
      }),
  }
}

/** Opens a link in a browser of its own, and returns the page with what went wrong in it. */
export async function openIn(link: string, options: BrowserContextOptions = {}) {
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 }, ...options })
  onTestFinished(() => context.close())
  const page: Page = await context.newPage()
  // What a view waits for is the event itself; on a busy machine an agent is asked for longer than 30 s.
  page.setDefaultTimeout(120_000)
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  const response = await page.goto(link)
  // A link's own page leads on to the page.
  if (new URL(link).pathname.startsWith('/open/') && response?.ok() === true) {
    await page.waitForURL((url) => url.pathname === '/')
  }
  return { page, context, problems }
}

/** Serves the page and opens it. */
export async function openedPage(files: Parameters<typeof residentUser>[0] = {}, options: BrowserContextOptions = {}) {
  const user = await servedPage(files)
  return { ...user, ...(await openIn(user.served.link(), options)) }
}
