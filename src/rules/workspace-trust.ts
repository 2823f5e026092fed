import { isDeepStrictEqual } from 'node:util'
import { resolve } from 'node:path'
import { HookgateError, problemsError } from '../model/errors.ts'
import type { Rule, Source } from '../model/rule.ts'
import { makeDisk } from '../files/disk.ts'
import { type Disk, isUnreadable } from '../model/disk.ts'
import { realPath } from '../files/real-path.ts'
import type { PolicyLoader } from '../model/policy-loading.ts'
import type { filesOf, pinName } from './trust/pinned-files.ts'
import { type RulesPlaces, placesFor, type RulesOptions } from './places.ts'
import { readRules } from './read-rules.ts'
import { changeTrust, type Pins, planTrust, readTrust, type TrustFileChange } from './trust/trust-store.ts'

/** A trusted workspace and its pinned files, relative to it. */
export interface TrustedWorkspace {
  readonly root: string
  readonly trustedAt: string
  readonly files: readonly string[]
}

/** Where rules are read, and what becomes of a change of the trust file. */
interface TrustOptions extends RulesOptions {
  /** The file is not changed. Default: it is. */
  readonly isDry?: boolean
  /** Called with the change of the file. */
  readonly onChange?: (change: TrustFileChange) => void
}

/**
 * Pins the present content of every file that a workspace's rules consist of, here and in the repository around it.
 *
 * Earlier pins of files that are no longer found are removed.
 *
 * @throws HookgateError `usage` if there is no such folder
 *
 * @throws HookgateError `rulesMalformed` if a rules file cannot be understood, since what it would run is unknown
 */
export async function trustWorkspace(
  folder: string,
  options: TrustOptions,
  policies: PolicyLoader,
): Promise<readonly TrustedWorkspace[]> {
  const { isDry = false, onChange } = options
  const places: RulesPlaces = { ...placesFor(options), explicit: [], discover: true, trustWorkspace: true }
  const root = resolve(places.cwd, folder)
  const disk = makeDisk()
  if (disk.see(root) !== 'folder')
    throw new HookgateError('usage', 'this folder does not exist', { place: { file: root } })
  const read = await readRules(places, [root], policies)
  read.release()
  const { loaded, errors } = read
  const [first, ...more] = errors
  if (first !== undefined) throw problemsError([first, ...more])

  // Loaded here: it reads hooks' commands, with the table of all programs, which whoever only lists rules does not need.
  const pinning = await import('./trust/pinned-files.ts')
  const now = new Date().toISOString()
  const since = new Map<string, string>()
  const pinned = new Map<string, Record<string, string>>()
  for (const { source, rules } of loaded) {
    if (source.workspaceRoot === undefined) continue
    const at = realPath(source.workspaceRoot)
    pinned.set(at, {
      ...pinned.get(at),
      ...pinsOf(source, source.workspaceRoot, rules, { home: places.home, disk, ...pinning }),
    })
  }
  const change = (isDry ? planTrust : changeTrust)(places.trustFile, disk, (pins) => {
    for (const [at, files] of pinned) {
      const before = Object.hasOwn(pins, at) ? pins[at] : undefined
      // What is trusted as it is stays so since then, and nothing changes.
      since.set(at, isDeepStrictEqual(before?.files, files) ? (before?.trustedAt ?? now) : now)
    }
    return {
      ...(pinned.has(realPath(root)) ? pins : without(pins, new Set([realPath(root)]))),
      ...Object.fromEntries([...pinned].map(([at, files]) => [at, { trustedAt: since.get(at) ?? now, files }])),
    }
  })
  onChange?.(change)
  return [...pinned].map(([at, files]) => ({ root: at, trustedAt: since.get(at) ?? now, files: Object.keys(files) }))
}

/** What pinning a workspace's files needs. */
interface Pinning {
  readonly filesOf: typeof filesOf
  readonly pinName: typeof pinName
  readonly home: string
  readonly disk: Disk
}

/** Returns the pins of every file that one source's rules consist of. */
function pinsOf(
  { file }: Source,
  root: string,
  rules: readonly Rule[],
  { home, disk, ...pinning }: Pinning,
): Record<string, string> {
  // Cline's folders have no content themselves; a rules file is pinned even without rules, for what it disables.
  const own = disk.see(file) === 'file' ? [file] : []
  const files = new Set([...own, ...rules.flatMap((rule) => pinning.filesOf(rule, root, home, disk) ?? [])])
  return Object.fromEntries(
    [...files].map((path) => {
      const content = disk.sha256(path)
      if (!isUnreadable(content)) return [pinning.pinName(path, root), content]
      throw new HookgateError('rulesMalformed', `it cannot be pinned: ${content.why}`, { place: { file: path } })
    }),
  )
}

/**
 * Removes the pins of a workspace.
 *
 * @returns whether there were any
 */
export function revokeTrust(folder: string, options: TrustOptions = {}): boolean {
  const { isDry = false, onChange } = options
  const { cwd, trustFile } = placesFor(options)
  const whole = resolve(cwd, folder)
  // Accepts the path and the real path, so that a workspace can be removed after its folder, or the link to it, is
  // gone.
  const names = new Set([whole, realPath(whole)])
  const disk = makeDisk()
  if (!Object.keys(presentPins(trustFile)).some((root) => names.has(root))) return false
  const change = (isDry ? planTrust : changeTrust)(trustFile, disk, (pins) => without(pins, names))
  onChange?.(change)
  return true
}

function without(pins: Pins, roots: ReadonlySet<string>): Pins {
  return Object.fromEntries(Object.entries(pins).filter(([root]) => !roots.has(root)))
}

export function listTrust(options: RulesOptions = {}): readonly TrustedWorkspace[] {
  return Object.entries(presentPins(placesFor(options).trustFile)).map(([root, { trustedAt, files }]) => ({
    root,
    trustedAt,
    files: Object.keys(files),
  }))
}

function presentPins(trustFile: string): Pins {
  const { pins, problem } = readTrust(trustFile, makeDisk())
  if (problem !== undefined) throw problemsError([problem])
  return pins
}
