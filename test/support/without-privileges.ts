import { spawnSync } from 'node:child_process'

const isRoot = process.getuid?.() === 0
const dropping = [
  'setpriv',
  '--bounding-set=-dac_override,-dac_read_search',
  '--inh-caps=-dac_override,-dac_read_search',
]

/**
 * Returns the words to put before a command so that the permissions of files count for it, as they do not for root.
 * Root stays root without that right, since another user may not be able to read the clone. `undefined` where root cannot
 * give it up.
 */
export function withoutPrivileges(): readonly string[] | undefined {
  if (!isRoot) return []
  return spawnSync(dropping[0] ?? '', [...dropping.slice(1), 'true']).status === 0 ? dropping : undefined
}
