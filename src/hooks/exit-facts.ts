import { isUtf8 } from 'node:buffer'
import { constants } from 'node:os'
import type { Failure } from '../model/failure.ts'
import { limits } from '../model/limits.ts'
import type { HookExit, HookProcess } from '../model/rule.ts'
import { sayable, tellingLine } from '../model/text.ts'
import { type LookUp, type StartRefusal, refusalFailure, shellFailure } from './start-failure.ts'

/** The raw facts of how a hook's process ended, not yet interpreted. */
export type ProcessEnding =
  | ProcessExit
  | ({ readonly kind: 'refused' } & StartRefusal)
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'flooded'; readonly stream: 'stdout' | 'stderr'; readonly stderr: Buffer }

interface ProcessExit {
  readonly kind: 'exited'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: Buffer
  readonly stderr: Buffer
  /** True if part of the event was still unwritten when the process exited. */
  readonly stdinUnread: boolean
}

/** Interprets an ending. Pure but for `lookUp`, which is called only for programs that did not start. */
export function hookExit(hook: HookProcess, ending: ProcessEnding, durationMs: number, lookUp: LookUp): HookExit {
  switch (ending.kind) {
    case 'exited':
      return exited(hook, ending, durationMs, lookUp)
    case 'refused':
      return failedExit(refusalFailure(ending, hook, lookUp), durationMs)
    case 'timedOut': {
      const message = `timed out after ${duration(hook.timeoutMs)}; make it faster, or raise its \`timeout\``
      return failedExit({ code: 'timeout', message }, durationMs)
    }
    case 'cancelled':
      return cancelledExit(durationMs)
    case 'flooded': {
      const cap = `${limits.hookOutputBytesMax.toLocaleString('en')} bytes`
      const message = `printed more than ${cap} to ${ending.stream} and was killed`
      return failedExit({ code: 'outputTooLarge', message }, durationMs, ending.stderr.toString())
    }
  }
}

export function failedExit(failure: Failure, durationMs: number, stderr = ''): HookExit {
  return { kind: 'failed', failure, stderr, durationMs }
}

export function cancelledExit(durationMs: number): HookExit {
  return failedExit({ code: 'cancelled', message: 'cancelled before it answered' }, durationMs)
}

function exited(hook: HookProcess, ending: ProcessExit, durationMs: number, lookUp: LookUp): HookExit {
  // Decoded as a whole, so that a character that came in two pieces is one; bytes that are no UTF-8 become U+FFFD.
  const stdout = ending.stdout.toString()
  const stderr = ending.stderr.toString()
  const failure = exitFailure(hook, ending, stderr, lookUp)
  return { kind: 'exited', exitCode: ending.exitCode, stdout, stderr, failure, durationMs }
}

function exitFailure(hook: HookProcess, ending: ProcessExit, stderr: string, lookUp: LookUp): Failure | undefined {
  const { exitCode, signal } = ending
  const telling = sayable(tellingLine(stderr))
  const said = telling === '' ? '' : `: ${telling}`
  if (exitCode === null) return { code: 'signalled', message: `killed by ${signal ?? 'a signal'}${said}` }
  if (exitCode !== 0) {
    const started = shellFailure(exitCode, stderr, hook, lookUp)
    if (started !== undefined) return started
    const behind = signalBehind(exitCode, hook)
    if (behind !== undefined) return { code: 'signalled', message: `killed by ${behind}, says its shell${said}` }
    if (ending.stdinUnread && Buffer.byteLength(hook.stdin) > stdinBufferedBytesMax) {
      const message = `exited with code ${exitCode} before it read the event from its stdin${said}`
      return { code: 'stdinClosed', message }
    }
    return { code: 'nonzeroExit', message: `exited with code ${exitCode}${said}` }
  }
  return encodingFailure(ending.stdout)
}
/**
 * Bytes of an event that the kernel may buffer though the hook reads nothing: above Linux's 208 KiB for a socket.
 * For shorter events a closed stdin cannot be told from a quick exit, so it is not reported.
 */
export const stdinBufferedBytesMax = 256 * 1024

/**
 * INVARIANT: an unreadable answer is not silence. UTF-16 without a byte order mark decodes as UTF-8 with a NUL beside each
 * letter, in which no decoder would find an answer.
 */
function encodingFailure(stdout: Buffer): Failure | undefined {
  if (stdout.includes(0) && stdout.some((byte) => byte !== 0)) {
    return { code: 'outputNotUtf8', message: 'its stdout looks like UTF-16, and has to be UTF-8' }
  }
  return isUtf8(stdout) ? undefined : { code: 'outputNotUtf8', message: 'its stdout is not UTF-8' }
}

/** A shell exits with 128 + n if signal n killed its command; hardly any program uses such a code itself. */
function signalBehind(exitCode: number, { program }: HookProcess): string | undefined {
  if (program.form !== 'shell') return undefined
  return Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0]
}

function duration(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}
