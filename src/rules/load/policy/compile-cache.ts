import { createHash } from 'node:crypto'
import { limits } from '../../../model/limits.ts'
import { isShipped } from '../shipped.ts'
import type { Built } from './built-policies.ts'
import { type Disk, isUnreadable, realPath, type Unreadable } from '../../disk.ts'
import type { Compilation, compileWithFlaws, ReadModules } from './compile-policy.ts'

type Compile = typeof compileWithFlaws

/** Compiles policies, and remembers what came of it for as long as their files have the same content. */
export interface CompileCache {
  /** @param read what is shared by policies that are compiled together */
  compile(file: string, folder: string, disk: Disk, read?: ReadModules): Promise<Compilation>
}

interface Compiled {
  /** What was read, and what it was. */
  readonly reads: ReadonlyMap<string, string>
  readonly result: Compilation
}

/** @param built what need not be compiled; asked for only where something could be of it */
export function openCompileCache(built?: () => Promise<Built | undefined>): CompileCache {
  const known = new Map<string, Compiled>()
  // Its parsers take longer to load than most rules take to read.
  let loading: Promise<Compile> | undefined
  return {
    async compile(file, folder, disk, read = new Map()) {
      const shipped =
        built !== undefined && isShipped(file) ? (await built())?.compilation(file, folder, disk) : undefined
      if (shipped !== undefined) return shipped
      const key = `${file}\0${folder}`
      const before = known.get(key)
      if (before !== undefined && isSame(before, disk)) return before.result
      loading ??= import('./compile-policy.ts').then((module) => module.compileWithFlaws)
      const compileNow = await loading
      const reads = new Map<string, string>()
      const readText = (path: string) => {
        const text = textOf(path, disk)
        reads.set(path, fingerprint(path, text))
        return text
      }
      const result = compileNow(file, readText, { folder, read })
      if (known.size >= limits.policiesCompiledMax) known.clear()
      known.set(key, { reads, result })
      return result
    },
  }
}

function isSame({ reads }: Compiled, disk: Disk): boolean {
  return [...reads].every(([path, was]) => fingerprint(path, textOf(path, disk)) === was)
}

/** @returns `undefined` where there is no such file */
export function textOf(path: string, disk: Disk): string | Unreadable | undefined {
  if (disk.see(path) === 'absent') return undefined
  const bytes = disk.read(path, limits.policyFileBytesMax)
  if (isUnreadable(bytes)) return bytes
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { kind: 'unreadable', why: 'it is not UTF-8' }
  }
}

/** The content, and where links lead: imports are relative to that. */
function fingerprint(path: string, text: string | Unreadable | undefined): string {
  if (typeof text !== 'string') return JSON.stringify(text ?? 'absent')
  return `${realPath(path)} ${createHash('sha256').update(text).digest('hex')}`
}
