import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import vm from 'node:vm'

// INVARIANT: imports only node: modules, since it is loaded before everything that may fail to load.

/** A built file: a function with the parameters of a CommonJS module. */
type ModuleFunction = (
  this: unknown,
  exports: unknown,
  require: (name: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void

/** The place of one built file's code in the file of kept code, in bytes, and the SHA-1 of that code. */
type Stretch = readonly [from: number, length: number, sum: string]

interface KeptCode {
  readonly descriptor: number
  readonly stretches: ReadonlyMap<string, Stretch>
}

export interface LoadedProgram {
  readonly exports: unknown
  /** Writes the compiled code into the file, if functions of a built file are not in it yet. */
  readonly keep: () => void
}

/** A run that took longer, such as a gate's, has compiled far more than a start needs. */
const keptAfterMsMax = 30_000
/** The head of the file of kept code: the longest list of built files takes a tenth. */
const headBytesMax = 256 * 1024

/**
 * Loads a program that was built as CommonJS, with the code that V8 compiled for it in an earlier process.
 *
 * Node's own compile cache is written when a module is compiled, before it runs, so it lacks nearly every function: V8
 * compiles a function when it is first called. This one is written at the end of a run, and holds those that were called.
 *
 * @param entry the program's file. Its name has a hash of the whole program, as the names of the files that it loads have
 * @param kept the file of the kept code, in a folder that only this user can write to; `undefined` keeps nothing
 */
export function loadKept(entry: string, kept: string | undefined): LoadedProgram {
  const startedAtMs = performance.now()
  const known = kept === undefined ? undefined : openKept(kept, entry)
  const modules = new Map<string, { exports: unknown }>()
  const scripts = new Map<string, vm.Script>()
  let isAllKnown = true
  const { exports } = load(entry)
  return { exports, keep }

  function load(file: string): { exports: unknown } {
    const before = modules.get(file)
    if (before !== undefined) return before
    const loaded: { exports: unknown } = { exports: {} }
    modules.set(file, loaded)
    const cachedData = known && codeOf(known, path.basename(file))
    const text = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(file, 'utf8')}\n})`
    // Without `importModuleDynamically`: Node prints a warning, that it is experimental, where an `import()` is run.
    const script = new vm.Script(text, { filename: file, ...(cachedData && { cachedData }) })
    isAllKnown &&= cachedData !== undefined && script.cachedDataRejected === false
    scripts.set(file, script)
    const folder = path.dirname(file)
    let others: NodeJS.Require | undefined
    const requireFrom = (name: string): unknown => {
      if (name.startsWith('.')) return load(path.join(folder, name)).exports
      others ??= createRequire(file)
      return others(name)
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text above is such a function
    const run = script.runInThisContext() as ModuleFunction
    run.call(loaded.exports, loaded.exports, requireFrom, loaded, file, folder)
    return loaded
  }

  function keep(): void {
    if (kept === undefined || isAllKnown || performance.now() - startedAtMs > keptAfterMsMax) return
    try {
      const codes = new Map<string, Uint8Array>()
      for (const name of known?.stretches.keys() ?? []) {
        const code = known && codeOf(known, name)
        if (code !== undefined) codes.set(name, code)
      }
      for (const [file, script] of scripts) codes.set(path.basename(file), script.createCachedData())
      writeKept(kept, entry, codes)
    } catch {
      // Nothing depends on it: the next start compiles again.
    }
  }
}

/** Returns the code of a built file, if what was written is what stands there. V8 itself does not check it. */
function codeOf({ descriptor, stretches }: KeptCode, name: string): Buffer | undefined {
  const stretch = stretches.get(name)
  if (stretch === undefined) return undefined
  const [from, length, sum] = stretch
  const bytes = Buffer.allocUnsafeSlow(length)
  const isWhole = fs.readSync(descriptor, bytes, 0, length, from) === length && sumOf(bytes) === sum
  return isWhole ? bytes : undefined
}

/** Opens the kept code of this very program, on this Node, if no other user could have written it. */
function openKept(file: string, entry: string): KeptCode | undefined {
  let descriptor: number | undefined
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0))
    const { uid, mode, size } = fs.fstatSync(descriptor)
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    const head = Buffer.alloc(Math.min(size, headBytesMax))
    fs.readSync(descriptor, head, 0, head.length, 0)
    const end = head.indexOf('\n')
    const [first, ...rows] = isOwn && end > 0 ? head.toString('utf8', 0, end).split('\t') : []
    if (first !== programId(entry)) throw new Error('of another program')
    const stretches = rows.map((row): [string, Stretch] => {
      const [name = '', from, length, sum = ''] = row.split(' ')
      return [name, [Number(from) + end + 1, Number(length), sum]]
    })
    return { descriptor, stretches: new Map(stretches) }
  } catch {
    if (descriptor !== undefined) fs.closeSync(descriptor)
    return undefined
  }
}

/** Writes the code beside the file, and then replaces it: another process may read it. */
function writeKept(file: string, entry: string, codes: ReadonlyMap<string, Uint8Array>): void {
  let at = 0
  const rows = [...codes].map(([name, code]) => {
    const row = [name, at, code.length, sumOf(code)].join(' ')
    at += code.length
    return row
  })
  const folder = path.dirname(file)
  // Only where hookgate keeps something already.
  if (!fs.existsSync(path.dirname(folder))) return
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = path.join(folder, `.${path.basename(file)}.${randomUUID()}`)
  const head = Buffer.from(`${[programId(entry), ...rows].join('\t')}\n`)
  try {
    fs.writeFileSync(draft, Buffer.concat([head, ...codes.values()]), { flag: 'wx', mode: 0o600 })
    fs.renameSync(draft, file)
  } catch (cause) {
    fs.rmSync(draft, { force: true })
    throw cause
  }
}

const programId = (entry: string) => `${path.basename(entry)} ${process.version} ${process.arch}`
const sumOf = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex')
