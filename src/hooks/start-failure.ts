import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { isExecutable } from '../files/entries.ts'
import { errorText, isResourceExhausted } from '../model/errors.ts'
import type { Failure } from '../model/failure.ts'
import type { HookProcess } from '../model/rule.ts'
import { firstLine, sayable, shellWord, tellingLine } from '../model/text.ts'

/** Looks a program up in the hook's working directory and `PATH`. */
export type LookUp = (file: string) => Look

/** The operating system's error when it refused to start a program. */
export interface StartRefusal {
  readonly file: string
  /** `ENOENT`, `EACCES`, …; `undefined` where the request was refused before it reached the system. */
  readonly code: string | undefined
  readonly detail: string
}

/** Error codes of a machine without free descriptors, processes, threads or memory. */

/** Failure of a hook that could not start because the machine is exhausted. */
export function exhausted(because: string): Failure {
  return { code: 'exhausted', message: `the machine has no resources left to start it: ${sayable(firstLine(because))}` }
}

/** Failure of a hook whose companion process failed. */
export function companionFailure(what: string, error: unknown): Failure {
  const message = `${what}: ${errorText(error)}`
  return isResourceExhausted(message) ? exhausted(message) : { code: 'workerLost', message }
}

/** Explains why a program did not start. The error code alone is no help: `ENOENT` has four causes. */
export function refusalFailure({ file, code, detail }: StartRefusal, hook: HookProcess, lookUp: LookUp): Failure {
  const folder = lookUp(hook.cwd)
  if (code === 'ENOENT' && folder.is !== 'folder') {
    return { code: 'spawnFailed', message: `its working directory ${quoted(hook.cwd)} does not exist` }
  }
  if (code === 'ENOENT') return notFound(file, lookUp(file))
  if (code === 'EACCES') return notExecutable(lookUp(file), file)
  if (code !== undefined && isResourceExhausted(code)) return exhausted(detail)
  const because = sayable(firstLine(detail))
  return { code: 'spawnFailed', message: `${quoted(file)} could not be started: ${because}` }
}

/**
 * Explains the exit codes 127 and 126, with which shells and `env` report a missing or non-executable command; returns
 * `undefined` if the code is the hook's own.
 */
export function shellFailure(
  exitCode: number | null,
  stderr: string,
  hook: HookProcess,
  lookUp: LookUp,
): Failure | undefined {
  if (exitCode !== 127 && exitCode !== 126) return undefined
  const { program } = hook
  const complaint = stderr
    .split('\n')
    .map(complaintOf)
    .findLast((found) => found !== undefined)
  if (complaint?.by === 'env' && !(program.form === 'shell' && program.command.includes(complaint.about))) {
    const found = lookUp(complaint.about)
    if (exitCode === 126 && found.is !== 'missing') return notExecutable(found, complaint.about)
    const file = program.form === 'shell' ? undefined : program.file
    return interpreterMissing(file, complaint.about, exitCode === 126 ? notInReach : undefined)
  }
  // A program that exits with 127 by itself may mean anything by it; a shell does not.
  if (program.form !== 'shell') return undefined
  if (complaint === undefined) {
    const said = sayable(tellingLine(stderr))
    const meaning = exitCode === 127 ? 'a command was not found' : 'a command is not executable'
    const message = `exited with code ${exitCode}, as shells do when ${meaning}${said === '' ? '' : `: ${said}`}`
    return { code: exitCode === 127 ? 'commandNotFound' : 'notExecutable', message }
  }
  if (complaint.interpreter !== undefined) return interpreterMissing(complaint.about, complaint.interpreter)
  const found = lookUp(complaint.about)
  return exitCode === 127
    ? notFound(complaint.about, found)
    : notExecutable({ ...found, path: complaint.about }, complaint.about)
}

interface Complaint {
  readonly by: 'shell' | 'env'
  readonly about: string
  readonly interpreter?: string
}

const envComplaint =
  /^(?:\S*\/)?env: (?:can't execute )?['‘"]?(?<about>.+?)['’"]?: (?:No such file or directory|Permission denied)$/
/** bash before 5.2, and macOS. */
const interpreterComplaint = /(?:^|: )(?<about>[^:]+): (?<interpreter>[^:]+): bad interpreter/
/** dash, bash, busybox and zsh, with and without a line number. */
const shellComplaint =
  /^[^:]*: (?:(?:line )?\d+: )?(?<about>.+): (?:(?:command )?not found|no such file or directory|cannot execute: required file not found|permission denied|is a directory)$/i

function complaintOf(line: string): Complaint | undefined {
  const env = envComplaint.exec(line)?.groups?.['about']
  if (env !== undefined) return { by: 'env', about: env }
  const { about, interpreter } = interpreterComplaint.exec(line)?.groups ?? {}
  if (about !== undefined && interpreter !== undefined) return { by: 'shell', about, interpreter }
  const shell = shellComplaint.exec(line)?.groups?.['about']
  return shell === undefined ? undefined : { by: 'shell', about: shell }
}

function notFound(file: string, found: Look): Failure {
  if (found.is === 'file') return interpreterMissing(file, found.interpreter)
  const where = isName(file) ? 'was not found in PATH' : 'does not exist'
  return { code: 'commandNotFound', message: `${quoted(file)} ${where}` }
}

const isName = (file: string) => !isAbsolute(file) && !/[/\\]/.test(file)

/** A folder of `PATH` that this user may not search makes the system say that permission is denied, of any name. */
const notInReach = 'was not found in the folders of PATH that may be searched'

function interpreterMissing(
  file: string | undefined,
  interpreter: string | undefined,
  how = 'does not exist',
): Failure {
  const subject = file === undefined ? 'it' : quoted(file)
  if (interpreter === undefined) {
    // A binary whose loader is missing, such as one built for another C library.
    return { code: 'interpreterMissing', message: `${subject} exists, but its loader does not` }
  }
  if (interpreter.endsWith('\r')) {
    const remedy = 'convert the file to LF line endings'
    const message = `the first line of ${subject} ends in CR LF, so its interpreter is not found; ${remedy}`
    return { code: 'interpreterMissing', message }
  }
  return {
    code: 'interpreterMissing',
    message: `${subject} needs the interpreter ${quoted(interpreter)}, which ${how}`,
  }
}

/** @param asked the program as it was asked for: a path, or a name to look up in `PATH` */
function notExecutable({ path, is, executable, interpreter }: Look, asked: string): Failure {
  const code = 'notExecutable'
  if (is === 'missing' && isName(asked)) return { code: 'commandNotFound', message: `${quoted(asked)} ${notInReach}` }
  const file = quoted(path)
  if (is === 'folder') return { code, message: `${file} is a folder, not a program` }
  if (is === 'file' && !executable) {
    return { code, message: `${file} is not executable; run ${quoted(`chmod +x ${shellWord(path)}`)}` }
  }
  if (interpreter !== undefined) {
    return { code, message: `${file} names an interpreter that is not executable: ${quoted(interpreter)}` }
  }
  return { code, message: `${file} cannot be executed: a folder above it or its file system forbids it` }
}

/** Makes foreign text fit for one line of a message. */
function quoted(text: string): string {
  return `\`${sayable(firstLine(text))}\``
}

/** The state of a program's file, for explaining why it could not be started. */
export interface Look {
  /** The path that was tried. */
  readonly path: string
  readonly is: 'file' | 'folder' | 'missing'
  /** True if this user may execute it. */
  readonly executable: boolean
  /** Text after `#!` on the first line, including a CR at its end. */
  readonly interpreter: string | undefined
}

/** Linux reads no more of a script than this to find its interpreter. */
const firstLineBytes = 256

/** Looks a program up as `execvp` does: by path from `cwd`, or by name in `PATH`. */
export function look(file: string, cwd: string, path: string | undefined): Look {
  const byName = !file.includes('/') && file !== ''
  const candidates = byName ? (path ?? '').split(delimiter).map((folder) => join(resolve(cwd, folder), file)) : []
  const looks = [...candidates, ...(byName ? [] : [isAbsolute(file) ? file : resolve(cwd, file)])].map(lookAt)
  return (
    looks.find(({ is }) => is === 'file') ??
    looks.find(({ is }) => is === 'folder') ?? { path: file, is: 'missing', executable: false, interpreter: undefined }
  )
}

function lookAt(path: string): Look {
  const nothing: Look = { path, is: 'missing', executable: false, interpreter: undefined }
  try {
    if (statSync(path).isDirectory()) return { ...nothing, is: 'folder' }
    return { path, is: 'file', executable: isExecutable(path), interpreter: interpreterOf(path) }
  } catch {
    return nothing
  }
}

function interpreterOf(path: string): string | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const bytes = Buffer.alloc(firstLineBytes)
      const line = bytes.toString('utf8', 0, readSync(file, bytes)).split('\n')[0] ?? ''
      return line.startsWith('#!') ? line.slice(2).replace(/^[ \t]+/, '') : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
