/** What hookgate keeps in its own folder: files and folders. */
export const ownNames = [
  'asked-for',
  'backups',
  'clients',
  'enable.lock',
  'enabled',
  'environment.json',
  'gate.json',
  'gate.lock',
  'gate.log',
  'gate.log.1',
  'gate.sock',
  'hooks',
  'sessions',
  'start.lock',
  'stops',
  'token',
] as const

const names: ReadonlySet<string> = new Set(ownNames)

/** What is not renamed to its name yet. */
const draft = /^\.(?<name>.+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Sockets of gates whose own folders have too long a path. */
const shortSocket = /^[0-9a-f]{16}\.sock$/

/** Whether hookgate puts something of this name there itself. */
export function isOwnName(name: string): boolean {
  return names.has(draft.exec(name)?.groups?.['name'] ?? name) || shortSocket.test(name)
}
