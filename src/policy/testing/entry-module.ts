import { basename, dirname, join, relative, sep } from 'node:path'
import { realPath } from '../../files/real-path.ts'
import type { CompiledPolicy } from '../../model/policy.ts'
import type { PolicySources, SourceModule } from './policy-sources.ts'

/**
 * Compiles a policy with changed modules, behind an entry module of our own.
 *
 * @param changed returns a module's new text
 * @param entryFor returns the text of the entry module, given the specifier by which it imports the policy
 */
export function compileBehindEntry(
  sources: PolicySources,
  changed: (module: SourceModule) => string,
  entryFor: (policy: string) => string,
): CompiledPolicy | undefined {
  const entry = join(realPath(sources.folder), `${uniqueName('hookgate-entry', sources)}.js`)
  const changes = new Map([[entry, entryFor(specifier(entry, sources.file))]])
  for (const module of sources.modules) changes.set(module.file, changed(module))
  const compiled = sources.compileInstrumented(changes, entry)
  return 'digest' in compiled ? compiled : undefined
}

/** Returns the specifier by which one file imports another. */
function specifier(from: string, to: string): string {
  const path = relative(dirname(realPath(from)), join(realPath(dirname(to)), basename(to))).replaceAll(sep, '/')
  return path.startsWith('.') ? path : `./${path}`
}

/** Returns a name that does not occur in the policy's files. */
export function uniqueName(name: string, sources: Pick<PolicySources, 'modules'>): string {
  return sources.modules.some(({ source }) => source.includes(name)) ? uniqueName(`${name}$`, sources) : name
}

/** Inserts statements before the first one of a module, on the same line, so that no line moves. */
export function withHead({ ast }: SourceModule, code: string, head: string): string {
  const at = ast.body[0]?.start ?? 0
  return code.slice(0, at) + head + code.slice(at)
}
