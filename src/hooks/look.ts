import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { isExecutable } from '../files/entries.ts'

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
