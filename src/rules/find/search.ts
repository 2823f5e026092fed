import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { eventSpellings } from '../../agents/registry.ts'
import { isReallyWithin, realPath } from '../../files/real-path.ts'
import { type Disk, isUnreadable, type Unreadable } from '../../model/disk.ts'
import type { Problem } from '../../model/errors.ts'
import type { Source } from '../../model/rule.ts'
import type { Scope } from '../../model/effect.ts'
import { didYouMean } from '../../words/suggest.ts'
import type { Format, RulesPlaces } from '../places.ts'
import { isShipped } from '../../files/policy-files.ts'
import { isBelow } from '../../words/machine-paths.ts'

/** The file in which a desktop names the user's folders: eight lines. */
const userDirsBytesMax = 64 * 1024

/** A rules file, a hook script or a folder of policies that exists. */
export type RuleSource =
  | { readonly kind: 'file'; readonly source: Source; readonly format: Format }
  /** A Cline hook: its file name is the event, and its execute bit enables it. */
  | {
      readonly kind: 'script'
      readonly source: Source
      readonly event: string
      readonly file: string
      readonly enabled: boolean
    }

  /** Policies in a folder, bound as their own definitions say. */
  | { readonly kind: 'policies'; readonly source: Source; readonly folder: string; readonly files: readonly string[] }

/** The result of a search, in order of precedence. */
export interface SearchResult {
  readonly found: readonly RuleSource[]
  readonly problems: readonly Problem[]
}

/** The place of a search: the prefix of its rule ids, and the folder that paths in ids are relative to. */
export interface SearchOrigin {
  readonly scope: Scope
  /** `project:`, or `project:api/` where there are several workspace roots. */
  readonly prefix: string
  readonly base: string
  readonly workspaceRoot: string | undefined
}

export const nothing: SearchResult = { found: [], problems: [] }

export function together(findings: readonly SearchResult[]): SearchResult {
  return { found: findings.flatMap(({ found }) => found), problems: findings.flatMap(({ problems }) => problems) }
}

/** Finds a rules file if it exists. `shown` replaces the file's path in rule ids. */
export function findFile(
  disk: Disk,
  origin: SearchOrigin,
  file: string,
  format: Format,
  details: { readonly shown?: string; readonly pluginRoot?: string } = {},
): SearchResult {
  const seen = disk.see(file)
  if (seen === 'absent') return nothing
  if (seen === 'folder' || isUnreadable(seen)) {
    const why = isUnreadable(seen) ? seen.why : 'it is a folder'
    return problem('error', file, `the rules file cannot be read: ${why}`, 'fix or remove it')
  }
  const source = sourceOf(origin, file, details.shown, details.pluginRoot)
  return { found: [{ kind: 'file', source, format }], problems: [] }
}

/** Finds every hook of a folder that Cline would run, and those that are disabled. */
export function findScripts(disk: Disk, origin: SearchOrigin, folder: string, platform: NodeJS.Platform): SearchResult {
  const seen = disk.see(folder)
  if (seen === 'absent' || seen === 'file') return nothing
  if (isUnreadable(seen) && seen.dangling === true) {
    return problem('warning', folder, `no hooks run from here: ${seen.why}`, 'mend or remove the link')
  }
  if (isUnreadable(seen))
    return problem('error', folder, `the hooks folder cannot be read: ${seen.why}`, 'fix or remove it')
  const scripts = eventSpellings('cline').map((event) => findScript(disk, origin, folder, event, platform))
  return together([...scripts, { found: [], problems: misnamedScripts(disk, folder, platform) }])
}

/** Finds one Cline script as Cline does: a bare name with an execute bit on Unix; on Windows any `.ps1` is enabled. */
export function findScript(
  disk: Disk,
  origin: SearchOrigin,
  folder: string,
  event: string,
  platform: NodeJS.Platform,
): SearchResult {
  const file = join(folder, platform === 'win32' ? `${event}.ps1` : event)
  const seen = disk.see(file)
  // Cline ignores folders of that name.
  if (seen === 'absent' || seen === 'folder') return nothing
  if (isUnreadable(seen) && seen.dangling === true) {
    return problem('warning', file, `this hook does not run: ${seen.why}`, 'mend or remove the link')
  }
  if (isUnreadable(seen)) return problem('error', file, `the hook cannot be read: ${seen.why}`, 'fix or remove it')
  const enabled = platform === 'win32' || disk.executable(file)
  return { found: [{ kind: 'script', source: sourceOf(origin, folder), event, file, enabled }], problems: [] }
}

/** Warns of files that look like hooks but that Cline never runs: their authors believe to be protected. */
function misnamedScripts(disk: Disk, folder: string, platform: NodeJS.Platform): Problem[] {
  const suffix = platform === 'win32' ? '.ps1' : ''
  const events = eventSpellings('cline')
  return disk
    .names(folder)
    .slice(0, misspeltNamesMax)
    .flatMap((name): readonly Problem[] => {
      const stem = name.replace(/\.[^.]*$/, '')
      const event = events.find((known) => known.toLowerCase() === stem.toLowerCase())
      if (events.some((known) => `${known}${suffix}` === name)) return []
      // A note beside a hook is no reason for a warning.
      if (name !== stem && !scriptExtension.test(name)) return []
      const misspelt = name === stem ? didYouMean(name, events) : undefined
      if (event === undefined && misspelt === undefined) return []
      const remedy = event === undefined ? misspelt : `rename it to \`${event}${suffix}\``
      return problem('warning', join(folder, name), 'this file is not a hook: Cline matches names exactly', remedy)
        .problems
    })
}
/** Names in a hooks folder that are checked for misspellings. Cline has eight events. */
const misspeltNamesMax = 1000

const scriptExtension = /\.(sh|bash|zsh|[cm]?[jt]s|py|ps1|cmd|bat|exe)$/

/**
 * Drops files that were found before, by a link or since the home is a workspace: the one with the most authority
 * counts.
 *
 * A rules file shared by two workspaces counts once for each, since its commands run in each.
 */
export function withoutRepeats(found: readonly RuleSource[]): readonly RuleSource[] {
  const seen = new Set<string>()
  return found.filter((one) => {
    const file = sourceKey(one)
    const { workspaceRoot } = one.source
    const runsIn = one.kind === 'file' && workspaceRoot !== undefined ? realPath(workspaceRoot) : ''
    const key = `${file}\0${runsIn}`
    return !seen.has(key) && !seen.has(`${file}\0`) && seen.add(key)
  })
}

function sourceKey(one: RuleSource): string {
  switch (one.kind) {
    case 'file':
    case 'policies':
      return realPath(one.source.file)
    case 'script':
      return join(realPath(dirname(one.file)), basename(one.file))
  }
}

export function problem(severity: Problem['severity'], file: string, message: string, remedy?: string): SearchResult {
  return { found: [], problems: [{ severity, place: { file }, message, remedy }] }
}

export function sourceOf(origin: SearchOrigin, file: string, shown?: string, pluginRoot?: string): Source {
  const path = shown ?? relative(origin.base, file).split(sep).join('/')
  const { scope, workspaceRoot } = origin
  const id = `${origin.prefix}${path}`.replace(/\/$/, '')
  return { id: id.endsWith(':') ? `${id}.` : id, scope, file, workspaceRoot, pluginRoot }
}

/**
 * Returns the folders that Cline may take for the user's documents folder, in which it keeps global hooks.
 *
 * These are `~/Documents`, where Cline's settings put them on every system, and on Linux also what `xdg-user-dir`
 * answers to Cline's extension: the home folder itself if none is configured. That program is not started here, since
 * every event would wait for it: its answer is read from its configuration file.
 */
export function documentFolders({ home, configFolder, platform }: RulesPlaces, disk: Disk): readonly string[] {
  const usual = join(home, 'Documents')
  if (platform !== 'linux') return [usual]
  const named = namedIn(join(dirname(configFolder), 'user-dirs.dirs'), home, disk)
  return [...new Set([usual, named ?? home])]
}

/** Reads the last `XDG_DOCUMENTS_DIR` as the shell would: relative to `$HOME`, or an absolute path. */
function namedIn(file: string, home: string, disk: Disk): string | undefined {
  if (disk.see(file) !== 'file') return undefined
  const bytes = disk.read(file, userDirsBytesMax)
  if (isUnreadable(bytes)) return undefined
  const value = [...new TextDecoder().decode(bytes).matchAll(line)].at(-1)?.[1]
  if (value === undefined) return undefined
  const path = value.replace(/\\(.)/g, '$1').replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, () => home)
  return isAbsolute(path) ? join(path) : undefined
}

const line = /^[ \t]*XDG_DOCUMENTS_DIR="?((?:[^"\\\n]|\\.)*)"?[ \t]*$/gm

/**
 * Returns the disk as the rules of a workspace may see it; the disk itself for rules that come from none, or from home.
 *
 * INVARIANT: neither the content nor the existence of a file outside the repository is seen, since error messages about
 * it would disclose the content of any file of the user's. The policies that hookgate ships are the exception.
 *
 * @param workspaceRoot the folder in which the rules were found
 */
export function workspaceDisk(workspaceRoot: string | undefined, home: string, disk: Disk): Disk {
  // What is in the home folder itself did not come with a repository.
  if (workspaceRoot === undefined || realPath(workspaceRoot) === realPath(home)) return disk
  const made = disks.get(disk) ?? new Map<string, Disk>()
  disks.set(disk, made)
  const key = `${workspaceRoot}\0${home}`
  const one = made.get(key) ?? confined(disk, repositoryOf(workspaceRoot, home, disk))
  made.set(key, one)
  return one
}

/** Other code remembers by the disk what it has looked at, so that there is one for each workspace. */
const disks = new WeakMap<Disk, Map<string, Disk>>()

/**
 * Returns the top of the innermost repository around a folder; the folder itself outside any repository.
 *
 * Unlike for finding rules, the innermost repository counts: a cloned repository inside another is somebody else's.
 */
function repositoryOf(root: string, home: string, disk: Disk): string {
  for (let folder = root; folder !== home && folder !== dirname(folder); folder = dirname(folder)) {
    if (disk.see(join(folder, '.git')) !== 'absent') return folder
  }
  return root
}

function confined(disk: Disk, top: string): Disk {
  const real = realPath(top)
  const outside = (path: string): Unreadable | undefined => {
    if (isReallyWithin(path, real) || isShipped(path)) return undefined
    const why = isBelow(path, top) ? 'a symbolic link leads outside the workspace' : 'it is outside the workspace'
    return { kind: 'unreadable', why, isOutside: true }
  }
  return {
    ...disk,
    see: (path) => outside(path) ?? disk.see(path),
    executable: (path) => outside(path) === undefined && disk.executable(path),
    names: (folder) => (outside(folder) === undefined ? disk.names(folder) : []),
    list: (folder) => outside(folder) ?? disk.list(folder),
    read: (path, bytesMax) => outside(path) ?? disk.read(path, bytesMax),
    sha256: (path, bytesMax) => outside(path) ?? disk.sha256(path, bytesMax),
  }
}
