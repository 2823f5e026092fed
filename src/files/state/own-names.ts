/** The names of the files and folders that hookgate creates in its own folder. */
export const ownNames = [
  'approvals.key',
  'backups',
  'bundles',
  'clients',
  'compiled',
  'decisions.db',
  'decisions.db-shm',
  'decisions.db-wal',
  'decisions.db.lock',
  'decisions.db.verified',
  'decisions.writers',
  'enable.lock',
  'enabled',
  'environment.json',
  'export.json',
  'export.key',
  'export.lock',
  'gate.json',
  'gate.key',
  'gate.lock',
  'gate.log',
  'gate.log.1',
  'gate.sock',
  'hooks',
  'last-start',
  'page.json',
  'refusals',
  'sandboxed',
  'sessions',
  'start.lock',
  'stops',
  'token',
] as const

const names: ReadonlySet<string> = new Set(ownNames)

/** A draft of `replaceFile`, not yet renamed to its final name. */
const draft = /^\.(?<name>.+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The socket of a gate whose own folder has too long a path for one. */
const shortSocket = /^[0-9a-f]{16}\.sock$/

/** What the sender of a person's answer holds open: see `withWitness`. */
const witness = /^answer-[0-9a-f]{64}$/

/** A damaged database that was set aside. */
const damagedDatabase = /^decisions\.db\.damaged-[0-9TZ.-]+(?:-wal|-shm)?$/

/** Returns whether hookgate itself creates files of this name in its folder. */
export function isOwnName(name: string): boolean {
  return (
    names.has(draft.exec(name)?.groups?.['name'] ?? name) ||
    [shortSocket, witness, damagedDatabase].some((form) => form.test(name))
  )
}
