import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path'
import { isShipped } from '../files/policy-files.ts'
import { type BundleSettings, pinnedRootName } from '../model/bundle-settings.ts'
import { limits } from '../model/limits.ts'
import type { Problem } from '../model/errors.ts'
import type { Rule } from '../model/rule.ts'
import { shellWord } from '../model/text.ts'
import { isBelow } from '../words/machine-paths.ts'
import type { LoadedRules } from './load/draft.ts'
import type { RulesPlaces } from './places.ts'

type OwnerPlaces = Pick<RulesPlaces, 'managedFolder' | 'managedOwners'>

/**
 * Warns of managed files that others than an administrator can change or replace. Their rules stay in force.
 *
 * Every folder on the way and every link is looked at. Where owners and modes are not known, as on Windows, there is
 * nothing to warn of.
 *
 * @param loaded all sources
 */
export function unmanagedFiles(loaded: readonly LoadedRules[], places: OwnerPlaces): readonly Problem[] {
  if (process.getuid === undefined) return []
  const managed = loaded.filter(({ source }) => source.scope === 'managed' && source.bundled !== true)
  const found = managed.flatMap(({ source, bundle }) => [source.file, ...pinnedBy(source.file, bundle)])
  const files = [...found, ...found.flatMap(foldersBelow), ...managed.flatMap(({ rules }) => rules.flatMap(filesOf))]
  const problems = [...new Set(files)].flatMap((file) => unmanaged(file, places) ?? [])
  // One weak folder weakens all that is below it.
  return [...Map.groupBy(problems, ({ remedy }) => remedy).values()]
    .flatMap(([first]) => first ?? [])
    .slice(0, limits.wrongFieldsNamedMax)
}

/** Returns the pinned root of trust: whoever can change it signs the rules. */
const pinnedBy = (file: string, bundle: BundleSettings | undefined): readonly string[] =>
  bundle === undefined ? [] : [join(dirname(file), bundle.root ?? pinnedRootName)]

/** Returns the folders to which policies could be added. */
function foldersBelow(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((one) => one.isDirectory() || one.isSymbolicLink())
      .map((one) => join(one.parentPath, one.name))
  } catch {
    // It is a file, or was removed since it was read.
    return []
  }
}

/** Returns the files that a rule is made of. What a shell command names behind its first word is not looked for. */
function filesOf({ handler }: Rule): readonly string[] {
  switch (handler.kind) {
    case 'policy':
      return handler.files.filter((file) => !isShipped(file))
    case 'builtin':
      return []
    case 'remote':
      return [handler.server.ca, handler.server.cert, handler.server.key].flatMap((file) => file ?? [])
    case 'command': {
      const { program } = handler
      const first = program.form === 'shell' ? (/^\s*["']?([^\s"']+)/.exec(program.command)?.[1] ?? '') : program.file
      return isAbsolute(first) ? [first] : []
    }
  }
}

/** Warns of a file that somebody else could change. */
function unmanaged(file: string, places: OwnerPlaces): Problem | undefined {
  const found = changeableBy(file, places)
  if (found === undefined) return undefined
  const where = found.path === file ? '' : `, and ${found.path} leads to it`
  const message = `this does not count as managed${where}: ${found.why}; its rules stay in force`
  return { severity: 'warning', place: { file }, message, remedy: found.remedy }
}

/** Where somebody else than an administrator can change a file. */
export interface Changeable {
  /** The file, or a folder or link on the way to it. */
  readonly path: string
  readonly why: string
  readonly remedy: string
}

/** Finds the first step on the way to a file that somebody else than its owners could change. */
export function changeableBy(file: string, places: OwnerPlaces): Changeable | undefined {
  if (process.getuid === undefined) return undefined
  for (const step of stepsTo(file)) {
    const found = weaknessOf(step, places)
    if (found !== undefined) return { path: step.path, why: found.why, remedy: remedyFor(step, found.command, places) }
  }
  return undefined
}

interface PathStep {
  readonly path: string
  readonly stats: Stats
  /** The link by which the way leads here. */
  readonly link: string | undefined
}

/** Walks from the root to a file, through every folder and link. */
function* stepsTo(file: string, link?: string, linksLeft = linksMax): Generator<PathStep> {
  let path = parse(file).root
  const names = partsOf(file)
  for (const [index, name] of ['', ...names].entries()) {
    path = join(path, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return
    yield { path, stats, link }
    if (!stats.isSymbolicLink()) continue
    const target = resolve(dirname(path), readlinkSync(path))
    if (linksLeft > 0) yield* stepsTo(join(target, ...names.slice(index)), link ?? path, linksLeft - 1)
    return
  }
}
/** As many links as Linux follows in one path. */
const linksMax = 40

const partsOf = (path: string) =>
  path
    .split(sep)
    .filter((part) => part !== '')
    .slice(sep === '/' ? 0 : 1)

interface Weakness {
  readonly why: string
  /** Mends it, before the path. */
  readonly command: string
}

function weaknessOf({ path, stats }: PathStep, { managedOwners, managedFolder }: OwnerPlaces): Weakness | undefined {
  const { mode, uid } = stats
  const [owner = 0] = managedOwners
  if (!managedOwners.includes(uid))
    return { why: `user id ${uid} owns it and may change it`, command: `chown ${owner}` }
  // The mode of a link means nothing.
  if (stats.isSymbolicLink() || (mode & writableByOthers) === 0) return undefined
  // What is in such a folder can be replaced by its owner only, but anybody may add to it.
  const isAbove = path !== managedFolder && !isBelow(path, managedFolder)
  if (stats.isDirectory() && isAbove && (mode & sticky) !== 0) return undefined
  const who = (mode & writableByAll) === 0 ? `the group ${stats.gid}` : 'every user'
  const what = stats.isDirectory() ? 'replace what is in it' : 'write it'
  return { why: `${who} may ${what}`, command: 'chmod go-w' }
}

const writableByAll = 0o002
const writableByOthers = 0o022
const sticky = 0o1000

/** A file elsewhere may be somebody's own: it is not changed, but copied. */
function remedyFor({ path, link }: PathStep, command: string, { managedFolder }: OwnerPlaces): string {
  const isOurs = path === managedFolder || isBelow(path, managedFolder) || isBelow(managedFolder, path)
  if (link !== undefined && !isOurs) return `replace the link ${link} by a copy that only an administrator can write`
  return `run \`${command} ${shellWord(path)}\` as an administrator`
}
