import { isAbsolute, join } from 'node:path'
import type { ProtocolSupport } from '../../model/dialect.ts'
import { isJsonObject, type Json } from '../../model/json.ts'
import { isAtOrBelow } from '../../words/machine-paths.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import { type HookSwitch, type InstallSite, ownFolder } from '../install/install.ts'
import { observed, on, refusable, unread } from '../table/events.ts'

/** Pi loads the extensions of a folder by their names: the last one sees what the others make of a call. */
const extension = 'zz-hookgate.js'

/** What decides which of the extensions in a folder are loaded: with a file of these, only those that it names. */
const listings = ['index.ts', 'index.js', 'package.json', '.gitignore', '.ignore', '.fdignore']

const withoutNotice: ProtocolSupport = { ...observed, notice: 'dropped' }

type PiSite = Pick<InstallSite, 'env' | 'cwd' | 'home'>

/** Returns the folder of a user's settings, extensions and sessions. */
const piFolder = (site: PiSite): string => ownFolder(site, 'PI_CODING_AGENT_DIR', '.pi/agent')

const folderIn = ({ scope, ...site }: PiSite & Pick<InstallSite, 'scope'>) =>
  scope === 'project' ? join(site.cwd, '.pi') : piFolder(site)
const extensionIn = (site: PiSite & Pick<InstallSite, 'scope'>) => join(folderIn(site), 'extensions', extension)

/**
 * Describes Pi through the extension that hookgate writes for it, as measured on 1.6.0.
 *
 * Pi never asks about a call by itself. The extension puts a question to the person, on a screen or through the program
 * that drives Pi; headless, the question is a refusal. Its sub-agents are extensions too, which mostly start another Pi.
 */
export const pi: AgentDescriptor<'pi'> = {
  name: 'pi',
  title: 'Pi',
  folders: ['.pi'],
  installedFolders: ['.pi/agent'],
  hookSettings: [
    ...['settings.json', `extensions/${extension}`, ...listings.map((name) => `extensions/${name}`)].flatMap((name) => [
      `.pi/agent/${name}`,
      `.pi/${name}`,
    ]),
    '.pi/agent/trust.json',
  ],
  ownFields: ['piSession'],
  events: {
    tool_call: on('PreToolUse', {
      ...refusable,
      ask: 'native',
      replaceInput: 'native',
      stop: 'native',
      context: 'native',
      notice: 'dropped',
    }),
    tool_result: on(
      'PostToolUse',
      { ...withoutNotice, replaceOutput: 'native', context: 'native' },
      { saysFailure: true },
    ),
    input: on('UserPromptSubmit', { ...refusable, context: 'native', notice: 'dropped' }),
    session_start: on('SessionStart', unread),
    agent_settled: on('Stop', unread),
    session_shutdown: on('SessionEnd', unread),
    session_before_compact: on('PreCompact', unread),
  },
  tools: {
    shell: ['bash', { command: 'command' }],
    powershell: ['powershell', { command: 'command' }],
    read: ['read', { path: 'path' }],
    write: ['write', { path: 'path', content: 'content' }],
    edit: ['edit', { path: 'path' }],
    search: ['grep', { path: 'path', pattern: 'pattern', glob: 'glob' }],
    list: ['find', { path: 'path', glob: 'pattern' }],
    listFolder: ['ls', { path: 'path' }],
  },
  exposedEnv: [
    'AI_AGENT',
    'PI_CODING_AGENT',
    'PI_MODEL',
    'PI_PROVIDER',
    'PI_REASONING_LEVEL',
    'PI_SESSION_FILE',
    'PI_SESSION_ID',
  ],
  sessions: () => import('./transcript.ts'),
  install: {
    kind: 'plugin',
    onlyBy: 'Pi uses an extension',
    api: 'extension',
    file: extensionIn,
    problems: (site) => (site.scope === 'project' && !isTrusted(site) ? [untrusted(site)] : []),
    steps: (site) => (site.scope === 'project' && !isTrusted(site) ? [untrusted(site)] : []),
    switchedOff: (site) => switchedOff(site),
  },
}

const untrusted = ({ cwd }: InstallSite) =>
  `Pi loads no extension of a project that is not trusted: start \`pi\` in ${cwd} and type \`/trust\``

/** Returns whether Pi remembers that it may load a project's settings and extensions: the nearest folder counts. */
function isTrusted(site: InstallSite): boolean {
  const { settings, cwd } = site
  const known = settings.json(join(piFolder(site), 'trust.json'))
  const [nearest] = Object.entries(isJsonObject(known) ? known : {})
    .filter(([folder, is]) => typeof is === 'boolean' && isAtOrBelow(cwd, folder))
    .toSorted(([a], [b]) => b.length - a.length)
  const fallback = settings.json(join(piFolder(site), 'settings.json'), 'defaultProjectTrust')
  return nearest === undefined ? fallback === 'always' : nearest[1] === true
}

/**
 * Finds what keeps Pi from loading hookgate's extension, unless another scope's is loaded all the same.
 *
 * A project's settings count whether or not the project is trusted yet, since that is one key away.
 */
function switchedOff(site: InstallSite): readonly HookSwitch[] {
  const sites: readonly InstallSite[] = [{ ...site, scope: 'user' }, projectOf(site)]
  const there = sites
    .filter((each) => site.settings.exists(extensionIn(each)) && (each.scope === 'user' || isTrusted(site)))
    .map(keptFrom)
  return there.some((found) => found.length === 0) ? [] : there.flat()
}

const projectOf = (site: InstallSite): InstallSite => ({ ...site, scope: 'project' })

/** Finds what keeps Pi from loading the extension of a scope. */
function keptFrom(site: InstallSite): readonly HookSwitch[] {
  const file = extensionIn(site)
  const projects = projectOf(site)
  return [
    ...listed(site),
    ...excluded(site, file),
    // A project reaches the user's extension by naming it first.
    ...(site.scope === 'user' && named(projects, file) ? excluded(projects, file) : []),
    ...elsewhere(site),
  ]
}

/** Pi takes the name of its folder from its own package, which a variable can have it look for elsewhere. */
function elsewhere({ env, settings }: InstallSite): readonly HookSwitch[] {
  const folder = env['PI_PACKAGE_DIR']
  if (folder === undefined || folder === '') return []
  const file = join(folder, 'package.json')
  const name = settings.json(file, 'piConfig', 'configDir')
  const setting = '`PI_PACKAGE_DIR` names this package, whose `piConfig.configDir` is another folder'
  return typeof name === 'string' && name !== '.pi' ? [{ file, setting, remedy: 'unset `PI_PACKAGE_DIR`' }] : []
}

/** A file in the folder of extensions that lists those that count, or those that do not. */
function listed(site: InstallSite): readonly HookSwitch[] {
  const { settings } = site
  const folder = join(folderIn(site), 'extensions')
  return listings.flatMap((name): readonly HookSwitch[] => {
    const file = join(folder, name)
    if (!settings.exists(file)) return []
    if (name.startsWith('.')) {
      const lines = (settings.text(file) ?? '').split(/\r?\n/).filter((line) => isMatch(line.trim(), [extension]))
      return lines.map((line) => ({ file, setting: `its line \`${line}\` covers ${extension}` }))
    }
    if (name === 'package.json' && settings.json(file, 'pi', 'extensions') === undefined) return []
    return [{ file, setting: 'it says which extensions of its folder are loaded', remedy: 'move it away' }]
  })
}

const entriesOf = (site: InstallSite): readonly string[] => {
  const list: Json | undefined = site.settings.json(join(folderIn(site), 'settings.json'), 'extensions')
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : []
}

/** The settings of a scope, as far as they exclude a file. */
function excluded(site: InstallSite, file: string): readonly HookSwitch[] {
  const names = [extension, `extensions/${extension}`, file]
  return entriesOf(site)
    .filter((entry) => /^[!-]/.test(entry) && isMatch(entry.slice(1), names))
    .map((entry) => ({
      file: join(folderIn(site), 'settings.json'),
      setting: `\`extensions\` has ${JSON.stringify(entry)}`,
    }))
}

/** Returns whether the settings of a scope name a file, or a folder above it. */
const named = (site: InstallSite, file: string): boolean =>
  entriesOf(site)
    .filter((entry) => !/^[!+-]/.test(entry))
    .map((entry) => entry.replace(/^~(?=\/|$)/, () => site.home))
    .some((entry) => isAtOrBelow(file, isAbsolute(entry) ? entry : join(folderIn(site), entry)))

/** Compares names with a glob, or with a line of an ignore file: a pattern without a slash counts in any folder. */
function isMatch(pattern: string, names: readonly string[]): boolean {
  const plain = pattern.replace(/^\.?\//, (start) => (start === '/' && names.length > 1 ? start : ''))
  if (plain === '' || plain.startsWith('#')) return false
  const source = plain
    .replaceAll(/[.+^$(){}|\\]/g, '\\$&')
    .replaceAll(/\*\*\/|\*\*|\*|\?/g, (sign) => globs[sign] ?? '')
  return names.some((name) => new RegExp(`^${source}$`).test(name))
}
const globs: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }
