import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// INVARIANT: an old Node has to link this file: only node: modules, and only what they had long ago.

/** The file in the package's folder into which its `postinstall` script writes the Node that npm ran on. */
const recordName = 'installed-with'

/**
 * Runs the program again on the Node that hookgate was installed with, and exits as that does. The `PATH` may start with
 * an older Node, and a global program is started by whichever comes first.
 *
 * @param bin the URL of the program
 *
 * @returns why there is no such Node, if so
 */
export async function runOnInstalledNode(bin: string, argv: readonly string[]): Promise<string> {
  const record = fileURLToPath(new URL(`../../${recordName}`, bin))
  const node = readRecord(record)
  if (node === undefined) return `no file ${record} names the one that hookgate was installed with`
  if (node === process.execPath) return 'hookgate was installed with it'
  const child = spawn(node, [fileURLToPath(bin), ...argv], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.on('error', () => resolve(`${node}, with which hookgate was installed, does not start`))
    child.on('exit', (code, signal) => {
      if (code === null) resolve(`${node}, with which hookgate was installed, was ended by ${signal}`)
      else process.exit(code)
    })
  })
}

function readRecord(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
