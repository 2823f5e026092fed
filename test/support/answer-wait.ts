import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Has `hookgate run` answer so much later, or sooner, than its agent stops waiting: a busy machine gives it a fraction of
 * the time. No other wait is changed.
 *
 * @param folder for a module that Node loads first
 */
export function answersLaterBy(folder: string, ms: number) {
  const [module, used] = [join(folder, 'answers-later.mjs'), join(folder, 'cpu-ms')]
  writeFileSync(
    module,
    `import { writeFileSync } from 'node:fs'
const real = globalThis.setTimeout
globalThis.setTimeout = (act, ms, ...more) => real(act, ms > 20_000 && ms <= 27_000 ? ms + ${ms} : ms, ...more)
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeFileSync(${JSON.stringify(used)}, String((user + system) / 1000))
})
`,
  )
  return {
    // As a URL: a path may have a space.
    env: { NODE_OPTIONS: `--import ${pathToFileURL(module).href}` },
    /** Returns the processor time of the last program that has ended, ms. */
    cpuMs: () => Number(readFileSync(used, 'utf8')),
  }
}
