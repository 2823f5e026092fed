import { ask, definePolicy, type NetworkKind, setOf, type ShellCommand } from 'hookgate/policy'
import { isFirstParty, isForOthers, isLoggedIn, type Owner, ownerOf } from './belonging.ts'
import { handsOver, substanceOf } from './contents.ts'
import { sharedExamples } from './examples/shared-content.ts'
import { trustedHosts } from './params.ts'
import { addressedTo, goalsOf, sendsTo } from './sending.ts'

/** Options that make a store of one's own readable for everybody. */
const isPublic = ({ args }: ShellCommand) => args.some(({ value }) => /^(?:--acl=)?public-read/.test(value))

/** Kinds whose place a person has set up: an account is needed there, or its name is one that a person gave. */
const knownPlaces = setOf<NetworkKind>(['copy', 'session', 'store', 'service', 'lookup'])

interface Given {
  readonly owner: Owner | undefined
  readonly trusted: readonly string[]
}

/** Returns the place of others that a command sends something to. */
function placeOf(
  command: ShellCommand,
  host: string | undefined,
  isToOthers: boolean,
  { owner, trusted }: Given,
): string | undefined {
  if (host === undefined || !handsOver(command) || isLoggedIn(command)) return undefined
  const { kind } = command.network ?? {}
  if (kind === 'project') return isToOthers ? host : undefined
  if (kind !== undefined && knownPlaces.has(kind) && !isPublic(command)) return undefined
  const named = kind === 'mail' ? (command.network?.host ?? host) : host
  return isFirstParty(named, command.network?.url ?? '', owner, trusted) ? undefined : named
}

export default definePolicy({
  id: 'shared-content',
  description: 'Asks before what a project is made of goes to a place that is not its owner’s',
  severity: 'medium',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { code: true, network: true },
  facts: { remote: { gitRemote: 'origin' } },
  params: { trustedHosts },
  decide({ shell, impacts, params, facts }) {
    const given = { owner: ownerOf(facts.remote), trusted: params.trustedHosts }
    const places = new Map<number, string>()
    for (const [at, command] of shell.commands.entries()) {
      const connects = command.code?.does.includes('network') === true ? 'an unknown host' : undefined
      const host =
        sendsTo(command, params.trustedHosts) ??
        addressedTo(shell, at, params.trustedHosts) ??
        (command.network === undefined ? connects : undefined)
      const place = placeOf(command, host, isForOthers(impacts, at, given.owner), given)
      if (place !== undefined) places.set(at, place)
    }
    if (places.size === 0) return undefined
    const goalOf = goalsOf(shell, new Set(places.keys()))
    for (const [at, command] of shell.commands.entries()) {
      if (command.elsewhere === true) continue
      const place = places.get(goalOf(at) ?? -1)
      const what = place === undefined ? undefined : substanceOf(command, places.has(at))
      if (what === undefined) continue
      return ask(
        `this sends ${what} to ${place}, which is not the project's own: have the person agree to it, or name the host in trustedHosts`,
        { at },
      )
    }
    return undefined
  },
  examples: sharedExamples,
})
