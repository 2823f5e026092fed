import { dirname, resolve } from 'node:path'
import type { CompiledPolicy } from '../../model/policy.ts'
import { compilePolicy, compileWithFlaws } from '../compile/compile-policy.ts'
import { type ParsedModule, parseModule } from '../compile/syntax/parse-module.ts'
import { limits } from '../../model/limits.ts'
import { makeDisk } from '../../files/disk.ts'
import { realPath } from '../../files/real-path.ts'
import type { Unreadable } from '../../model/disk.ts'
import type { Syntax } from '../compile/syntax/syntax-walk.ts'
import type { Problem } from '../../model/problem.ts'
import { descriptionNodes } from './description-nodes.ts'
import type { PolicyFile } from './find-policies.ts'

/** A module of a policy, as it was written and as it was read. */
export interface SourceModule extends ParsedModule {
  /** With its types; every offset is the same. */
  readonly source: string
  /** What takes no part in deciding. */
  readonly description: ReadonlySet<Syntax>
}

/** A policy's files, read once, to be compiled with changes. */
export interface PolicySources extends PolicyFile {
  readonly compiled: CompiledPolicy
  /** In the order of evaluation, the policy's own last. */
  readonly modules: readonly SourceModule[]
  /** The policy with texts that count where they go in the place of its own, behind a module of ours. */
  compileInstrumented(changes: ReadonlyMap<string, string>, entry: string): CompiledPolicy | readonly Problem[]
}

/** A policy that is not to be asked. */
export interface FlawedSources {
  readonly problems: readonly Problem[]
  /** What could be run all the same, to hear what it says of itself. */
  readonly flawed: CompiledPolicy | undefined
}

/** Reads and compiles a policy, or tells what is wrong with it. */
export function readSources({ file, folder }: PolicyFile): PolicySources | FlawedSources {
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
  // Whoever imports a module comes behind it: from the last on, it is known of each whether it takes part in deciding.
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

/** The files that a module imports for more than to describe its policy with. */
function importsOf({ ast, file }: ParsedModule, description: ReadonlySet<Syntax>): readonly string[] {
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
