import { basename, dirname, join, normalize, resolve, sep } from 'node:path'
import { eventSpellings } from '../../agents/event-names.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import {
  findFile,
  type SearchResult,
  findScript,
  findScripts,
  nothing,
  type SearchOrigin,
  problem,
  together,
} from './search.ts'
import { findOwn } from './hookgate-folder.ts'
import { findPolicies, findPolicy } from './policies.ts'
import type { Format, RulesPlaces } from '../places.ts'
import { isError } from '../../model/problem.ts'
import { isModuleName, isPolicyName } from '../../files/policy-files.ts'

/**
 * Finds the rules at an explicitly named path.
 *
 * The path may be a rules file, a policy or a folder of them, a Cline hooks folder or one hook of it, a plugin's root,
 * or a folder that holds any of these. INVARIANT: a named path that holds no rules is an error, never an empty rule
 * set.
 */
export function findExplicit(path: string, { cwd, platform }: RulesPlaces, disk: Disk): SearchResult {
  const whole = resolve(cwd, path)
  const origin: SearchOrigin = {
    scope: 'explicit',
    prefix: `explicit:${prefixOf(path)}`,
    base: whole,
    workspaceRoot: undefined,
  }
  const seen = disk.see(whole)
  if (seen === 'absent')
    return problem('error', whole, 'the rules file does not exist', 'name an existing file or folder')
  if (isUnreadable(seen))
    return problem('error', whole, `the rules cannot be read: ${seen.why}`, 'fix it, or name another')
  if (seen === 'file') {
    const prefix = `explicit:${prefixOf(dirname(normalize(path)))}`
    return explicitFile(disk, { ...origin, base: dirname(whole), prefix }, whole, platform)
  }
  // Without search permission, each file that could be in the folder would report the same error.
  if (!disk.executable(whole)) {
    return problem('error', whole, 'the rules cannot be read: permission is denied', 'fix it, or name another')
  }
  const named = explicitFolder(disk, origin, whole, platform)
  if (named.found.length > 0 || named.problems.some(isError)) return named
  // Policies may lie in subfolders only, as in hookgate's own `policies/`.
  const finding = findPolicies(disk, origin, whole)
  if (finding.found.length > 0 || finding.problems.some(isError)) return finding
  const remedy = 'name a hooks.json, a Cline hooks folder, the root of a plugin, a policy, or a folder that holds one'
  return together([finding, problem('error', whole, 'this folder has no rules', remedy)])
}

function explicitFile(disk: Disk, origin: SearchOrigin, file: string, platform: NodeJS.Platform): SearchResult {
  const folder = dirname(file)
  const event = basename(file, platform === 'win32' ? '.ps1' : '')
  if (eventSpellings('cline').includes(event)) return findScript(disk, origin, folder, event, platform)
  if (basename(folder) === 'hooks' && basename(file) === 'hooks.json') {
    return findFile(disk, origin, file, 'plugin', { pluginRoot: dirname(folder) })
  }
  if (isModuleName(file)) return findPolicy(origin, file)
  return findFile(disk, origin, file, formatOf(file))
}

/**
 * Determines a file's format by its name and its folder.
 *
 * Unknown keys are mistakes only in hookgate's own format. A copy of an agent's settings may have any name but
 * `hooks.json`.
 */
function formatOf(file: string): Format {
  const folder = basename(dirname(file))
  if (folder === '.cline') return 'cline'
  if (folder === '.claude') return 'settings'
  return basename(file) === 'hooks.json' ? 'hookgate' : 'copy'
}

function explicitFolder(disk: Disk, origin: SearchOrigin, folder: string, platform: NodeJS.Platform): SearchResult {
  const names = disk.list(folder)
  if (isUnreadable(names))
    return problem('error', folder, `the rules cannot be read: ${names.why}`, 'fix it, or name another')
  const own = join(folder, 'hooks.json')
  const scripts = findScripts(disk, origin, folder, platform)
  return together([
    findFile(disk, origin, join(folder, 'hooks', 'hooks.json'), 'plugin', { pluginRoot: folder }),
    findFile(disk, origin, own, formatOf(own)),
    policiesBeside(disk, origin, folder, names),
    // Misspelt names are reported only in a folder that holds Cline hooks.
    scripts.found.length > 0 ? scripts : { found: [], problems: scripts.problems.filter(isError) },
    findOwn(disk, origin, join(folder, '.hookgate'), { short: false }),
    findFile(disk, origin, join(folder, '.cline', 'hooks.json'), 'cline'),
    findScripts(disk, origin, join(folder, '.clinerules', 'hooks'), platform),
    findScripts(disk, origin, join(folder, '.cline', 'hooks'), platform),
    ['.clinerules', '.cline'].includes(basename(folder))
      ? findScripts(disk, origin, join(folder, 'hooks'), platform)
      : nothing,
  ])
}

/** Finds policies in the folder itself if it holds any or is called `policies`, else in its `policies/`. */
function policiesBeside(disk: Disk, origin: SearchOrigin, folder: string, names: readonly string[]): SearchResult {
  const whole = basename(folder) === 'policies' || names.some(isPolicyName)
  return findPolicies(disk, origin, whole ? folder : join(folder, 'policies'))
}

/** Returns the path as it was written, so that users recognise it: `./rules` gives `explicit:rules/hooks.json`. */
function prefixOf(path: string): string {
  const written = normalize(path).split(sep).join('/').replace(/\/$/, '')
  return written === '.' ? '' : `${written}/`
}
