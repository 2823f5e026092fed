import { delimiter, dirname, join, resolve } from 'node:path'
import { isJsonObject, type Json, objectsIn, textAt } from '../../model/json.ts'
import { isAtOrBelow } from '../../words/machine-paths.ts'
import { type FoundCode, type InnerCode, type InstallSite } from '../install/install.ts'
import { configFolder, mainManagedFile, managedFiles, settingsFiles } from './settings-files.ts'

/** What a mod uses that could overrule hooks. */
interface Uses {
  /** Events that it answers: it may do so in the place of hooks, or after them. */
  readonly events: readonly string[]
  /** What it calls to act by itself, where no hook is asked. */
  readonly calls: readonly string[]
}

interface ModuleUses extends Uses {
  /** Files that it imports, relative to its own. */
  readonly imports: readonly string[]
}

/** Stands for a module that cannot be read: it may act on its own, so it counts as one that does. */
const unreadable: ModuleUses = { events: [], calls: ['what cannot be read'], imports: [] }

/** The events before a tool is run. Those of `classic.` stand for the hooks of settings. */
const decided = ['tool.call', 'tool.check', 'classic.PreToolUse', 'classic.PermissionRequest']
const callPattern = /\bprocess\s*\??\.\s*(?:run|spawn)\b|\bfs\s*\??\.\s*write\b/g

/**
 * Finds in a module's source what it uses that could overrule hooks.
 *
 * Claude Code loads no module in which an event is other than a literal, or a call other than `$.noun.verb(…)`, so the
 * text tells. Escapes and comments could still stand within.
 */
function overrulingUses(source: string | undefined): ModuleUses {
  if (source === undefined) return unreadable
  const plain = unescaped(source)
  const texts = [plain, plain.replace(/\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*/g, '')]
  const found = (pattern: RegExp) => texts.flatMap((text) => Array.from(text.matchAll(pattern)))
  // A word without a dot is an event only where it is the first argument of a call.
  const words = found(/(\(\s*)?(["'`])([\w.*]+)\2/g).flatMap(([, call, , word = '']) =>
    word.includes('.') || call !== undefined ? [word] : [],
  )
  return {
    events: words.filter((word) => word.startsWith('classic.') || decided.some((name) => matches(word, name))),
    calls: found(callPattern).map(([call]) => call.replaceAll(/[\s?]/g, '')),
    imports: found(/\b(?:from|import)\s*(?:\(\s*)?(["'`])(\.[^"'`\n]*)\1/g).map(([, , path = '']) => path),
  }
}

/** Writes characters as themselves where the source escapes them without need: `\u0061` for `a`. */
const unescaped = (source: string) =>
  source
    .replace(/\\(?:u\{0*([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi, (_, braced, four, two) =>
      String.fromCodePoint(Math.min(Number.parseInt(String(braced ?? four ?? two), 16), 0x10_ff_ff)),
    )
    .replace(/\\(?:\r?\n|(?=[ac-eg-mo-qswyz.*]))/gi, '')

/** Compares an event with the name that a module listens to, in which `*` stands for anything. */
const matches = (word: string, name: string) =>
  new RegExp(`^${word.replaceAll('.', '\\.').replaceAll(/\*+/g, '.*')}$`).test(name)

/** Files of one plugin that are searched for what they use. */
const modFilesMax = 200

const pluginFolders = 'CLAUDE_CODE_PLUGIN_DIRS'
const pluginCache = 'CLAUDE_CODE_PLUGIN_CACHE_DIR'

/** Claude Code's mods: plugins with a module of functions. What holds them, and what does not, was measured on 2.1.329. */
export const mods: InnerCode = {
  title: 'the mod',
  programs: ['claude', 'claude-code'],
  options: /^--plugin-(?:dir(?:-no-mcp)?|url)(?:=|$)/,
  commands: /^plugins? (?:i|install|enable|update|init|new|marketplace (?:add|update))(?: |$)/,
  variables: [pluginFolders, pluginCache],
  settings: /"(?:enabledPlugins|extraKnownMarketplaces|(?:pre|ap)pendPlugins|pluginConfigs)"\s{0,9}:/,
  found(site) {
    const only = managedFiles(site).find((file) => isOn(site.settings.json(file, ...managedOnly)))
    const nonEmpty = managedFiles(site).find((file) => hasKeys(site.settings.json(file)))
    return [...new Set(pluginsOf(site))].flatMap((folder): readonly FoundCode[] => {
      const { events, calls } = usesOf(folder, site)
      if (events.length + calls.length === 0) return []
      const heldBy = only ?? (calls.length === 0 ? nonEmpty : undefined)
      return [{ folder, uses: [...events, ...calls], heldBy }]
    })
  },
  remedy(site) {
    return `an administrator's ${mainManagedFile(site)} holds mods back: with any key in it they overrule no hook, and with \`${onlyManaged}\` no others are loaded`
  },
}

const managedOnly = ['pluginConfigs', 'cc-plugin-sec-default@builtin', 'options', 'allowManagedModsOnly'] as const
const onlyManaged = JSON.stringify(managedOnly.reduceRight<Json>((value, key) => ({ [key]: value }), true))
const isOn = (value: Json | undefined) => value !== undefined && value !== false
const hasKeys = (value: Json | undefined) => isJsonObject(value) && Object.keys(value).length > 0

/** Lists the folders of plugins that a session in the site's folder may load. */
function pluginsOf(site: InstallSite): readonly string[] {
  const { settings, env, cwd } = site
  const own = configFolder(site)
  const children = (folder: string) => settings.list(folder).map((name) => join(folder, name))
  const named = [
    env[pluginFolders],
    ...settingsFiles(site).map(({ file }) => settings.json(file, 'env', pluginFolders)),
  ].flatMap((value) => (typeof value === 'string' && value !== '' ? value.split(delimiter) : []))
  const inFolders = named.map((folder) => resolve(cwd, folder))
  return [
    ...installed(site, resolve(cwd, env[pluginCache] ?? join(own, 'plugins'))),
    ...children(join(own, 'dev-mods')).flatMap(children),
    ...[join(own, 'skills'), join(cwd, '.claude', 'skills')].flatMap(children),
    ...inFolders,
    ...inFolders.flatMap(children),
  ]
}

/** Lists the plugins that were installed for the user or this project, but for those that settings turn off. */
function installed(site: InstallSite, folder: string): readonly string[] {
  const plugins = site.settings.json(join(folder, 'installed_plugins.json'), 'plugins')
  return Object.entries(isJsonObject(plugins) ? plugins : {}).flatMap(([id, entries]) => {
    const states = settingsFiles(site).map(({ file }) => site.settings.json(file, 'enabledPlugins', id))
    if (states.find((state) => state !== undefined) === false) return []
    return objectsIn(Array.isArray(entries) ? entries : [entries])
      .filter((entry) => isAtOrBelow(site.cwd, textAt(entry, 'projectPath') ?? site.cwd))
      .flatMap((entry) => textAt(entry, 'installPath') ?? [])
  })
}

/** Reads what the modules of a plugin use, from all of their source that lies in the plugin. */
function usesOf(plugin: string, { settings }: InstallSite): Uses {
  const manifest = settings.json(join(plugin, '.claude-plugin', 'plugin.json'), 'hooks')
  const named: readonly (Json | undefined)[] = Array.isArray(manifest) ? manifest : [manifest]
  const configs = [
    join(plugin, 'hooks', 'hooks.json'),
    ...named.flatMap((one) => (typeof one === 'string' ? [join(plugin, one)] : [])),
  ]
  const entries = [
    ...configs.flatMap((file) => modulesIn(settings.json(file)).map((module) => resolve(dirname(file), module))),
    ...named.flatMap((one) => modulesIn(one).map((module) => resolve(plugin, module))),
  ]
  const seen = new Set<string>()
  const queue = [...entries]
  const uses: Uses[] = []
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    // A module of which a file is missing does not load.
    if (seen.has(file) || !isAtOrBelow(file, plugin) || !settings.exists(file)) continue
    seen.add(file)
    const isTooMany = seen.size > modFilesMax
    const found = overrulingUses(isTooMany ? undefined : settings.text(file))
    uses.push(found)
    if (isTooMany) break
    const folder = dirname(file)
    queue.push(...found.imports.map((path) => resolve(folder, path)))
  }
  const all = (key: keyof Uses) => [...new Set(uses.flatMap((one) => one[key]))].toSorted()
  return { events: all('events'), calls: all('calls') }
}

function modulesIn(config: Json | undefined): readonly string[] {
  const modules = isJsonObject(config) ? config['modules'] : undefined
  return (Array.isArray(modules) ? modules : []).filter((one) => typeof one === 'string')
}
