/**
 * Returns the path of a socket's address: `/run/x`, `unix:/run/x`, `unix://x`, `unix:path=/run/x`, `unix-listen:x`, `x.sock`;
 * `undefined` for a port, a host or an abstract name. Options behind the path are left out: `,fork`, `?mode=600`.
 */
export function boundPath(address: string): string | undefined {
  const family = /^(?:http\+)?(?:unix(?:-[a-z]+)?|ipc|local)(?::{1,2}|\/)(?:\/\/)?(?:path=)?/i.exec(address)?.[0] ?? ''
  const path = address.slice(family.length).replace(/[,;?].*$/s, '')
  const isPath =
    family !== '' ? !path.startsWith('@') : /^[/~]|^\.{1,2}\/|^[^:]+\/[^:]*$|^[^:/]+\.sock(?:et)?$/.test(path)
  return isPath && path !== '' ? path : undefined
}
