import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Environment in which Node keeps what it compiles: a third of what starting the command line from source takes. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'hookgate-test-compile-cache') }
