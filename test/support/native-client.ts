import { copyFileSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseClient } from '../../src/service/client/index.ts'

const folder = fileURLToPath(new URL('../../node_modules/.cache/test-client', import.meta.url))
/** Undefined on a machine without a C compiler. */
const compiled = await chooseClient({ folder, node: process.execPath, kinds: ['native'] }).then(
  ({ client }) => client.command[0],
  () => undefined,
)

/** Leaves the native client in a folder of clients, as an earlier `enable` does: compiling it takes half a second. */
export function leaveNativeClient(clients: string): void {
  if (compiled === undefined) return
  mkdirSync(clients, { recursive: true, mode: 0o700 })
  copyFileSync(compiled, join(clients, basename(compiled)))
}
