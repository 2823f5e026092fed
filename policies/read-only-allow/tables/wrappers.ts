import { type Call, type Judge, isKnown } from '../call.ts'
import { optionsOf } from '../table.ts'

const startsAll = ({ starts = 0 }: Call) => starts > 0

/** Options in front of the first operand: what follows belongs to what is started. */
function ownOptions(call: Call, valued: readonly string[]): ReturnType<typeof optionsOf> {
  let end = 0
  while (end < call.args.length && call.args[end]?.value.startsWith('-') === true && call.args[end]?.value !== '--') {
    const value = call.args[end]?.value ?? ''
    end += valued.includes(value.replace(/^--?/, '')) && !value.includes('=') ? 2 : 1
  }
  return optionsOf(call.args.slice(0, end), valued, {})
}

const shellSafe = /^([ceiluxvfmnoOpBCEHPT]|login|noprofile|norc|posix|verbose|restricted|r)$/

/**
 * Programs whose own work is to start another. What they start is a command of the facts that is judged by itself, so
 * here only the presence of a command is checked, and that the wrapper does nothing else.
 */
export function wrappers(program: string): Judge | undefined {
  switch (program) {
    case 'bash':
    case 'sh':
    case 'zsh':
    case 'dash':
    case 'ksh':
      return (call) =>
        startsAll(call) &&
        ownOptions(call, ['o', 'O', 'c']).names.every((name) => shellSafe.test(name)) &&
        ownOptions(call, ['o', 'O', 'c']).names.includes('c')
    case 'builtin':
    case 'command':
      return (call) =>
        startsAll(call) ||
        (program === 'command' && /^-[vVp]+$/.test(call.args[0]?.value ?? '') && /[vV]/.test(call.args[0]?.value ?? ''))
    case 'env':
      return (call) => startsAll(call) && call.command?.wrapper === true
    case 'timeout':
    case 'gtimeout':
    case 'nice':
    case 'ionice':
    case 'stdbuf':
    case 'taskset':
    case 'chrt':
    case 'setsid':
    case 'unbuffer':
    case 'setarch':
    case 'linux32':
    case 'linux64':
    case 'arch':
    case 'caffeinate':
      return startsAll
    case 'time':
    case 'gtime':
      return (call) =>
        startsAll(call) &&
        !ownOptions(call, ['f', 'o']).names.some(
          (name) => name === 'o' || name.startsWith('ou') || name === 'a' || name.startsWith('ap'),
        )
    case 'xargs':
    case 'gxargs':
      return (call) =>
        startsAll(call) &&
        hasOperand(call) &&
        !ownOptions(call, xargsValued).names.some(
          (name) =>
            name === 'p' ||
            name === 'o' ||
            /^(interactive|open-tty)$/.test(name) ||
            ('interactive'.startsWith(name) && name.length > 1),
        )
    case 'script':
      return (call) =>
        (startsAll(call) && isKnown(call) && call.args.some((word) => word.value === '/dev/null')) ||
        (call.args[0]?.value === '-p' && isKnown(call))
    default:
      return undefined
  }
}

const xargsValued =
  'a d E I J L n P R s S arg-file delimiter max-args max-procs max-lines max-chars replace process-slot-var'.split(' ')

/** True if `xargs` has a program to start. Without one it echoes, which is hardly ever meant. */
function hasOperand({ args }: Call): boolean {
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? ''
    if (value === '--') return at + 1 < args.length
    if (!value.startsWith('-')) return true
    if (xargsValued.includes(value.replace(/^--?/, '')) && !value.includes('=')) at++
  }
  return false
}
