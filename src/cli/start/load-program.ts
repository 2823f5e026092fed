import { homedir } from 'node:os'
import { join } from 'node:path'
import { stateFolderOf } from '../../files/state/places.ts'
import type * as program from '../program.ts'
import { loadKept } from './kept-code.ts'

type BuiltProgram = typeof program

interface Loaded {
  readonly program: BuiltProgram
  /** Keeps the compiled code for the next start, at the end of a run. */
  readonly keep: () => void
}

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- an interface of TypeScript's own is extended
  interface ImportMeta {
    /** The file of the built program, which the build puts in; `undefined` if run from source. */
    readonly programFile?: string
  }
}

/** Loads the command line: as built, with the code that was kept for the command. */
export async function loadProgram(command: string): Promise<Loaded> {
  if (import.meta.programFile === undefined) return { program: await import('../program.ts'), keep: () => {} }
  const file = join(import.meta.dirname, import.meta.programFile)
  const { exports, keep } = loadKept(file, keptFile(command))
  return { program: asBuilt(exports), keep }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the build makes the file from this very module
const asBuilt = (exports: unknown) => exports as BuiltProgram

/** Returns the file for the code of a command. Each needs other functions; commands that there are not keep nothing. */
function keptFile(command: string): string | undefined {
  if (process.env['NODE_DISABLE_COMPILE_CACHE'] === '1' || !/^[a-z-]{1,20}$/.test(command)) return undefined
  const { NODE_COMPILE_CACHE: named } = process.env
  try {
    const folder = named === undefined || named === '' ? stateFolderOf(process.env, process.platform, homedir()) : named
    return join(folder, 'code', `${command}.v8`)
  } catch {
    // Without a home there is no folder to keep it in.
    return undefined
  }
}
