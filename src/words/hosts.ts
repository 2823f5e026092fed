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

/** True if a URL or host is this machine, also as HTTPie shortens it: `:8000/items`. */
export const isLoopback = (url: string): boolean => ownNames.test(hostOf(url)) || /^:\d*(?:\/|$)/.test(url)
