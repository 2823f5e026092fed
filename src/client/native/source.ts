import { alone } from './without-gate.ts'
import { ask } from './ask.ts'
import { bytes } from './bytes.ts'
import { main } from './main.ts'

/**
 * The thin client in C, compiled on the machine where it is installed, if there is a compiler. It takes the arguments of
 * `callWords` and exits with one of `endings`.
 *
 * INVARIANT: one answer or none. Nothing is written before the whole answer has arrived.
 */
export const nativeSource = [bytes, ask, alone, main].join('\n')
