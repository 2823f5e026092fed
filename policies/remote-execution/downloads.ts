import { type NetworkKind, setOf, type ShellCommand } from 'hookgate/policy'
import { isTrusted } from './flowing.ts'

/** Something that comes from another machine. */
export interface Download {
  /** In words. */
  readonly host: string
  /** Set if it may download nothing, or if the person chose to get a whole project from the host. */
  readonly doubtful?: true
}

/** Kinds that bring here what has a name there: a project, an image, a file of a machine. */
const byName = setOf<NetworkKind>(['project', 'copy'])

/** Returns the download of a command from a host that is not trusted. */
export function downloadOf(command: ShellCommand, trustedHosts: readonly string[]): Download | undefined {
  const { network, code } = command
  if (network === undefined) return code?.does.includes('network') === true ? { host: unknownHost } : undefined
  if (network.direction === 'send') return undefined
  if (network.direction === 'listen') return { host: 'anyone who connects' }
  const { host = unknownHost } = network
  if (network.url?.startsWith('file:') === true || isTrusted(host, trustedHosts)) return undefined
  return byName.has(network.kind) || keepsFiles(command) ? { host, doubtful: true } : { host }
}

/** True if an existing file is kept, so that the download is not what is run. */
const keepsFiles = ({ network, args }: ShellCommand) =>
  network?.kind === 'request' && args.some(({ value }) => value === '-nc' || value === '--no-clobber')

const unknownHost = 'an unknown host'
