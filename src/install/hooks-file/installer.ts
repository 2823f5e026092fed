import { counted } from '../../words/counted.ts'
import { existsSync, statSync } from 'node:fs'
import { titleOf } from '../../agents/registry.ts'
import { isLaunch } from '../../model/own-hook.ts'
import { quoted } from '../../model/text.ts'
import type { FileChange } from '../files/change.ts'
import { type EnableRecord, recordBeside } from '../files/own-state.ts'
import { hookFiles, hookFilesGone, launcherNotes } from '../hook-files.ts'
import {
  boundsOf,
  type Inspection,
  type InstallContext,
  type Installer,
  type InstallPlace,
  type InstallPlan,
  notRegistered,
} from '../install-context.ts'
import { untriedInProject } from '../status.ts'
import {
  filesOf,
  filesRun,
  type FoundHook,
  type HooksDocument,
  type HooksFilePlace,
  type ListedAgent,
  type ListedLook,
  ownHooks,
  placesOf,
  type Registration,
  unreadable,
} from './listed-agent.ts'
import { sha256Of } from '../../files/digest.ts'

/** Enables, disables and inspects an agent that keeps its hooks in a file. */
export function listedInstaller(agent: ListedAgent): Installer {
  return {
    limits: agent.limits,
    onlyBy: agent.onlyBy,
    enable: (context) => enable(agent, context),
    disable: (context) => disable(agent, context),
    registeredBy: (context) => registeredBy(agent, context),
    async look(context) {
      const look = await agent.look(context)
      return {
        notes: look.notes,
        obstacles: agent.obstacles(context),
        placesIn: (scoped) => placesIn(agent, look, scoped),
      }
    },
  }
}

async function enable(agent: ListedAgent, context: InstallContext): Promise<InstallPlan> {
  const [place, ...others] = placesOf(agent, context)
  const files = await hookFiles(agent.name, context, agent.events, (event) => agent.timesOf(event))
  const registration = await agent.register(context, place, files)
  const theirs = place.document.withText(textWithoutOwn(place))
  const byHand = context.replace === true ? [] : handCommands(theirs, agent, context)
  return {
    changes: [
      ...files.changes,
      added(place, theirs, registration, agent, context),
      ...others.flatMap((other) => removed(other, agent, context)),
    ],
    notes: [
      ...registration.notes,
      ...launcherNotes(context),
      ...unreadable(place, agent).map((why) => `warning: ${why}`),
      ...[...byHand].map(
        ([command, hooks]) =>
          `warning: a hook of your own also runs hookgate at ${hooks.map(({ event }) => event).join(', ')} (${quoted(command)}), which is then asked twice: remove it, or replace it with \`hookgate enable ${agent.name} --replace\``,
      ),
      ...agent.obstacles(context).map((obstacle) => `warning: ${obstacle}`),
    ],
    startsGate: registration.isHttp,
    summary: registration.summary,
  }
}

/** The commands with which a person runs hookgate, and the events of each. */
function handCommands(document: HooksDocument, agent: ListedAgent, context: InstallContext) {
  const found = document.handlers.flatMap(({ event, handler }) => {
    const command = agent.handCommand(handler, context)
    return command === undefined ? [] : [{ event, command }]
  })
  return Map.groupBy(found, ({ command }) => command)
}

/** @param theirs the document without what an earlier `enable` has put into it */
function added(
  place: HooksFilePlace,
  theirs: HooksDocument,
  { entries, isHttp }: Registration,
  agent: ListedAgent,
  context: InstallContext,
): FileChange {
  const { document, looked } = place
  const isReplaced = (handler: unknown) => isLaunch(agent.handCommand(handler, context) ?? '')
  const withoutReplaced = (one: HooksDocument) =>
    context.replace === true ? document.withText(one.withoutHandlers(undefined, isReplaced)) : one
  const left = withoutReplaced(theirs)
  const text = left.withEntries(entries)
  const isAdded = theirs.text !== document.text
  const record = isAdded ? place.record : undefined
  const shared = record ?? recordBeside(context.places, looked.real, agent.name)
  const mode = modeOf(looked.present?.mode, isHttp)
  const before = record?.mode?.before ?? looked.present?.mode
  const known = shared?.before ?? undefined
  const first = shared === undefined && looked.present !== undefined ? left.text : null
  const remembered: EnableRecord = {
    version: 1,
    file: looked.real,
    agent: agent.name,
    // Hooks that a person has had replaced do not come back, nor the list that they were in.
    before: known === undefined ? first : withoutReplaced(document.withText(known)).text,
    foldersMade: shared?.foldersMade ?? [],
    ...(before !== undefined && before !== mode && { mode: { before, after: mode } }),
    registered: identitiesIn(place, document.withText(text)),
  }
  return { ...unchanged(place, agent, context), after: document.bytes(text), mode, record: remembered }
}

/** INVARIANT: only its owner can read a file that holds the token. */
function modeOf(present: number | undefined, holdsToken: boolean): number {
  if (present === undefined) return holdsToken ? 0o600 : 0o644
  return holdsToken ? present & 0o7700 : present
}

/** The hashes of what was registered, so that `status` never starts an entry that came from elsewhere. */
const identitiesIn = (place: HooksFilePlace, document: HooksDocument) => [
  ...new Set(ownHooks(place, document).map(({ identity }) => sha256Of(identity))),
]

function disable(agent: ListedAgent, context: InstallContext): InstallPlan {
  const files = context.scope === 'user' ? hookFilesGone(agent.name, context, agent.events) : []
  return {
    changes: [...placesOf(agent, context).flatMap((place) => removed(place, agent, context)), ...files],
    notes: [],
  }
}

/** The text of a file from before hookgate was added to it; `undefined` where no record of that is left. */
const textBefore = ({ record, empty }: HooksFilePlace) => (record === undefined ? undefined : (record.before ?? empty))

/** The text of a file without what an earlier `enable` has put into it. */
const textWithoutOwn = (place: HooksFilePlace) =>
  ownHooks(place, place.document).length === 0
    ? place.document.text
    : place.document.withoutHandlers(textBefore(place), (handler) => place.own(handler) !== undefined)

function removed(place: HooksFilePlace, agent: ListedAgent, context: InstallContext): readonly FileChange[] {
  const { document, record, looked, empty } = place
  if (looked.present === undefined || ownHooks(place, document).length === 0) return []
  const text = textWithoutOwn(place)
  const isOurs = record?.before === null && text === empty
  const { mode } = looked.present
  return [
    {
      ...unchanged(place, agent, context),
      after: isOurs ? undefined : document.bytes(text),
      mode: record?.mode?.after === mode ? record.mode.before : mode,
      record: undefined,
      foldersToRemove: isOurs ? record.foldersMade : [],
    },
  ]
}

const unchanged = ({ file, looked, document }: HooksFilePlace, { name }: ListedAgent, context: InstallContext) => ({
  file,
  looked,
  format: document.format,
  within: boundsOf(context),
  agent: name,
  foldersToRemove: [],
  worthKeeping: true,
})

/** The one file of a scope that the agent reads. @throws HookgateError `usage` */
function placesIn(agent: ListedAgent, look: ListedLook, context: InstallContext): readonly InstallPlace[] {
  const [{ file }] = filesOf(agent, context)
  return [{ place: file, inspect: () => inspect(agent, look, context) }]
}

function inspect(agent: ListedAgent, look: ListedLook, context: InstallContext): Inspection {
  const [place, ...others] = placesOf(agent, context)
  const hidden = others.filter((other) => ownHooks(other, other.document).length > 0)
  const unread = hidden.map(
    (other) => `it is registered in ${other.file}, which ${titleOf(agent.name)} does not read: ${again(agent)}`,
  )
  const own = ownHooks(place, place.document)
  if (own.length > 0) return inspectOwn(place, own, unread, agent, look, context)
  if (hidden.length > 0) return { ...notRegistered, by: 'enable', problems: unread }
  return inspectByHand(place, agent, context)
}

const again = ({ name }: ListedAgent) => `run \`hookgate enable ${name}\` again`

function inspectOwn(
  place: HooksFilePlace,
  own: readonly FoundHook[],
  unread: readonly string[],
  agent: ListedAgent,
  look: ListedLook,
  context: InstallContext,
): Inspection {
  // A project's hooks may come from a foreign repository: they run only if `enable` registered them on this machine.
  const isKnown = own.every(({ identity }) => place.record?.registered.includes(sha256Of(identity)) === true)
  const around = look.around?.(context, own)
  const tried = agent.triedEvents.flatMap((event) =>
    own.filter((hook) => hook.event === event && hook.startsGateOnly !== true),
  )
  return {
    by: 'enable',
    events: [...new Set(own.map(({ event }) => event))],
    problems: [
      ...unread,
      ...unreadable(place, agent),
      ...registrationProblems(own, agent),
      ...look.problems(context, place, own),
    ],
    remarks: look.remarks?.(own) ?? [],
    untried: context.scope === 'project' && !isKnown ? untriedInProject(agent.name) : undefined,
    canaries: differing(tried).map(
      ({ handler }) =>
        () =>
          agent.sendCanary(handler, context),
    ),
    ...(around !== undefined && { around }),
  }
}

function registrationProblems(own: readonly FoundHook[], agent: ListedAgent): readonly string[] {
  const { wins } = agent.form
  const missing = agent.decidedEvents.filter((event) => !own.some((hook) => hook.event === event))
  const misplaced = own.filter(
    ({ entry, entries }) => wins !== undefined && entry !== (wins.position === 'first' ? 0 : entries - 1),
  )
  return [
    ...(missing.length > 0 ? [`hookgate is not called at ${missing.join(', ')}: ${again(agent)}`] : []),
    ...(wins !== undefined && misplaced.length > 0
      ? [
          `another hook comes ${wins.position === 'first' ? 'before' : 'after'} it at ${misplaced.map(({ event }) => event).join(', ')}, and ${wins.since}: ${again(agent)}`,
        ]
      : []),
    ...goneProblems(
      filesRun(own).filter((file) => sizeOf(file) === 0),
      agent,
    ),
  ]
}

/** A shell takes an empty file for a hook without objection: to the agent it is as good as none. */
const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Names one of the files that are gone or empty, since all are written anew at once. */
function goneProblems([first, ...more]: readonly string[], agent: ListedAgent): readonly string[] {
  if (first === undefined) return []
  const state = existsSync(first) ? 'empty' : 'gone'
  const others = more.length === 0 ? ` is ${state}` : ` and ${counted(more.length, 'more file')} are ${state}`
  return [`${first}${others}: ${again(agent)}`]
}

/** Tells whether a file of the agent's has a hook of `enable`, or the one that it reads one by hand that runs hookgate. */
function registeredBy(agent: ListedAgent, context: InstallContext): Inspection['by'] {
  const places = placesOf(agent, context)
  if (places.some((place) => ownHooks(place, place.document).length > 0)) return 'enable'
  return hooksByHand(places[0], agent, context).length > 0 ? 'hand' : undefined
}

const hooksByHand = ({ document }: HooksFilePlace, agent: ListedAgent, context: InstallContext) =>
  document.handlers.flatMap((found) => {
    const identity = agent.handCommand(found.handler, context)
    return identity === undefined ? [] : [{ ...found, identity }]
  })

/** A registration by hand is tested in the same way. */
function inspectByHand(place: HooksFilePlace, agent: ListedAgent, context: InstallContext): Inspection {
  const hooks = hooksByHand(place, agent, context)
  if (hooks.length === 0) return notRegistered
  return {
    by: 'hand',
    events: [...new Set(hooks.map(({ event }) => event))],
    problems: [],
    untried: context.scope === 'project' ? untriedInProject(agent.name) : undefined,
    canaries: differing(hooks).map(
      ({ handler }) =>
        () =>
          agent.sendCanary(handler, context),
    ),
  }
}

const differing = <Hook extends { readonly identity: string }>(hooks: readonly Hook[]): readonly Hook[] => [
  ...new Map(hooks.map((hook) => [hook.identity, hook])).values(),
]
