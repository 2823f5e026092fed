import type { CompiledPolicy } from '../model/policy.ts'
import { compilePolicy } from '../rules/load/policy/compile-policy.ts'
import { type ParsedModule, parseModule } from '../rules/load/policy/parse-module.ts'
import { limits } from '../model/limits.ts'
import type { Unreadable } from '../rules/disk.ts'
import { makeDisk } from '../rules/disk.ts'
import type { Problem } from '../rules/problem.ts'
import type { PolicyFile } from './find-policies.ts'

/** A module of a policy, as it was written and as it was read. */
export interface SourceModule extends ParsedModule {
  /** With its types; every offset is the same. */
  readonly source: string
}

/** A policy's files, read once, to be compiled with changes. */
export interface PolicySources extends PolicyFile {
  readonly compiled: CompiledPolicy
  /** In the order of evaluation, the policy's own last. */
  readonly modules: readonly SourceModule[]
  /** The policy with other texts in the place of some, or beside them. */
  compile(changes: ReadonlyMap<string, string>, entry?: string): CompiledPolicy | readonly Problem[]
}

/** Reads and compiles a policy, or tells what is wrong with it. */
export function readSources({ file, folder }: PolicyFile): PolicySources | readonly Problem[] {
  const disk = makeDisk()
  const texts = new Map<string, string | Unreadable | undefined>()
  const readText = (path: string) => {
    if (!texts.has(path)) texts.set(path, disk.see(path) === 'absent' ? undefined : textAt(path, disk))
    return texts.get(path)
  }
  const compile: PolicySources['compile'] = (changes, entry = file) =>
    compilePolicy(entry, (path) => changes.get(path) ?? readText(path), { folder })
  const compiled = compile(new Map())
  if (!('digest' in compiled)) return compiled
  const modules = compiled.modules.flatMap((module): readonly SourceModule[] => {
    const text = readText(module.file)
    if (typeof text !== 'string') return []
    const parsed = parseModule(text, module.file)
    return 'severity' in parsed ? [] : [{ ...parsed, source: text.replace(/^\ufeff/, '') }]
  })
  return { file, folder, compiled, modules, compile }
}

function textAt(path: string, disk: ReturnType<typeof makeDisk>): string | Unreadable {
  const bytes = disk.read(path, limits.policyFileBytesMax)
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : bytes
}
