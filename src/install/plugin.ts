import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { eventSpellings, titleOf } from '../agents/registry.ts'
import type { OwnInstall } from '../agents/install/install.ts'
import { HookgateError } from '../model/errors.ts'
import type { AgentName } from '../model/event.ts'
import { limits } from '../model/limits.ts'
import { sendCanary } from './canary.ts'
import { callingPlugin, isOwnPlugin, pluginText } from './plugin-text.ts'
import { isAsWritten, removedFiles, type WholeFile, wholeFileAt, written } from './rules-file.ts'
import {
  hookFiles,
  hookFilesGone,
  hookFilesOf,
  installationGone,
  launcherNotes,
  otherVersions,
  textsOf,
} from './hook-files.ts'
import {
  type Canary,
  type Inspection,
  type InstallContext,
  type Installer,
  type InstallPlan,
  type InstallScope,
  notRegistered,
} from './install-context.ts'
import { untriedInProject } from './status.ts'

/** Installs hookgate for an agent without hooks that are processes: it is given a plugin, which starts one an event. */
export const pluginInstaller = (agent: AgentName, install: OwnInstall): Installer => ({
  limits: install,
  onlyBy: install.onlyBy,
  enable: (context) => enable(agent, context),
  disable(context) {
    const scripts = context.scope === 'user' ? hookFilesGone(agent, context, eventSpellings(agent)) : []
    return { changes: [...removedFiles([pluginAt(agent, context)], context), ...scripts], notes: [] }
  },
  registeredBy: (context) => (pluginAt(agent, context).own === 'yes' ? 'enable' : undefined),
  look: () => ({
    obstacles: [],
    notes: [],
    placesIn: (context) => [{ place: pluginPath(agent, context), inspect: () => inspect(agent, context) }],
  }),
})

async function enable(agent: AgentName, context: InstallContext): Promise<InstallPlan> {
  const title = titleOf(agent)
  if (context.replace === true) {
    throw new HookgateError('usage', `${title} has no hooks of yours that its plugin could replace`, {
      remedy: 'remove `--replace`',
    })
  }
  const plugin = pluginAt(agent, context)
  if (plugin.own === 'no') {
    throw new HookgateError('settingsUnwritable', 'this plugin is not hookgate’s, and is in the way', {
      place: { file: plugin.file },
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
    scope: context.scope,
    commands: Object.fromEntries(commands),
  })
  return {
    changes: [...scripts.changes, written(plugin, text, plugin.looked.present?.mode ?? 0o644, context)],
    notes: [`${title} reads its plugins when it starts: restart it`, ...launcherNotes(context)],
    summary: [`${events.length} events, by a plugin that asks hookgate: ${events.join(', ')}`],
  }
}

const pluginAt = (agent: AgentName, context: InstallContext): WholeFile =>
  wholeFileAt(pluginPath(agent, context), context, (bytes) => (isOwnPlugin(agent, bytes.toString()) ? 'yes' : 'no'))

/** @throws HookgateError `usage` where the home folder is no absolute path */
function pluginPath(agent: AgentName, context: InstallContext): string {
  const folder = context.scope === 'project' ? join(context.cwd, `.${agent}`) : configFolder(agent, context)
  // Every file in it is taken for a plugin.
  return join(folder, 'plugins', 'hookgate.js')
}

function configFolder(agent: AgentName, { env, home }: InstallContext): string {
  const xdg = env['XDG_CONFIG_HOME']
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, agent)
  if (isAbsolute(home)) return join(home, '.config', agent)
  throw new HookgateError('usage', `the home folder \`${home}\` is not an absolute path`, { remedy: 'set `HOME`' })
}

/** Inspects the plugin of one scope. */
function inspect(agent: AgentName, context: InstallContext): Inspection {
  const plugin = pluginAt(agent, context)
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
    problems: [...missing.map((file) => `${file} is gone: ${again}`), ...installationGone(agent, texts)],
    remarks: otherVersions(agent, texts),
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
