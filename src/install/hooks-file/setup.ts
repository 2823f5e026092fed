import { titleOf } from '../../model/agents.ts'
import { quoted } from '../../model/text.ts'
import type { Installer, InstallContext, InstallPlan } from '../install-context.ts'
import type { FileChange } from '../files/change.ts'
import { type EnableRecord, sha256 } from '../files/records.ts'
import { launcherNotes } from '../hook-command.ts'
import { hookFiles, hookFilesGone } from '../hook-files.ts'
import { documentBytes, documentOf } from '../json/document.ts'
import { handlersIn, withEntries, withoutEntries, withoutHandlers } from '../json/hook-lists.ts'
import { commandIn, commandLine, isByHand } from './command-line.ts'
import { type Place, placesOf, unreadable } from './place.ts'
import { eventsOf, refusesAt, type Registration, timesOf, toolEventOf } from './registration.ts'
import { statusOf } from './status.ts'

/** Enables, disables and proves what a registration describes. */
export function setupBy(registration: Registration): Installer {
  return {
    reach: { never: registration.never ?? {}, needsMore: {}, foreign: [] },
    onlyBy: `${titleOf(registration.agent)} calls its hooks as commands`,
    enable: (context) => enable(registration, context),
    disable: (context) => disable(registration, context),
    status: (context) => statusOf(registration, context),
  }
}

async function enable(registration: Registration, context: InstallContext): Promise<InstallPlan> {
  const { agent } = registration
  const events = eventsOf(registration)
  const [place, ...others] = placesOf(registration, context)
  const scripts = await hookFiles(agent, context, events, (event) => timesOf(registration, event))
  const lineOf = (event: string) =>
    commandLine(scripts.commandFor(event), context.platform, refusesAt(registration, event))
  const entries = Object.fromEntries(
    events.map((event) => {
      const refuses = refusesAt(registration, event)
      const { timeoutS } = timesOf(registration, event)
      const handler = registration.entry({ command: lineOf(event), platform: context.platform, timeoutS, refuses })
      return [event, place.lists.holds === 'groups' ? { hooks: [handler] } : handler]
    }),
  )
  const { change, byHand } = added(place, entries, registration, context)
  const shown = lineOf(toolEventOf(registration)).replace(toolEventOf(registration), 'EVENT')
  return {
    changes: [...scripts.changes, change, ...others.flatMap((other) => removed(other, registration))],
    notes: [
      ...(registration.steps?.(context) ?? []),
      ...launcherNotes(context),
      ...unreadable(place, registration).map((why) => `warning: ${why}`),
      ...byHand.map(
        (line) =>
          `warning: a hook of your own also runs hookgate (${quoted(line)}), which is then asked twice: remove it, or replace it with \`hookgate enable ${agent} --replace\``,
      ),
      ...(registration.obstacles?.(context) ?? []).map((obstacle) => `warning: ${obstacle}`),
    ],
    summary: [`${events.length} events by \`${shown}\`: ${events.join(', ')}`],
  }
}

function added(
  place: Place,
  entries: Readonly<Record<string, object>>,
  { agent }: Registration,
  context: InstallContext,
) {
  const { document, record, lists, looked, file } = place
  const bare = withoutEntries(document, record?.containers, lists)
  const others = documentOf(document, bare.text)
  const hand = (handler: unknown) => isByHand(agent, context, handler)
  const replaces = context.replace === true
  const left = replaces ? documentOf(document, withoutHandlers(others, undefined, hand, lists)) : others
  const { text, containers } = withEntries(left, entries, lists)
  const wasEnabled = bare.handlers.length > 0 ? record : undefined
  const remembered: EnableRecord = {
    version: 1,
    file: looked.real,
    agent,
    existed: wasEnabled?.existed ?? looked.present !== undefined,
    foldersMade: wasEnabled?.foldersMade ?? [],
    containers,
    registered: [...new Set(commandsIn(documentOf(document, text), place))],
  }
  const change: FileChange = {
    ...unchanged(place, agent),
    after: documentBytes(document, text),
    mode: looked.present?.mode ?? 0o644,
    record: remembered,
  }
  const byHand = replaces
    ? []
    : handlersIn(others, lists).flatMap(({ handler }) => (hand(handler) ? [commandIn(handler) ?? file] : []))
  return { change, byHand: [...new Set(byHand)] }
}

/** What was registered, by its content, so that a stranger's entry is never started to see whether it answers. */
const commandsIn = (document: Place['document'], { lists }: Place) =>
  handlersIn(document, lists).flatMap(({ handler }) => {
    const own = lists.own(handler)
    return own === undefined ? [] : [sha256(own.command)]
  })

function disable(registration: Registration, context: InstallContext): InstallPlan {
  const files = context.scope === 'user' ? hookFilesGone(registration.agent, context, eventsOf(registration)) : []
  return {
    changes: [...placesOf(registration, context).flatMap((place) => removed(place, registration)), ...files],
    notes: [],
  }
}

function removed(place: Place, { agent }: Registration): readonly FileChange[] {
  const { document, record, lists, looked, empty } = place
  if (looked.present === undefined) return []
  const { text, handlers } = withoutEntries(document, record?.containers, lists)
  if (handlers.length === 0) return []
  const isOurs = record?.existed === false && text === empty
  return [
    {
      ...unchanged(place, agent),
      after: isOurs ? undefined : documentBytes(document, text),
      mode: looked.present.mode,
      record: undefined,
      foldersToRemove: isOurs ? record.foldersMade : [],
    },
  ]
}

const unchanged = ({ file, looked, within }: Place, agent: string) => ({
  file,
  looked,
  within,
  agent,
  foldersToRemove: [],
  worthKeeping: true,
})
