/** The host of a URL or of `host:port`, in lower case, without user and port. */
export function hostOf(url: string): string {
  const behindScheme = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split(/[/?#]/)[0] ?? ''
  const behindUser = behindScheme.slice(behindScheme.lastIndexOf('@') + 1).toLowerCase()
  return behindUser.startsWith('[') ? (behindUser.slice(1).split(']')[0] ?? '') : (behindUser.split(':')[0] ?? '')
}

/** The port of a URL, if it names one. */
export function portOf(url: string): string | undefined {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*):(\d+)/i.exec(url)?.[1]
}

/** Names of this machine that systems and container engines have in their tables of hosts. */
const ownNames =
  /^(?:localhost|localhost\.localdomain|localhost[46]|ip6-(?:localhost|loopback)|.*\.localhost|host\.(?:docker|containers|lima|orb|minikube)\.internal|(?:gateway|kubernetes)\.docker\.internal|127(?:\.\d+){0,3}|0\.0\.0\.0|(?:0*:)+0*1|::|::ffff:127\.[\d.]+)\.?$/

/** Addresses of private networks, of links and of carriers, and names that only networks around this machine know. */
const nearby =
  /^(?:(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+|\[?f[cd][\da-f]{2}:.*|.*\.(?:local|internal|test|lan|home\.arpa))$/i

/** True if a host is this machine, or of a network around it. */
export const isNearby = (host: string): boolean => nearby.test(host) || isLoopback(host)

/** True if a URL or host is this machine, also as HTTPie shortens it: `:8000/items`. */
export const isLoopback = (url: string): boolean => ownNames.test(hostOf(url)) || /^:\d*(?:\/|$)/.test(url)
