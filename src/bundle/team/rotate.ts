import { existsSync, renameSync } from 'node:fs'
import { errorText } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { z } from 'zod'
import { bundleError, type TopRole, topRoles } from '../names.ts'
import { keyFile, makeKey, type PublicKey, rolesIn, type SigningKey } from './keys.ts'
import {
  checkSignedBy,
  commit,
  newRoot,
  nextTargets,
  readRoot,
  readSnapshot,
  readTargets,
  readTimestamp,
  type Repository,
  signWith,
  type TargetsMetadata,
  writeRoot,
} from './repository.ts'
import { jsonOf, roleKey, onlineKeys, type Signing, withDelegations } from './roles.ts'

/**
 * Signs what a role says once more, for another year or a quarter.
 *
 * @param role `root`, with the keys of it that are in the folder, or a role of targets
 * @returns its version
 */
export function renew(repository: Repository, role: string, signing: Signing): number {
  if (role === 'root') return nextRoot(repository, signing, rootKeys(signing), (content) => content)
  const metadata = readTargets(repository, role)
  const key = roleKey(signing, role)
  checkSignedBy(metadata, key, repository)
  const next = nextTargets(role, metadata, {}, signing.nowMs)
  signWith(next, key)
  commit(repository, new Map([[role, next]]), onlineKeys(signing), signing.nowMs)
  return next.signed.version
}

/**
 * Takes the key of a role out of trust, and gives it another one, also if the old one is lost.
 *
 * @param role `root-1` and so on, or any other role
 * @returns where the old key is kept; `undefined` if there was none
 */
export function replaceKey(repository: Repository, role: string, signing: Signing): string | undefined {
  if (/^root-\d+$/.test(role)) return replaceRootKey(repository, role, signing)
  const top = topRoles.find((name) => name === role)
  switch (top) {
    case 'root':
      throw bundleError('bundleKey', 'the root has several keys', 'name one of them, such as `root-1`')
    case 'targets':
    case 'snapshot':
    case 'timestamp':
      return replaceTopKey(repository, top, signing)
    case undefined:
      return replaceDelegatedKey(repository, role, signing)
  }
}

function replaceRootKey(repository: Repository, role: string, signing: Signing): string | undefined {
  const before = rootKeys(signing)
  const index = Number(role.slice('root-'.length)) - 1
  const old = contentOf(repository).roles.root.keyids[index]
  if (old === undefined) throw bundleError('bundleKey', `the root has no key \`${role}\``, 'see its `root.json`')
  const { retired, key } = newKey(role, signing)
  // The old key, if it is there, and all others may be needed for the threshold of either root.
  nextRoot(repository, signing, [...before, roleKey(signing, role)], (content) => swapped(content, 'root', old, key))
  return retired
}

function replaceTopKey(repository: Repository, role: Exclude<TopRole, 'root'>, signing: Signing): string | undefined {
  const root = readRoot(repository)
  const targets = readTargets(repository, 'targets')
  const others = { targets, snapshot: readSnapshot(repository), timestamp: readTimestamp(repository) }
  // Only content that the old key has signed is signed anew, and nothing that somebody has put in its place.
  for (const [name, metadata] of Object.entries(others)) root.verifyDelegate(name, metadata)
  const [old = ''] = contentOf(repository).roles[role].keyids
  const { retired, key } = newKey(role, signing)
  nextRoot(repository, signing, rootKeys(signing), (content) => swapped(content, role, old, key))
  const next = nextTargets('targets', targets, {}, signing.nowMs)
  if (role === 'targets') signWith(next, roleKey(signing, role))
  const changed = new Map(role === 'targets' ? [[role, next]] : [])
  commit(repository, changed, onlineKeys(signing), signing.nowMs, true)
  return retired
}

function replaceDelegatedKey(repository: Repository, role: string, signing: Signing): string | undefined {
  const targets = readTargets(repository, 'targets')
  const metadata = readTargets(repository, role)
  const signer = roleKey(signing, 'targets')
  checkSignedBy(targets, signer, repository)
  targets.verifyDelegate(role, metadata)
  const paths = targets.signed.delegations?.roles?.[role]?.paths ?? []
  const { retired, key } = newKey(role, signing)
  const changed = new Map<string, TargetsMetadata>([
    ['targets', withDelegations(targets, [{ role, paths, key }], signing.nowMs)],
    [role, nextTargets(role, metadata, {}, signing.nowMs)],
  ])
  for (const [name, one] of changed) signWith(one, roleKey(signing, name))
  commit(repository, changed, onlineKeys(signing), signing.nowMs)
  return retired
}

const RootContent = z.looseObject({
  keys: z.record(z.string(), z.unknown()),
  roles: z.record(z.enum(topRoles), z.looseObject({ keyids: z.array(z.string()) })),
})
type RootContent = z.infer<typeof RootContent>

const contentOf = (repository: Repository) => RootContent.parse(readRoot(repository).signed.toJSON())

function swapped({ keys, roles, ...rest }: RootContent, role: TopRole, old: string, key: PublicKey): RootContent {
  const { [old]: _, ...kept } = keys
  const keyids = roles[role].keyids.map((id) => (id === old ? key.keyid : id))
  return { ...rest, keys: { ...kept, ...jsonOf([key]) }, roles: { ...roles, [role]: { ...roles[role], keyids } } }
}

/** Signs and writes the next root. @returns its version */
function nextRoot(
  repository: Repository,
  { nowMs }: Signing,
  keys: readonly SigningKey[],
  change: (content: RootContent) => RootContent,
): number {
  const root = readRoot(repository)
  if (!keys.some((key) => isSignedBy(root, key))) {
    const remedy = 'put the keys of the root into the folder, or take the repository from a copy that you trust'
    throw bundleError('bundleRepository', 'the root was signed by no key of the folder', remedy, repository.folder)
  }
  const version = root.signed.version + 1
  const next = newRoot(change(contentOf(repository)), version, nowMs)
  for (const key of keys) signWith(next, key)
  try {
    root.verifyDelegate('root', next)
    next.verifyDelegate('root', next)
  } catch (error) {
    const remedy = 'put more keys of the root into the folder'
    throw bundleError('bundleKey', `the next root would not be valid: ${errorText(error)}`, remedy)
  }
  writeRoot(repository, next)
  return version
}

function isSignedBy(root: ReturnType<typeof readRoot>, { keyid }: SigningKey): boolean {
  try {
    root.signed.keys[keyid]?.verifySignature(root)
    return root.signed.keys[keyid] !== undefined
  } catch {
    return false
  }
}

/** Returns the keys of the root that are in the folder. */
const rootKeys = (signing: Signing): readonly SigningKey[] =>
  rolesIn(signing.keys)
    .filter((role) => /^root-\d+$/.test(role))
    .slice(0, limits.bundleRootsMax)
    .map((role) => roleKey(signing, role))

/** Moves the key of a role aside, and makes another one. */
function newKey(role: string, { keys, passphrase }: Signing) {
  const file = keyFile(keys, role)
  const retired = existsSync(file) ? `${file}.retired-${Date.now()}` : undefined
  if (retired !== undefined) renameSync(file, retired)
  return { retired, key: makeKey(keys, role, passphrase) }
}
