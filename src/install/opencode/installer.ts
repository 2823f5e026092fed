import { eventSpellings } from '../../agents/event-names.ts'
import type { OwnInstall } from '../../agents/install.ts'
import { HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { version } from '../../server/version.ts'
import type { InstallContext, Installer, InstallPlan } from '../install-context.ts'
import type { FileChange } from '../files/change.ts'
import { readRecord, sha256 } from '../files/records.ts'
import { launcherNotes } from '../hook-command.ts'
import { hookFiles, hookFilesGone } from '../hook-files.ts'
import { inspectPlugin } from './inspect-plugin.ts'
import { pluginFile, type PluginFile, pluginPath } from './plugin-file.ts'
import { pluginText } from './plugin-text.ts'

/** OpenCode has no hooks that are processes: it is given a plugin, which starts one for each event. */
export const opencodeInstaller = (install: OwnInstall): Installer => ({
  limits: install,
  onlyBy: install.onlyBy,
  enable,
  disable,
  look: () => ({
    obstacles: [],
    notes: [],
    placesIn: (context) => [{ place: pluginPath(context), inspect: () => inspectPlugin(context) }],
  }),
})

const events = eventSpellings('opencode')
const times = { answerMs: limits.registeredAnswerMs }

async function enable(context: InstallContext): Promise<InstallPlan> {
  if (context.replace === true) {
    throw new HookgateError('usage', 'OpenCode has no hooks of yours that its plugin could replace', {
      remedy: 'remove `--replace`',
    })
  }
  const plugin = pluginFile(context)
  const { looked, own, file } = plugin
  if (own === 'no') {
    throw new HookgateError('settingsUnwritable', 'this plugin is not hookgate’s, and is in the way', {
      place: { file },
      remedy: 'rename it',
    })
  }
  const scripts = await hookFiles('opencode', context, events, () => times)
  const commands = events.map((event) => {
    const { command, args } = scripts.commandFor(event)
    return [event, [command, ...args]] as const
  })
  const after = Buffer.from(
    pluginText({
      scope: context.scope,
      version: version(),
      commands: Object.fromEntries(commands),
      answerMs: limits.registeredTimeoutS * 1000,
      observeMs: limits.registeredEndTimeoutS * 1000,
    }),
  )
  const before = readRecord(context.places, looked.real)
  const isEdited = own === 'yes' && before?.registered.includes(sha256(looked.present?.bytes ?? '')) !== true
  const change: FileChange = {
    ...changeOf(plugin),
    after,
    mode: looked.present?.mode ?? 0o644,
    record: {
      version: 1,
      file: looked.real,
      before: null,
      foldersMade: own === 'absent' ? [] : (before?.foldersMade ?? []),
      registered: [sha256(after)],
    },
    worthKeeping: isEdited,
  }
  return {
    changes: [...scripts.changes, change],
    notes: ['OpenCode reads its plugins when it starts: restart it', ...launcherNotes(context)],
    summary: [`${events.length} events, by a plugin that asks hookgate: ${events.join(', ')}`],
  }
}

function disable(context: InstallContext): InstallPlan {
  const plugin = pluginFile(context)
  const files = context.scope === 'user' ? hookFilesGone('opencode', context, events) : []
  if (plugin.own !== 'yes') return { changes: files, notes: [] }
  const foldersToRemove = readRecord(context.places, plugin.looked.real)?.foldersMade ?? []
  const change = { ...changeOf(plugin), after: undefined, mode: 0o644, record: undefined, foldersToRemove }
  return { changes: [change, ...files], notes: [] }
}

const changeOf = ({ file, looked, within }: PluginFile) => ({
  file,
  looked,
  within,
  foldersToRemove: [],
  worthKeeping: false,
})
