import type { ShellWord } from '../../model/shell.ts'
import { escapeGlob, withoutEnd } from '../../model/text.ts'
import { isWindows } from '../paths/place.ts'

/** Tells by its syntax whether an argument of an unknown program is likely to be a path. */
export function looksLikePath(value: string): boolean {
  const first = value.charCodeAt(0)
  if (Number.isNaN(first) || first === dash || first > 0x7f) return false
  if (isWindows(value)) return true
  if (isUrl(value) || /[\s;|&<>(){}]/.test(value)) return first === slash && !/[\n;|&<>(){}]/.test(value)
  return first === slash || first === tilde || value.includes('/') || isDotted(value)
}
const dash = 45
const slash = 47
const tilde = 126

/** `.`, `..`, `.env`. */
const isDotted = (value: string): boolean => /^\.(?:$|\.$|[A-Za-z_])/.test(value)

export function isUrl(value: string): boolean {
  return /^[A-Za-z][\w+.-]*:\/\//.test(value)
}

/** Tells whether a host, as a person or not, is this machine. */
export const namesThisMachine = (host: ShellWord | undefined): boolean => thisMachine.test(host?.value ?? '')
const thisMachine =
  /^(?:ssh:\/\/)?(?:[^@\s]*@)?(?:localhost|\.host|127(?:\.\d{1,3}){1,3}|\[?::1\]?)(?::\d+)?[/,]?$|^[^@\s]+@$/i

/** Splits `[user@]host:path` or a URL into host and path; `undefined` for a local path. */
export function remotePlace(value: string): { readonly host: string; readonly path: string } | undefined {
  const url = /^(?:rsync|scp|sftp|ssh|ftp|ftps|sshfs):\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/]+)(?::\d+)?(\/.*)?$/i.exec(value)
  if (url !== null) return { host: url[1] ?? '', path: url[2] ?? '' }
  const colon = value.indexOf(':')
  if (colon < 1 || isWindows(value)) return undefined
  const before = value.slice(0, colon)
  if (before.includes('/')) return undefined
  return { host: before.slice(before.lastIndexOf('@') + 1), path: value.slice(colon + 1) }
}

/** Resolves a relative word against the folder that an option changes to. */
export function inFolder(folder: ShellWord | undefined, word: ShellWord): ShellWord {
  if (folder === undefined || /^[/~]/.test(word.value)) return word
  const base = withoutEnd(folder.value, '/')
  const value = `${base}/${word.value}`
  const unresolved = folder.unresolved === true || word.unresolved === true
  const { pattern } = word
  return {
    value,
    ...(unresolved && { unresolved }),
    ...(word.from !== undefined && { from: word.from }),
    ...(pattern !== undefined && { pattern: `${escapeGlob(base)}/${pattern}` }),
  }
}
