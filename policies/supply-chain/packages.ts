import { type Impact, isLike, lineOf, type ShellFacts, unknownPart } from 'hookgate/policy'

/** A package as it is named to a manager. */
export interface Named {
  /** As it is written. */
  readonly text: string
  /** Without its version. */
  readonly name: string
  readonly version?: string
  /** The kind of source, for a package that is not from a registry. */
  readonly from?: string
  /** A part of it is unknown. */
  readonly unknown: boolean
}

/** Kinds of sources besides registries, by their keys in `Impact.targets`. */
const places = ['address', 'repository', 'archive', 'alias', 'folder'] as const

/** Returns the packages that an impact installs or runs. */
export function packagesOf({ names, targets }: Impact): readonly Named[] {
  return [...names, ...(targets['unknown'] ?? [])].map((text) => {
    const from = places.find((place) => targets[place]?.includes(text) === true)
    const unknown = text.includes(unknownPart)
    if (from === 'alias') return { text, name: text.replace(/(?<=.)@.*/, ''), from, unknown }
    if (from !== undefined) return { text, name: text, from, unknown }
    const [, name = text, version = ''] =
      /^(@?[^@=<>!~[\s;]+)(?:\[[^\]]*\])?(?:@|===?|(?=[<>!~]))?([^;\s]*)/.exec(text) ?? []
    return version === '' ? { text, name, unknown } : { text, name, unknown, version }
  })
}

/** The impacts on packages that a rule is for, and where they are. */
export const impactsOn = (
  impacts: readonly Impact[],
  area: Impact['area'],
  ...kinds: readonly Impact['kind'][]
): readonly (Impact & { readonly by: number })[] =>
  impacts.flatMap((one) => {
    const { by } = one
    return one.area === area && kinds.includes(one.kind) && typeof by === 'number' ? [{ ...one, by }] : []
  })

/** True if the command of an impact has an option, or may have it. */
export const hasOption = ({ by }: { readonly by: number }, { commands }: ShellFacts, ...names: readonly string[]) => {
  const command = commands[by]
  const line = command === undefined ? undefined : lineOf(command)
  return line?.has(...names) === true || line?.globals.has(...names) === true
}

/** True for an exact version, false for a range, which may resolve differently tomorrow. */
export const isPinned = ({ version }: Named) => version !== undefined && /^v?\d+\.\d+(?:\.\d+)?[\w.+-]*$/.test(version)

/** True if the person allowed it: `@scope/*` matches every package of a scope. */
export const isAllowed = ({ name, text }: Named, allowed: readonly string[]) =>
  allowed.some((one) => isLike(name, one) || one === text)
