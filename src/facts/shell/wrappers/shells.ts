import type { ShellWord } from '../../../model/shell.ts'
import type { Unwrap } from '../unwrap.ts'
import { known } from './words.ts'

/** How a shell's command line reads. */
interface ShellRead {
  readonly command: boolean
  readonly fromStdin: boolean
  readonly checksOnly: boolean
  readonly help: boolean
  /** Files and scripts that run before anything else. */
  readonly before: readonly { readonly kind: 'file' | 'script'; readonly word: ShellWord }[]
  readonly operands: readonly ShellWord[]
}

const longWithFile = new Set(['--rcfile', '--init-file'])
const longWithScript = new Set(['--init-command', '--command', '--commands', '--execute'])
const longWithOther = new Set(['--emulate', '--features', '--debug-output', '--config', '--env-config', '--profile'])

/** Unlike other programs' a shell's `-c` has no value of its own: the first operand is the script. */
function readShell(args: readonly ShellWord[], fish: boolean): ShellRead {
  let [command, fromStdin, checksOnly, help] = [false, false, false, false]
  const before: { kind: 'file' | 'script'; word: ShellWord }[] = []
  let at = 0
  for (; at < args.length; at++) {
    const value = args[at]?.value ?? ''
    if (value === '--' || value === '-') {
      at++
      break
    }
    if (!/^[-+]./.test(value)) break
    const next = args[at + 1]
    if (value.startsWith('--')) {
      const [name = '', joined] = value.split(/=(.*)/s)
      const word = joined === undefined ? next : { ...args[at], value: joined }
      if (name === '--help' || name === '--version') help = true
      if (longWithFile.has(name) && word !== undefined) before.push({ kind: 'file', word })
      if (longWithScript.has(name) && word !== undefined) before.push({ kind: 'script', word })
      if (name === '--no-execute') checksOnly = true
      if (joined === undefined && (longWithFile.has(name) || longWithScript.has(name) || longWithOther.has(name))) at++
      continue
    }
    if (fish && (value === '-C' || value === '-c')) {
      if (next !== undefined) before.push({ kind: 'script', word: next })
      at++
      continue
    }
    const letters = value.slice(1)
    if (value.startsWith('-')) {
      command ||= letters.includes('c')
      fromStdin ||= letters.includes('s')
      checksOnly ||= letters.includes('n')
    }
    at += letters.replace(/[^oO]/g, '').length
  }
  return { command, fromStdin, checksOnly, help, before, operands: args.slice(at) }
}

function shell(fish: boolean): Unwrap {
  return (command, starts) => {
    const read = readShell(command.args, fish)
    if (read.help || read.checksOnly) {
      starts.wrapper()
      return
    }
    for (const { kind, word } of read.before) {
      if (kind === 'script') starts.script(word)
      else starts.words([known('source'), word])
    }
    const [first, ...others] = read.operands
    if (read.command) {
      if (first === undefined) starts.uncertain('the shell gets no script to run, or one from elsewhere')
      else starts.script(first, { parameters: others })
      starts.wrapper()
      return
    }
    if (fish && read.before.length > 0) {
      starts.wrapper()
      return
    }
    if (first !== undefined && !read.fromStdin) {
      const content = starts.content(first)
      if (content !== undefined) starts.script(content, { parameters: read.operands })
      return
    }
    if (command.stdin === undefined) return
    starts.wrapper()
    starts.script(command.stdin, {
      parameters: read.fromStdin ? [known(command.program), ...read.operands] : read.operands,
      stdin: 'none',
    })
  }
}

const posix = shell(false)
const fish = shell(true)

/** `bash`, `rbash`, `zsh-5.9`, `ksh93`, `mksh-static`. */
const name = /^(?:r?(?:ba|z|da|a|k|mk|pdk|lk|o|ok|y|ya|xon|c|tc|hu|lo|po)?sh|r?ksh)(?:-?[\d.]+|-static)?$/

export function shellFor(program: string): Unwrap | undefined {
  if (program === 'fish' || program === 'nu' || program === 'elvish') return fish
  return name.test(program) ? posix : undefined
}

/** One program that is many: the first argument says which. */
const applets: Unwrap = ({ args }, starts) => {
  const first = args[0]?.value
  starts.wrapper()
  if (first !== undefined && !first.startsWith('-')) starts.words(args)
}

export const multicalls: Readonly<Record<string, Unwrap>> = {
  busybox: applets,
  toybox: applets,
  coreutils: applets,
  uutils: applets,
}
