import { createRequire, findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { readFileSync } from 'node:fs'

/** The folder of the installed package or the checkout: the build does not keep the places of modules, but this one. */
export const packageFolder = dirname(findPackageJSON(import.meta.url) ?? import.meta.dirname)

/** The extension of the running program's files: `.ts` if run from source, otherwise `.js`. */
const extension = import.meta.filename.endsWith('.ts') ? '.ts' : '.js'

/** The folder of the running program: `dist`, or `src` in a checkout. */
export const programFolder = join(packageFolder, extension === '.ts' ? 'src' : 'dist')

/** The files that are started as a process or worker thread, by their paths in the program's folder. */
type ProgramEntry =
  | 'cli/bin'
  | 'hooks/companion'
  | 'hooks/worker'
  | 'policy/sandbox/thread/sandbox-main'
  | 'record/export/export-thread'
  | 'record/recorder-thread'
  | 'record/verify-thread'
  | 'policy/sandbox/thread/worker'
  | 'service/client/thin'
  | 'ui/replay-thread'

/** Returns the file of a process or worker thread: the source if run from source, otherwise the build. */
export function entryFile(name: ProgramEntry): string {
  return join(programFolder, `${name}${extension}`)
}

/** The module that policies import as `hookgate/policy`. */
export const libraryFile = join(programFolder, 'library', `policy${extension}`)

/** The types of `hookgate/policy`, for editors. */
export const libraryTypesFile = join(programFolder, 'library', extension === '.ts' ? 'policy.ts' : 'policy.d.ts')

/** The type stripper, a CommonJS module. */
export const stripperFile =
  extension === '.ts' ? createRequire(import.meta.url).resolve('amaro') : join(programFolder, 'amaro.cjs')

/** Returns the version of this package; the client and the gate at a socket must have the same. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  // Without the reader of JSON objects: `hookgate run` loads this file before any schema.
  const isObject = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isObject && typeof manifest.version === 'string' ? manifest.version : ''
}

/**
 * Options of Node for the gate and its sandbox, which live long and keep little: most of what an event allocates is
 * garbage when it is answered. By default V8 takes 16 MB for new objects, and lets a heap grow to several times what is
 * in use before it collects: a gate that has seen traffic then takes twice the memory, and is no faster (measured).
 */
export const smallHeap: readonly string[] = ['--max-semi-space-size=2', '--heap-growing-percent=20']
