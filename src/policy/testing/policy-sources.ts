import type { AnyNode } from 'acorn'
import { dirname, resolve } from 'node:path'
import type { CompiledPolicy } from '../../model/policy.ts'
import { compilePolicy, compileWithFlaws } from '../compile/compile-policy.ts'
import { type ParsedModule, parseModule } from '../compile/syntax/parse-module.ts'
import { limits } from '../../model/limits.ts'
import { makeDisk } from '../../files/disk.ts'
import { realPath } from '../../files/real-path.ts'
import type { Unreadable } from '../../model/disk.ts'
import type { Problem } from '../../model/problem.ts'
import { descriptionNodes } from './description-nodes.ts'
import type { FoundPolicy } from './find-policies.ts'

/** A module of a policy: its source and its syntax tree. */
export interface SourceModule extends ParsedModule {
  /** The source with its types; offsets are the same as in `text`. */
  readonly source: string
  /** Nodes that cannot affect the decision. */
  readonly description: ReadonlySet<AnyNode>
}

/** A policy's files, read once, to be compiled with changes. */
export interface PolicySources extends FoundPolicy {
  readonly compiled: CompiledPolicy
  /** In order of evaluation, the policy's own module last. */
  readonly modules: readonly SourceModule[]
  /** Compiles the policy with its files' texts replaced by instrumented ones, from another entry module. */
  compileInstrumented(changes: ReadonlyMap<string, string>, entry: string): CompiledPolicy | readonly Problem[]
}

/** The problems of a policy that must not be evaluated. */
export interface FlawedSources {
  readonly problems: readonly Problem[]
  /** The compiled policy if it can still be run, to read its definition. */
  readonly flawed: CompiledPolicy | undefined
}

/** Reads and compiles a policy, or returns its problems. */
export function readSources({ file, folder }: FoundPolicy): PolicySources | FlawedSources {
  const disk = makeDisk()
  const texts = new Map<string, string | Unreadable | undefined>()
  const readText = (path: string) => {
    if (!texts.has(path)) texts.set(path, disk.see(path) === 'absent' ? undefined : textAt(path, disk))
    return texts.get(path)
  }
  const compileInstrumented: PolicySources['compileInstrumented'] = (changes, entry) =>
    compilePolicy(entry, (path) => changes.get(path) ?? readText(path), { folder, isInstrumented: true })
  const { policy: compiled, problems } = compileWithFlaws(file, readText, { folder })
  if (compiled === undefined || problems.length > 0) return { problems, flawed: compiled }
  const modules: SourceModule[] = []
  const deciding = new Set([realPath(file)])
  // Importers come after the modules they import: going backwards, it is known of each whether it affects the decision.
  for (const module of compiled.modules.toReversed()) {
    const text = readText(module.file)
    const parsed = typeof text === 'string' ? parseModule(text, module.file) : undefined
    if (typeof text !== 'string' || parsed === undefined || 'severity' in parsed) continue
    const takesPart = deciding.has(realPath(module.file))
    const description = takesPart ? descriptionNodes(parsed.ast) : new Set([parsed.ast])
    for (const imported of takesPart ? importsOf(parsed, description) : []) deciding.add(imported)
    modules.unshift({ ...parsed, source: text.replace(/^\ufeff/, ''), description })
  }
  return { file, folder, compiled, modules, compileInstrumented }
}

/** Returns the files that a module imports for more than its policy's description. */
function importsOf({ ast, file }: ParsedModule, description: ReadonlySet<AnyNode>): readonly string[] {
  return ast.body.flatMap((node) => {
    if (!('source' in node) || typeof node.source?.value !== 'string') return []
    const names = node.type === 'ImportDeclaration' ? node.specifiers : []
    const describes = names.length > 0 && names.every((name) => description.has(name))
    return describes ? [] : [realPath(resolve(dirname(realPath(file)), node.source.value))]
  })
}

function textAt(path: string, disk: ReturnType<typeof makeDisk>): string | Unreadable {
  const bytes = disk.read(path, limits.policyFileBytesMax)
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : bytes
}
