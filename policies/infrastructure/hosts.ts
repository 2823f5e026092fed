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

/** True if a URL or host is this machine. */
export function isLoopback(url: string): boolean {
  const host = hostOf(url)
  return (
    host === 'localhost' ||
    host === '::1' ||
    host === '0.0.0.0' ||
    host.startsWith('127.') ||
    host.endsWith('.localhost')
  )
}
