import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
  // The system's fonts are listed in a cache, which does not belong into the home that the tests share.
  const env = { ...process.env, XDG_CACHE_HOME: cache }
  if (named !== undefined) return chromium.launch({ executablePath: named, args, env })
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ channel: 'chrome', args, env })
  const folder = unpackedBrowser()
  const options = { executablePath: join(folder, 'chromium'), args, env }
  try {
    return await chromium.launch(options)
  } catch {
    // A system without a desktop may lack the libraries and fonts that the package brings along.
    const own = { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') }
    return chromium.launch({ ...options, env: { ...env, ...own } })
  }
}

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const cache = join(modules, '.cache')
/** On two busy cores it takes half a minute. */
const unpackWaitMs = 180_000

/** Returns the folder of the browser, which is unpacked once for each version of its package. */
function unpackedBrowser(): string {
  const manifest = readFileSync(join(modules, '@sparticuz/chromium/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { readonly version: string }
  const folder = join(cache, `browser-${version}`)
  mkdirSync(cache, { recursive: true })
  const lock = tryLock(`${folder}.lock`, unpackWaitMs)
  try {
    if (!existsSync(folder)) unpackInto(folder)
  } finally {
    lock?.release()
  }
  return folder
}

/** The package unpacks into the folder for temporary files, and its libraries only where it takes itself to be needed. */
function unpackInto(folder: string): void {
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part)
  const script = "import('@sparticuz/chromium').then(({ default: packed }) => packed.executablePath())"
  const env = { ...process.env, TMPDIR: part, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: join(modules, '..'), env })
  if (status !== 0) throw new Error(`the browser cannot be unpacked: ${stderr.toString()}`)
  renameSync(part, folder)
}
