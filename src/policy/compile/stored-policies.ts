import { relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import type { CompiledModule, CompiledPolicy } from '../../model/policy.ts'
import type { CheckedPolicy } from '../../model/policy-loading.ts'
import { isError } from '../../model/problem.ts'
import { Imports } from './built.ts'
import type { Compilation } from './compile-policy.ts'
import type { FilesRead } from './source-files.ts'

/** A policy as it was compiled, and the files that this depends on. */
export interface CompiledFiles {
  readonly reads: FilesRead
  readonly result: Compilation
}

const Place = z.int().nonnegative()

const Warning = z.strictObject({
  severity: z.literal('warning'),
  place: z.strictObject({ file: z.string(), line: z.int(), column: z.int() }),
  message: z.string(),
  remedy: z.string(),
})

/**
 * The content of a file of compiled policies: they share a folder, which all paths are relative to, with slashes. Each
 * compiled without problems, was described, and passed its examples.
 */
export const StoredPolicies = z.strictObject({
  /** The path and the fingerprint of each file that was read. */
  files: z.array(z.tuple([z.string(), z.string()])),
  /** Compiled modules, with the index of each one's file and the size of that file. */
  modules: z.array(z.strictObject({ file: Place, bytes: Place, code: z.string() })),
  /** Policies by the path of their file. */
  policies: z.record(
    z.string(),
    z.strictObject({
      digest: z.string().regex(/^[0-9a-f]{64}$/),
      ignoresToolFacts: z.boolean(),
      definition: z.string(),
      warnings: z.array(Warning),
      /** Indices into `files`. */
      files: z.array(Place),
      /** Indices into `modules`, each with that module's imports. */
      modules: z.array(z.tuple([Place, Imports])).min(1),
    }),
  ),
})
export type StoredPolicies = z.infer<typeof StoredPolicies>

/** Returns a policy with the outcome of its checks, which then need not be repeated; `undefined` if it failed them. */
export function withChecks({ compiled, definition, problems }: CheckedPolicy): CompiledPolicy | undefined {
  if (definition === undefined || problems.some(isError)) return undefined
  return { ...compiled, definition: JSON.stringify({ ...definition, examples: undefined }), warnings: problems }
}

/** Packs policies that share a folder. What several of them are made of is there once. */
export function packPolicies(compiled: readonly CompiledFiles[], folder: string): StoredPolicies {
  const files = openTable<[string, string]>()
  const modules = openTable<StoredPolicies['modules'][number]>()
  const entries = compiled.flatMap(({ reads, result: { policy, cost } }) => {
    if (policy?.definition === undefined) return []
    const { file, digest, ignoresToolFacts = false, definition, warnings = [] } = policy
    const placeOfFile = (path: string) => files.placeOf([storedPath(folder, path), reads.get(path) ?? ''])
    const linked = policy.modules.map(({ file: path, code, imports }): [number, CompiledModule['imports']] => [
      modules.placeOf({ file: placeOfFile(path), bytes: cost.files.get(path) ?? 0, code }),
      imports,
    ])
    const rest = { warnings: z.array(Warning).parse(warnings), files: [...reads.keys()].map(placeOfFile) }
    return [[storedPath(folder, file), { digest, ignoresToolFacts, definition, ...rest, modules: linked }] as const]
  })
  return { files: files.rows, modules: modules.rows, policies: Object.fromEntries(entries) }
}

/** Returns a policy out of a file of them, as if it were compiled now. */
export function unpackPolicy(stored: StoredPolicies, file: string, folder: string): CompiledFiles | undefined {
  const path = storedPath(folder, file)
  const found = Object.hasOwn(stored.policies, path) ? stored.policies[path] : undefined
  if (found === undefined) return undefined
  const reads = new Map<string, string>()
  for (const place of found.files) {
    const [name, print] = stored.files[place] ?? []
    if (name === undefined || print === undefined) return undefined
    reads.set(resolve(folder, name), print)
  }
  const sizes = new Map<string, number>()
  const modules: CompiledModule[] = []
  for (const [place, imports] of found.modules) {
    const module = stored.modules[place]
    const name = module && stored.files[module.file]?.[0]
    if (module === undefined || name === undefined) return undefined
    const from = resolve(folder, name)
    // INVARIANT: no module is used whose file is not looked at.
    if (!reads.has(from)) return undefined
    sizes.set(from, module.bytes)
    modules.push({ file: from, code: module.code, imports })
  }
  const { digest, ignoresToolFacts, definition, warnings } = found
  const policy: CompiledPolicy = { file, modules, ignoresToolFacts, digest, definition, warnings }
  const codeUnits = modules.reduce((sum, { code }) => sum + code.length, 0)
  return { reads, result: { policy, problems: [], cost: { files: sizes, codeUnits } } }
}

/** Returns a path as files of compiled policies contain it: relative, with slashes. */
export const storedPath = (folder: string, file: string) => relative(folder, file).replaceAll(sep, '/')

/** A list of distinct rows, which are referred to by their index. */
function openTable<Row>() {
  const rows: Row[] = []
  const places = new Map<string, number>()
  const placeOf = (row: Row): number => {
    const key = JSON.stringify(row)
    const place = places.get(key) ?? rows.push(row) - 1
    places.set(key, place)
    return place
  }
  return { rows, placeOf }
}
