import { delimiter, dirname, join, resolve } from 'node:path'
import { isJsonObject, type Json, objectsIn, textAt } from '../../model/json.ts'
import type { FoundCode, InnerCode } from '../install/inner-code.ts'
import type { InstallSite } from '../install/install.ts'
import { isBelow } from '../install/settings.ts'
import { overrulingUses } from './mod-uses.ts'
import { configFolder, managedFiles, settingsFiles } from './settings-files.ts'

/** Files of a module that an agent loads into itself, of which is read what they use. */
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
    const file = managedFiles(site).at(-1) ?? ''
    return `an administrator's ${file} holds mods back: with any key in it they overrule no hook, and with \`${onlyManaged}\` no others are loaded`
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
      .filter((entry) => isBelow(site.cwd, textAt(entry, 'projectPath') ?? site.cwd))
      .flatMap((entry) => textAt(entry, 'installPath') ?? [])
  })
}

interface Uses {
  readonly events: readonly string[]
  readonly calls: readonly string[]
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
    if (seen.has(file) || !isBelow(file, plugin) || !settings.exists(file)) continue
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
