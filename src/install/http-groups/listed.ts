import { join, sep } from 'node:path'
import type { OwnInstall } from '../../agents/install/install.ts'
import { titleOf } from '../../agents/registry.ts'
import type { AgentName } from '../../model/event.ts'
import { endGate } from '../../service/server/end-gate.ts'
import { installationGone, otherVersions, textsOf } from '../hook-files.ts'
import { filesRun, type FoundHook, type ListedAgent, ownHooks } from '../hooks-file/listed-agent.ts'
import type { Inspection, InstallContext } from '../install-context.ts'
import { isGateRunning } from '../status.ts'
import { chooseWay } from './choose-way.ts'
import { decidedEvents, groupsFor, registeredEvents, summaryOf, timesOf } from './groups.ts'
import { canaryFor, handHandler, isUpCommand, lineOf, ownHandler, startFor } from './own-handler.ts'
import { type Overrides, readOverrides, settingsFileOf } from './settings.ts'
import { isAtLeast, measuredVersion, readVersion, since, type Version, versionText } from './version.ts'

/** Registers hookgate with Claude Code, by commands or by HTTP. */
export const httpGroupsAgent = (name: AgentName, install: OwnInstall): ListedAgent => ({
  name,
  limits: install,
  onlyBy: install.onlyBy,
  form: {},
  events: registeredEvents,
  decidedEvents,
  // The files of the other events differ only in how they refuse.
  triedEvents: ['PreToolUse', 'UserPromptSubmit'],
  files: (context) => [{ file: settingsFileOf(context), at: 'hooks', holds: 'groups' }],
  timesOf,
  own(handler, { places }) {
    const own = ownHandler(handler)
    if (own === undefined) return undefined
    const words = own.type === 'command' ? (own.args ?? []) : []
    return {
      identity: JSON.stringify(own),
      file: words.find((word) => word.startsWith(join(places.folder, sep))),
      ...(isUpCommand(own) && { startsGateOnly: true }),
    }
  },
  handCommand(handler) {
    const hand = handHandler(handler)
    return hand === undefined ? undefined : lineOf(hand)
  },
  async register(context, place, files) {
    const wasHttp = ownHooks(place, place.document).some(({ handler }) => ownHandler(handler)?.type === 'http')
    const { way, notes } = await chooseWay(name, context, { real: place.looked.real, wasHttp, files })
    return { entries: groupsFor(way), notes, summary: summaryOf(way), isHttp: way.http !== undefined }
  },
  obstacles: (context) => readOverrides(context).obstacles,
  async look(context) {
    const overrides = readOverrides(context)
    const version = await readVersion(context)
    return {
      notes: [versionNote(name, version)],
      problems: (_scoped, { looked }, own) => [
        ...installationGone(name, textsOf(filesRun(own))),
        ...httpProblems(name, own, version, overrides, looked.present?.mode ?? 0),
      ],
      remarks: (own) => otherVersions(name, textsOf(filesRun(own))),
      around: aroundCanaries,
    }
  },
  sendCanary: (handler, context) => canaryFor(name, handler, context),
})

function versionNote(agent: AgentName, version: Version | undefined): string {
  if (version === undefined) return 'no `claude` on the PATH reports its version'
  const newer = isAtLeast(version, measuredVersion) && versionText(version) !== versionText(measuredVersion)
  return `${titleOf(agent)} ${versionText(version)}${newer ? `; hookgate was tested with ${versionText(measuredVersion)}` : ''}`
}

function httpProblems(
  agent: AgentName,
  own: readonly FoundHook[],
  version: Version | undefined,
  overrides: Overrides,
  mode: number,
): readonly string[] {
  const again = `run \`hookgate enable ${agent}\` again`
  const posts = own.map(({ handler }) => ownHandler(handler)).filter((handler) => handler?.type === 'http')
  if (posts.length === 0) return []
  const forbidden = posts.find(({ url }) => !overrides.httpAllowed(url))
  return [
    ...(version !== undefined && !isAtLeast(version, since.onFailure)
      ? [`${titleOf(agent)} ${versionText(version)} goes ahead when the HTTP hook fails: ${again}`]
      : []),
    ...(process.platform !== 'win32' && (mode & 0o077) !== 0
      ? ['other users can read the file, and the token in it: run `chmod 600` on it']
      : []),
    ...(forbidden === undefined ? [] : [`\`allowedHttpHookUrls\` does not list ${forbidden.url}: ${again}`]),
    ...(posts.some(({ onFailure }) => onFailure !== 'block')
      ? [`an HTTP hook without \`"onFailure": "block"\` lets the agent go ahead when it fails: ${again}`]
      : []),
  ]
}

/** HTTP hooks can be tried only with a gate. One that is started for that is ended again. */
function aroundCanaries(context: InstallContext, own: readonly FoundHook[]): Inspection['around'] {
  const up = own.map(({ handler }) => ownHandler(handler)).find((handler) => handler && isUpCommand(handler))
  if (up === undefined) return undefined
  return async (send) => {
    if (await isGateRunning(context)) return send()
    await startFor(up, context)
    try {
      return await send()
    } finally {
      await endGate(context.places)
    }
  }
}
