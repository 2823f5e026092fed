import {
  isLoopback,
  lineOf,
  type NetworkKind,
  quoted,
  readOptions,
  setOf,
  type ShellCommand,
  type ShellFacts,
} from 'hookgate/policy'

/** Reads the options and operands of a request, of a program whose options are not known too. */
export const lineOfRequest = (command: ShellCommand) => lineOf(command) ?? readOptions(command.args)

const toAnybody = setOf<NetworkKind>(['request', 'stream', 'transfer'])

/** True if a command hands what it is given to whoever is at an address: no deployment is made so. */
export const takesAnything = ({ network }: ShellCommand): boolean =>
  network !== undefined && toAnybody.has(network.kind)

/** Returns the host that a command sends its input to; `undefined` if it stays on this machine. */
export function sendsTo(command: ShellCommand, trusted: readonly string[]): string | undefined {
  const { network } = command
  if (network === undefined || network.direction === 'receive') return undefined
  // `served-secrets` judges what a server hands out.
  if (network.kind === 'serve') return undefined
  // A server of this machine only shows the mail that it gets.
  if (network.kind === 'mail') return isLoopback(network.host ?? '') ? undefined : 'a mailbox'
  if (network.url?.startsWith('file:') === true) return undefined
  return hostOf(network.host, trusted)
}

/** Returns the host that a command's words are sent to: the whole address is sent. */
export function addressedTo(
  { commands, flows }: ShellFacts,
  at: number,
  trusted: readonly string[],
): string | undefined {
  const { network, args = [] } = commands[at] ?? {}
  const isGiven =
    args.some(({ from }) => from !== undefined) || flows.some(({ to, via }) => to === at && via !== 'pipe')
  if (network?.direction !== 'receive' || !isGiven) return undefined
  return hostOf(network.host, trusted)
}

function hostOf(host: string | undefined, trusted: readonly string[]): string | undefined {
  if (host === undefined || host === '') return 'another machine'
  return isTrusted(host, trusted) ? undefined : host
}

/** Returns a host as a reason says it. */
export const hostText = (host: string) => (/^an?(?:other)? (?:machine|mailbox)$/.test(host) ? host : quoted(host))

/** `*.example.com` is any host below it. */
export const isTrusted = (host: string, trusted: readonly string[]) =>
  trusted.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one))

/** Finds which of the goals gets something of what a command has: itself, or where its bytes end up. Indices. */
export function goalsOf(
  { commands, flows }: ShellFacts,
  goals: ReadonlySet<number>,
): (start: number) => number | undefined {
  const onward = commands.map((): number[] => [])
  for (const { from, to } of flows) onward[from]?.push(to)
  for (const [at, { startedBy }] of commands.entries()) {
    if (startedBy === undefined) continue
    // A command's output is also its starter's, and a wrapper's input is also that of what it starts.
    onward[at]?.push(startedBy)
    if (commands[startedBy]?.wrapper === true) onward[startedBy]?.push(at)
  }
  // From these nothing leads to a goal, wherever one comes from.
  const vain = new Set<number>()
  return (start) => {
    if (goals.size === 0) return undefined
    const reached = new Set([start])
    for (const at of reached) {
      if (goals.has(at)) return at
      for (const next of onward[at] ?? []) if (!vain.has(next)) reached.add(next)
    }
    for (const at of reached) vain.add(at)
    return undefined
  }
}
