import { type Impact, isNearby, setOf, type ShellCommand } from 'hookgate/policy'
import { isTrusted, lineOfRequest } from './sending.ts'

/** The remote of the project, as far as it says whose the project is. */
export interface Owner {
  readonly host: string
  /** The first part of its path: a person, an organization, a group. */
  readonly name: string
}

/** Reads who the owner of a remote is: of `git@github.com:acme/shop.git`, `acme` at `github.com`. */
export function ownerOf(remote: string | undefined): Owner | undefined {
  const [, host, name] = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[:/]+([\w.~-]+)\//i.exec(remote ?? '') ?? []
  return host === undefined || name === undefined ? undefined : { host: host.toLowerCase(), name: name.toLowerCase() }
}

/** True for this machine and networks around it; a name without a dot is of such a network. */
export const isNear = (host: string) => isNearby(host) || /^[a-z][\w-]*$/i.test(host)

/** Returns the part of a host's name that somebody has registered: `acme.dev` of `api.acme.dev`. */
export function domainOf(host: string): string {
  const labels = host.split('.')
  return labels.slice(/\.(?:com?|net|org|gov|ac)\.[a-z]{2}$/.test(host) ? -3 : -2).join('.')
}

/** Hosts of repositories that belong to everybody: only an owner's part of them is the owner's. */
const forges = /^(?:(?:github|gitlab|gitee)\.com|bitbucket\.org|codeberg\.org|sr\.ht|dev\.azure\.com)$/
/** Parts of a forge that are nobody's project. */
const sharing = /(?:^|\/)(?:gists?|snippets)(?:[/?]|$)/i

/** True for a place of the project's owner: the domain of its remote, one of the owner's name, its part of a forge. */
export function isOwn(owner: Owner | undefined, host: string, address = ''): boolean {
  if (owner === undefined) return false
  const [domain, home] = [domainOf(host.toLowerCase()), domainOf(owner.host)]
  if (domain !== home) return owner.name.length > 2 && domain.split('.')[0] === owner.name
  return (
    !forges.test(home) ||
    (address
      .toLowerCase()
      .split(/[/:?#]/)
      .includes(owner.name) &&
      !sharing.test(address))
  )
}

/** Parts of variables' names that say nothing of whose they are. */
const general = setOf(
  'api key token access auth secret bearer pat user username password pass id app my the'.split(' '),
)

/** True if a command logs in with a key of the host's own, by the name of its variable: `$ACME_TOKEN` at `acme.dev`. */
export function isLoggedIn(command: ShellCommand): boolean {
  const { host = '', url = '' } = command.network ?? {}
  if (sharing.test(url.replace(/^[a-z]+:\/\/[^/]*/, ''))) return false
  return lineOfRequest(command).given.some(({ use, value: { variable, unresolved } }) => {
    if (unresolved !== true || use !== 'login') return false
    const words = (variable ?? '').toLowerCase().split('_')
    const named = words.filter((word) => word.length > 2 && !general.has(word))
    return named.length === 0 || named.some((word) => host.includes(word))
  })
}

/** True if a command writes to a repository of another owner. */
export const isForOthers = (impacts: readonly Impact[], at: number, owner: Owner | undefined): boolean =>
  owner !== undefined &&
  impacts.some(
    ({ by, targets }) =>
      by === at && targets['repository']?.some((one) => !one.split('/').includes(owner.name)) === true,
  )

/** True for a place that is trusted, near, or the owner's. */
export const isFirstParty = (host: string, address: string, owner: Owner | undefined, trusted: readonly string[]) =>
  isTrusted(host, trusted) || isNear(host) || isOwn(owner, host, address)
