import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Environment with Node's compile cache, which saves a third of the start of the command line. */
export const compileCache = {
  NODE_COMPILE_CACHE: process.env['HOOKGATE_TEST_CACHE'] ?? join(tmpdir(), 'hookgate-test-compile-cache'),
}
