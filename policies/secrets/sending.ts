import { lineOf, onlyTries, type ShellCommand, type ShellFacts } from 'hookgate/policy'
import { onlyFetches } from './powershell-fetches.ts'
import { mailers, trials } from './senders.ts'

/** A device of bash that is a connection. */
const isSocket = (target: string | undefined) => target !== undefined && /^\/dev\/(?:tcp|udp)\//.test(target)

const catcher = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)(?::(\d+))?$/
/** Ports at which a server takes mail that it carries on. */
const carriesOn = /^(?:25|465|587)?$/

/** True for mail to a server of this machine that shows what it gets, as those of a test do. */
function isCaught({ args }: ShellCommand): boolean {
  const valueOf = (names: RegExp) => {
    const at = args.findIndex(({ value }) => names.test(value))
    return args[at]?.value.split('=')[1] ?? args[at + 1]?.value
  }
  const [host, port = ''] = catcher.exec(valueOf(/^(?:-s|-?-server|--host)(?:=|$)/) ?? '') ?? []
  return host !== undefined && !carriesOn.test(port === '' ? (valueOf(/^(?:-p|-?-port)(?:=|$)/) ?? '') : port)
}

/** What a command has that sends something, where the facts say nothing of a network. */
export const sendingWords: readonly string[] = [
  ...mailers.members,
  'tcp udp curl wget http https xh httpie nc ncat netcat irm iwr invoke-restmethod invoke-webrequest',
]
function isTrial(command: ShellCommand): boolean {
  const { program, args } = command
  if (!trials.has(program)) return false
  return program === 'rsync' ? lineOf(command)?.surely('n', 'dry-run') === true : onlyTries(args, 'dry-run', 'dryrun')
}

/** Returns the host that a command sends its input to; `undefined` if it stays on this machine. */
export function sendsTo(command: ShellCommand, trusted: readonly string[]): string | undefined {
  const { network, program, redirections } = command
  const socket = redirections.find(({ operator, target }) => operator !== '<<<' && isSocket(target?.value))
  if (socket !== undefined && socket.operator !== '<') return hostOf(socket.target?.value.split('/')[3], trusted)
  if (mailers.has(program)) return isCaught(command) ? undefined : 'a mailbox'
  if (network === undefined || network.direction === 'receive' || isTrial(command) || onlyFetches(command))
    return undefined
  if (network.url?.startsWith('file:') === true) return undefined
  return hostOf(network.host, trusted)
}

/** Returns the host that a command's words are sent to: the whole address is sent. */
export function addressedTo(
  { commands, flows }: ShellFacts,
  at: number,
  trusted: readonly string[],
): string | undefined {
  const { network } = commands[at] ?? {}
  const starter = commands[commands[at]?.startedBy ?? -1]?.program ?? ''
  const isGiven = /^(?:xargs|parallel)$/.test(starter) || flows.some(({ to, via }) => to === at && via !== 'pipe')
  if (network?.direction !== 'receive' || !isGiven) return undefined
  return hostOf(network.host, trusted)
}

function hostOf(host: string | undefined, trusted: readonly string[]): string | undefined {
  if (host === undefined || host === '') return 'an unknown host'
  return isTrusted(host, trusted) ? undefined : host
}

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
