import { limits } from '../../../model/limits.ts'
import { quoted, quotedSome } from '../../../model/text.ts'
import type { Problem } from '../../../model/problem.ts'
import { didYouMean } from '../../../words/suggest.ts'
import type { Exported, ModuleInterface } from './module-interface.ts'
import { problemAt, type SourceText } from './places.ts'

/** The exports of a requested module: each name with the origin of its binding. */
export interface ModuleExports {
  readonly names: ReadonlyMap<string, BindingOrigin>
}

/** Identifies an exported binding by text; `ambiguous` if two modules export different bindings under one name. */
export type BindingOrigin = string

const ambiguous: BindingOrigin = 'ambiguous'
export const originOf = (key: string, local: string): BindingOrigin => `${local} of ${key}`

/** Returns the names that a module exports, including those of `export *`. Modules with problems are left out. */
export function exportedNames(
  { exports }: ModuleInterface,
  key: string,
  offers: readonly (ModuleExports | undefined)[],
): ReadonlyMap<string, BindingOrigin> {
  const names = new Map<string, BindingOrigin>()
  for (const one of exports) if (one.kind !== 'star') names.set(one.as, directOrigin(one, key, offers))
  const own = new Set(names.keys())
  for (const one of exports) {
    if (one.kind !== 'star') continue
    for (const [name, origin] of offers[one.request]?.names ?? []) {
      if (name === 'default' || own.has(name)) continue
      const known = names.get(name)
      names.set(name, known === undefined || known === origin ? origin : ambiguous)
    }
  }
  return names
}

function directOrigin(
  one: Exclude<Exported, { kind: 'star' }>,
  key: string,
  offers: readonly (ModuleExports | undefined)[],
): BindingOrigin {
  switch (one.kind) {
    case 'local':
      return originOf(key, one.local)
    case 'default':
      return originOf(key, '*default*')
    case 'taken':
      return (
        (one.name === undefined ? undefined : offers[one.request]?.names.get(one.name)) ??
        originOf(`${key} ${one.request}`, one.name ?? '*')
      )
  }
}

/** Returns a problem for each imported name that does not exist or is ambiguous. */
export function importProblems(
  module: SourceText,
  { requests, imports, exports }: ModuleInterface,
  offers: readonly (ModuleExports | undefined)[],
): Problem[] {
  const taken = [...exports.filter((one) => one.kind === 'taken'), ...imports]
  const offered = ({ request }: { request: number }) => offers[request]?.names
  const unknown = taken.filter((one) => {
    const names = offered(one)
    if (one.name === undefined || names === undefined) return false
    return (names.get(one.name) ?? ambiguous) === ambiguous
  })
  // A re-exported import would be reported twice.
  const unique = new Map(unknown.map((one) => [`${one.request} ${one.name}`, one]))
  return [...unique.values()].slice(0, limits.policyProblemsMax).map((one) => {
    const name = one.name ?? ''
    const names = offered(one)
    const specifier = quoted(requests[one.request]?.specifier ?? '')
    if (names?.has(name)) {
      const message = `${specifier} has several exports named ${quoted(name)}`
      return problemAt(module, one.at, message, 'import it from the file that defines it')
    }
    const message = name === 'default' ? `${specifier} has no default export` : `${specifier} has no ${quoted(name)}`
    return problemAt(module, one.at, message, remedyFor(name, [...(names?.keys() ?? [])], module.file))
  })
}

function remedyFor(name: string, offered: readonly string[], file: string): string {
  const meant = name.length <= longestName ? didYouMean(name, offered) : undefined
  if (meant !== undefined) return meant
  const type = /\.m?ts$/.test(file) ? ' (a type is imported with `import type`)' : ''
  if (offered.length === 0) return `it exports nothing${type}`
  return `it has ${quotedSome(offered.toSorted())}${type}`
}
/** Names longer than this get no suggestion: comparing two names costs the product of their lengths. */
const longestName = 100
