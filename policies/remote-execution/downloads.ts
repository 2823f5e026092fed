import { setOf, type ShellCommand } from 'hookgate/policy'
import { isSocket, isTrusted } from './flowing.ts'

/** Something that comes from another machine. */
export interface Download {
  /** In words. */
  readonly host: string
  /** Set if it may download nothing, or if the person chose to get a whole project from the host. */
  readonly doubtful?: true
}

/** Programs that bring a project, a package or an image here by its name. */
const projects = setOf(
  'git hg svn bzr fossil gh glab docker podman npm npx yarn pnpm bun pip pipx uv poetry cargo go gem bundle composer mvn gradle apt apt-get dnf yum apk brew conda rsync scp sftp'.split(
    ' ',
  ),
)

/** Programs that bring what an address leads to, where the facts say nothing of a network. */
export const downloaders = setOf(
  'fetch axel wget2 curlie xh hget tftp links elinks lwp-request get puf gsutil ipfs iwr irm invoke-webrequest invoke-restmethod'.split(
    ' ',
  ),
)

/** Returns the download of a command from a host that is not trusted. */
export function downloadOf(command: ShellCommand, trustedHosts: readonly string[]): Download | undefined {
  const { network, program, args, redirections, code } = command
  const socket = redirections.find(({ operator, target }) => operator.startsWith('<') && isSocket(target?.value))
  if (socket !== undefined) return { host: socket.target?.value.split('/')[3] ?? unknownHost }
  const direction = network?.direction
  if (direction === undefined && downloaders.has(program)) {
    return args.some(({ value }) => /^(?:https?|ftp):\/\/|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[/:?]|$)/i.test(value))
      ? { host: unknownHost }
      : undefined
  }
  if (direction === undefined) return code?.does.includes('network') === true ? { host: unknownHost } : undefined
  if (direction === 'send' || direction === 'listen')
    return direction === 'listen' ? { host: 'anyone who connects' } : undefined
  if (network?.url?.startsWith('file:') === true || isTrusted(network?.host, trustedHosts)) return undefined
  const host = network?.host ?? unknownHost
  return projects.has(program) || keepsFiles(command) ? { host, doubtful: true } : { host }
}

/** True if an existing file is kept, so that the download is not what is run. */
const keepsFiles = ({ program, args }: ShellCommand) =>
  program === 'curl'
    ? args.some(({ value }) => value === '--no-clobber')
    : program === 'wget' && args.some(({ value }) => value === '-nc' || value === '--no-clobber')

const unknownHost = 'an unknown host'
