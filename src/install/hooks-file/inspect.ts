import { existsSync } from 'node:fs'
import { titleOf } from '../../agents/registry.ts'
import { sha256 } from '../files/own-state.ts'
import { type Inspection, type InstallContext, type InstallPlace, notRegistered } from '../install-context.ts'
import { untriedInProject } from '../status.ts'
import {
  filesRun,
  type FoundHook,
  type ListedAgent,
  type ListedLook,
  type HooksFilePlace,
  filesOf,
  ownHooks,
  placesOf,
  unreadable,
} from './listed-agent.ts'

/** The one file of a scope that the agent reads. @throws HookgateError `usage` */
export function placesIn(agent: ListedAgent, look: ListedLook, context: InstallContext): readonly InstallPlace[] {
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
  const isKnown = own.every(({ identity }) => place.record?.registered.includes(sha256(identity)) === true)
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
    ...(missing.length > 0 ? [`not at ${missing.join(', ')}: ${again(agent)}`] : []),
    ...(wins !== undefined && misplaced.length > 0
      ? [
          `another hook comes ${wins.position === 'first' ? 'before' : 'after'} it at ${misplaced.map(({ event }) => event).join(', ')}, and ${wins.since}: ${again(agent)}`,
        ]
      : []),
    ...filesRun(own)
      .filter((file) => !existsSync(file))
      .map((file) => `${file} is gone: ${again(agent)}`),
  ]
}

/** Tells whether a file of the agent's has a hook of `enable`, or the one that it reads one by hand that runs hookgate. */
export function registeredBy(agent: ListedAgent, context: InstallContext): Inspection['by'] {
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
