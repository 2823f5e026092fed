import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { tryLock } from '../../src/files/lock.ts'

/** Those of a browser that shows one page, and asks nobody else for anything. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Starts a real Chromium without a window: the one of `@sparticuz/chromium`, which npm has installed; on a system that
 * it has none for, the Chrome that is installed there. `HOOKGATE_TEST_BROWSER` names another program.
 */
export async function startBrowser(): Promise<Browser> {
  const named = process.env['HOOKGATE_TEST_BROWSER']
  if (named !== undefined) return chromium.launch({ executablePath: named, args })
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ channel: 'chrome', args })
  return chromium.launch({ executablePath: await unpackedBrowser(), args })
}

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
/** On two busy cores it takes half a minute. */
const unpackWaitMs = 180_000

/** Returns the program, unpacked once for each version of its package. */
async function unpackedBrowser(): Promise<string> {
  const manifest = readFileSync(join(modules, '@sparticuz/chromium/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { readonly version: string }
  const folder = join(modules, '.cache', `browser-${version}`)
  mkdirSync(join(modules, '.cache'), { recursive: true })
  const lock = tryLock(`${folder}.lock`, unpackWaitMs)
  try {
    if (!existsSync(folder)) await unpackInto(folder)
  } finally {
    lock?.release()
  }
  return join(folder, 'chromium')
}

/** The package unpacks into the folder for temporary files, which is another one meanwhile. */
async function unpackInto(folder: string): Promise<void> {
  const part = `${folder}.part`
  const { TMPDIR: before } = process.env
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part)
  process.env['TMPDIR'] = part
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  renameSync(part, folder)
}
