import { alone } from './without-gate.ts'
import { ask } from './ask.ts'
import { bytes } from './bytes.ts'
import { main } from './main.ts'

/**
 * The thin client in C, compiled where it is installed if there is a compiler. It takes what `ClientCall` says, in that
 * order, and exits with one of `endings`.
 *
 * INVARIANT: one answer or none. Nothing is written before the whole of it is there.
 */
export const nativeSource = [bytes, ask, alone, main].join('\n')
