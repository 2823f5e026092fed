import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { eventSpellings, titleOf } from '../agents/registry.ts'
import type { PluginInstall } from '../agents/install/install.ts'
import { HookgateError } from '../model/errors.ts'
import type { AgentName } from '../model/event.ts'
import { limits } from '../model/limits.ts'
import { sendCanary } from './canary.ts'
import { entryAdded, entryRemoved, hasEntry } from './plugin-entry.ts'
import { callingPlugin, isOwnPlugin, pluginText } from './plugin-text.ts'
import { isAsWritten, removedFiles, type WholeFile, wholeFileAt, written } from './rules-file.ts'
import {
  hookFiles,
  hookFilesGone,
  hookFilesOf,
  installationGone,
  launcherNotes,
  slowHooks,
  textsOf,
} from './hook-files.ts'
import {
  type Canary,
  type Inspection,
  type InstallContext,
  type Installer,
  type InstallPlan,
  notRegistered,
  siteOf,
} from './install-context.ts'
import { untriedInProject } from './status.ts'

interface PluginAgent {
  readonly agent: AgentName
  readonly install: PluginInstall
}

/** Installs hookgate for an agent without hooks that are processes: it is given a plugin, which starts one an event. */
export const pluginInstaller = (agent: AgentName, install: PluginInstall): Installer => {
  const own = { agent, install }
  return {
    limits: install,
    onlyBy: install.onlyBy,
    enable: (context) => enable(own, context),
    disable(context) {
      checkScope(own, context)
      const scripts = context.scope === 'user' ? hookFilesGone(agent, context, eventSpellings(agent)) : []
      const plugin = pluginAt(own, context)
      const files = removedFiles([...besideOf(own, plugin, context).map(({ one }) => one), plugin], context)
      return { changes: [...entryRemoved(own, context), ...files, ...scripts], notes: [] }
    },
    registeredBy(context) {
      if (context.scope === 'project' && install.userOnly !== undefined) return undefined
      return pluginAt(own, context).own === 'yes' ? 'enable' : undefined
    },
    look: (around) => ({
      obstacles: [],
      notes: install.notes?.(siteOf(around)) ?? [],
      placesIn(context) {
        checkScope(own, context)
        return [{ place: pluginPath(own, context), inspect: () => inspect(own, context) }]
      },
    }),
  }
}

/** @throws HookgateError `usage` where a project cannot have the plugin */
function checkScope({ install: { userOnly } }: PluginAgent, { scope }: InstallContext): void {
  if (scope === 'user' || userOnly === undefined) return
  throw new HookgateError('usage', userOnly, { remedy: 'remove `--scope`' })
}

async function enable(own: PluginAgent, context: InstallContext): Promise<InstallPlan> {
  checkScope(own, context)
  const { agent, install } = own
  const title = titleOf(agent)
  if (context.replace === true) {
    throw new HookgateError('usage', `${title} has no hooks of yours that its plugin could replace`, {
      remedy: 'remove `--replace`',
    })
  }
  const plugin = pluginAt(own, context)
  const beside = besideOf(own, plugin, context)
  for (const { file } of [plugin, ...beside.map(({ one }) => one)].filter((one) => one.own === 'no')) {
    throw new HookgateError('settingsUnwritable', 'this plugin is not hookgate’s, and is in the way', {
      place: { file },
      remedy: 'rename it',
    })
  }
  const events = eventSpellings(agent)
  const scripts = await hookFiles(agent, context, events, () => ({ answerMs: limits.registeredAnswerMs }))
  const commands = events.map((event) => {
    const { command, args } = scripts.commandFor(event)
    return [event, [command, ...args]] as const
  })
  const text = pluginText({
    agent,
    api: install.api,
    scope: context.scope,
    commands: Object.fromEntries(commands),
  })
  return {
    changes: [
      ...scripts.changes,
      ...[{ one: plugin, text }, ...beside].map(({ one, text: whole }) =>
        written(one, whole, one.looked.present?.mode ?? 0o644, context),
      ),
      // Last: with an entry of a plugin that is not there, the agent does not start.
      ...entryAdded(own, context),
    ],
    notes: [
      `${title} reads its plugins when it starts: restart it`,
      ...(install.steps?.(siteOf(context)) ?? []),
      ...launcherNotes(context),
    ],
    summary: [`${events.length} events, by a plugin that asks hookgate: ${events.join(', ')}`],
  }
}

const pluginAt = (own: PluginAgent, context: InstallContext): WholeFile =>
  wholeFileAt(
    pluginPath(own, context),
    context,
    (bytes) => (isOwnPlugin(own.agent, bytes.toString()) ? 'yes' : 'no'),
    own.agent,
  )

/** The files that belong to the plugin. Whoever has the plugin has these, in a folder that is nobody else's. */
function besideOf({ agent, install: { beside = {} } }: PluginAgent, plugin: WholeFile, context: InstallContext) {
  return Object.entries(beside).map(([name, text]) => {
    const isOwn = (bytes: Buffer) => plugin.own === 'yes' || bytes.toString() === text
    const file = join(dirname(plugin.file), name)
    return { text, one: wholeFileAt(file, context, (bytes) => (isOwn(bytes) ? 'yes' : 'no'), agent) }
  })
}

/** @throws HookgateError `usage` where the home folder is no absolute path */
function pluginPath({ install }: PluginAgent, context: InstallContext): string {
  const file = install.file(context)
  if (isAbsolute(file)) return file
  const { home } = context
  throw new HookgateError('usage', `the home folder \`${home}\` is not an absolute path`, { remedy: 'set `HOME`' })
}

/** Inspects the plugin of one scope. */
function inspect(own: PluginAgent, context: InstallContext): Inspection {
  const { agent, install } = own
  const plugin = pluginAt(own, context)
  if (plugin.own === 'absent') return notRegistered
  if (plugin.own === 'no') {
    return { ...notRegistered, problems: ['it is a different plugin, so hookgate is not called: rename it'] }
  }
  const text = plugin.looked.present?.bytes.toString() ?? ''
  const again = `run \`hookgate enable ${agent}\` again`
  const events = eventSpellings(agent)
  const run = hookFilesOf(agent, context, events).filter((file) => text.includes(JSON.stringify(file)))
  const texts = [text, ...textsOf(run)]
  const missing = run.filter((file) => !existsSync(file))
  const changed = `it is not as \`enable\` wrote it, so it is not run to check whether it answers: ${again}`
  const untried = context.scope === 'project' ? untriedInProject(agent) : changed
  return {
    by: 'enable',
    events,
    problems: [
      ...besideOf(own, plugin, context)
        .filter(({ one, text: whole }) => one.looked.present?.bytes.toString() !== whole)
        .map(({ one }) => `${one.file} is not as \`enable\` wrote it: ${again}`),
      ...(hasEntry(own, context) ? [] : [`its entry is missing in the settings of ${titleOf(agent)}: ${again}`]),
      ...(install.problems?.(siteOf(context)) ?? []),
      ...missing.map((file) => `${file} is gone: ${again}`),
      ...installationGone(agent, texts),
    ],
    remarks: slowHooks(agent, texts),
    untried: isAsWritten(plugin, context) ? undefined : untried,
    canaries: [() => canaryByPlugin(agent, plugin.file, context)],
  }
}

/** Sends a harmless event through a plugin. */
export function canaryByPlugin(agent: AgentName, file: string, context: InstallContext): Promise<Canary> {
  const { cwd, env, launcher } = context
  const start = {
    file: launcher.node,
    args: ['--no-warnings', '--input-type=module', '--eval', callingPlugin, file],
    cwd,
    env,
  }
  return sendCanary(agent, context, { start, shown: file })
}
