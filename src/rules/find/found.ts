import { basename, dirname, join, relative, sep } from 'node:path'
import type { Scope, Source } from '../../model/rule.ts'
import { limits } from '../../model/limits.ts'
import { eventSpellings } from '../../agents/event-names.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import { realPath } from '../../files/real-path.ts'
import type { Problem } from '../../model/problem.ts'
import { didYouMean } from '../../model/suggest.ts'
import type { Format } from '../format.ts'

/** A rules file or a hook script that is there. */
export type Found =
  | { readonly kind: 'file'; readonly source: Source; readonly format: Format }
  /** Cline's: the file's name is the event, and its execute bit is the switch. */
  | {
      readonly kind: 'script'
      readonly source: Source
      readonly event: string
      readonly file: string
      readonly enabled: boolean
    }

  /** Policies that lie in a folder, and are in force as they say themselves. */
  | { readonly kind: 'policies'; readonly source: Source; readonly folder: string; readonly files: readonly string[] }

/** What a search found, in order of precedence. */
export interface Finding {
  readonly found: readonly Found[]
  readonly problems: readonly Problem[]
}

/** Where something was found: what its ids begin with, and what they are relative to. */
export interface Origin {
  readonly scope: Scope
  /** `project:`, or `project:api/` where there are several workspace roots. */
  readonly prefix: string
  readonly base: string
  readonly workspaceRoot: string | undefined
}

export const nothing: Finding = { found: [], problems: [] }

export function together(findings: readonly Finding[]): Finding {
  return { found: findings.flatMap(({ found }) => found), problems: findings.flatMap(({ problems }) => problems) }
}

/** A rules file, if there is one. `shown` is what its ids say instead of its path. */
export function findFile(
  disk: Disk,
  origin: Origin,
  file: string,
  format: Format,
  details: { readonly shown?: string; readonly pluginRoot?: string } = {},
): Finding {
  const seen = disk.see(file)
  if (seen === 'absent') return nothing
  if (seen === 'folder' || isUnreadable(seen)) {
    const why = isUnreadable(seen) ? seen.why : 'it is a folder'
    return problem('error', file, `the rules file cannot be read: ${why}`, 'fix or remove it')
  }
  const source = sourceOf(origin, file, details.shown, details.pluginRoot)
  return { found: [{ kind: 'file', source, format }], problems: [] }
}

/** Every hook of a folder that Cline would run, and those that are switched off. */
export function findScripts(disk: Disk, origin: Origin, folder: string, platform: NodeJS.Platform): Finding {
  const seen = disk.see(folder)
  if (seen === 'absent' || seen === 'file') return nothing
  if (isUnreadable(seen))
    return problem('error', folder, `the hooks folder cannot be read: ${seen.why}`, 'fix or remove it')
  const scripts = eventSpellings('cline').map((event) => findScript(disk, origin, folder, event, platform))
  return together([...scripts, { found: [], problems: strangers(disk, folder, platform) }])
}

/** Cline's own rule: the bare name on Unix, with an execute bit; `.ps1` on Windows, where being there is enough. */
export function findScript(
  disk: Disk,
  origin: Origin,
  folder: string,
  event: string,
  platform: NodeJS.Platform,
): Finding {
  const file = join(folder, platform === 'win32' ? `${event}.ps1` : event)
  const seen = disk.see(file)
  // Cline passes over folders of that name.
  if (seen === 'absent' || seen === 'folder') return nothing
  if (isUnreadable(seen)) return problem('error', file, `the hook cannot be read: ${seen.why}`, 'fix or remove it')
  const enabled = platform === 'win32' || disk.executable(file)
  return { found: [{ kind: 'script', source: sourceOf(origin, folder), event, file, enabled }], problems: [] }
}

/** Files that look like hooks and that Cline never runs: a guard that its author believes in. */
function strangers(disk: Disk, folder: string, platform: NodeJS.Platform): Problem[] {
  const suffix = platform === 'win32' ? '.ps1' : ''
  const events = eventSpellings('cline')
  return disk
    .names(folder)
    .slice(0, limits.misspeltNamesMax)
    .flatMap((name): readonly Problem[] => {
      const stem = name.replace(/\.[^.]*$/, '')
      const event = events.find((known) => known.toLowerCase() === stem.toLowerCase())
      if (events.some((known) => `${known}${suffix}` === name)) return []
      // A note beside a hook is nothing to warn of.
      if (name !== stem && !scriptExtension.test(name)) return []
      const misspelt = name === stem ? didYouMean(name, events) : undefined
      if (event === undefined && misspelt === undefined) return []
      const remedy = event === undefined ? misspelt : `rename it to \`${event}${suffix}\``
      return problem('warning', join(folder, name), 'this file is not a hook: Cline matches names exactly', remedy)
        .problems
    })
}

const scriptExtension = /\.(sh|bash|zsh|[cm]?[jt]s|py|ps1|cmd|bat|exe)$/

/**
 * The same file found twice (by a link, or a home that is a workspace) counts where it has the most authority. In two
 * workspaces it is two: the commands in it run in each.
 */
export function withoutRepeats(found: readonly Found[]): readonly Found[] {
  const seen = new Set<string>()
  return found.filter((one) => {
    const file = keyOf(one)
    const { workspaceRoot } = one.source
    const runsIn = one.kind === 'file' && workspaceRoot !== undefined ? realPath(workspaceRoot) : ''
    const key = `${file}\0${runsIn}`
    return !seen.has(key) && !seen.has(`${file}\0`) && seen.add(key)
  })
}

function keyOf(one: Found): string {
  switch (one.kind) {
    case 'file':
    case 'policies':
      return realPath(one.source.file)
    case 'script':
      return join(realPath(dirname(one.file)), basename(one.file))
  }
}

export function problem(severity: Problem['severity'], file: string, message: string, remedy?: string): Finding {
  return { found: [], problems: [{ severity, place: { file }, message, remedy }] }
}

export function sourceOf(origin: Origin, file: string, shown?: string, pluginRoot?: string): Source {
  const path = shown ?? relative(origin.base, file).split(sep).join('/')
  const { scope, workspaceRoot } = origin
  const id = `${origin.prefix}${path}`.replace(/\/$/, '')
  return { id: id.endsWith(':') ? `${id}.` : id, scope, file, workspaceRoot, pluginRoot }
}
