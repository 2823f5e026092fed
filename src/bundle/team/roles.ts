import { makeFolders } from '../../files/entries.ts'
import { whyFailed } from '../../files/disk.ts'
import { bundleError, channelRole, switchRole, switchTarget } from '../names.ts'
import { makeKey, type PublicKey, readKey } from './keys.ts'
import {
  checkSignedBy,
  commit,
  firstTargets,
  isRepository,
  newRoot,
  nextTargets,
  type OnlineKeys,
  readTargets,
  type Repository,
  signWith,
  type TargetsMetadata,
  writeRoot,
} from './repository.ts'

/** Channels of one repository: each has a team. */
const bundleChannelsMax = 200

/** Where keys are, and when it is. */
export interface Signing {
  readonly keys: string
  readonly passphrase: string | undefined
  readonly nowMs: number
}

/** The number of the root's keys, and the number of them that must sign. */
interface RootKeys {
  readonly roots: number
  readonly threshold: number
}

const rootKey = (number: number) => `root-${number}`
export const roleKey = ({ keys, passphrase }: Signing, role: string) => readKey(keys, role, passphrase)

export const onlineKeys = (signing: Signing): OnlineKeys => ({
  snapshot: roleKey(signing, 'snapshot'),
  timestamp: roleKey(signing, 'timestamp'),
})

/** Makes the keys of all roles, and a repository without any bundle. @returns the roles, each with a key now */
export function makeRepository(
  repository: Repository,
  { roots, threshold }: RootKeys,
  channels: readonly string[],
  signing: Signing,
): readonly string[] {
  if (isRepository(repository)) {
    const remedy = 'add a channel with `--channel`, or name another folder'
    throw bundleError('bundleRepository', 'there is a repository already', remedy, repository.folder)
  }
  makeKeysFolder(signing.keys)
  const { nowMs } = signing
  const rootNames = Array.from({ length: roots }, (_, index) => rootKey(index + 1))
  const made = new Map<string, PublicKey>()
  const others = ['targets', 'snapshot', 'timestamp', switchRole, ...channels.map(channelRole)]
  for (const role of [...rootNames, ...others]) made.set(role, makeKey(signing.keys, role, signing.passphrase))
  const keysOf = (names: readonly string[]) => names.flatMap((name) => made.get(name) ?? [])
  const roleOf = (names: readonly string[], least: number) => ({
    keyids: keysOf(names).map(({ keyid }) => keyid),
    threshold: least,
  })
  const content = {
    consistent_snapshot: true,
    keys: jsonOf(keysOf([...rootNames, 'targets', 'snapshot', 'timestamp'])),
    roles: {
      root: roleOf(rootNames, threshold),
      targets: roleOf(['targets'], 1),
      snapshot: roleOf(['snapshot'], 1),
      timestamp: roleOf(['timestamp'], 1),
    },
  }
  const root = newRoot(content, 1, nowMs)
  for (const name of rootNames) signWith(root, roleKey(signing, name))
  writeRoot(repository, root)
  const delegations = {
    keys: jsonOf(keysOf([switchRole, ...channels.map(channelRole)])),
    roles: [
      delegation(switchRole, [switchTarget], keysOf([switchRole])),
      ...channels.map((name) => delegation(channelRole(name), [`${name}/*`], keysOf([channelRole(name)]))),
    ],
  }
  const changed = new Map<string, TargetsMetadata>([
    ['targets', firstTargets('targets', { delegations }, nowMs)],
    ...[switchRole, ...channels.map(channelRole)].map((role) => [role, firstTargets(role, {}, nowMs)] as const),
  ])
  for (const [role, metadata] of changed) signWith(metadata, roleKey(signing, role))
  commit(repository, changed, onlineKeys(signing), nowMs)
  return [...made.keys()]
}

/** Adds channels, each with a key of its own. @returns their roles */
export function addChannels(repository: Repository, channels: readonly string[], signing: Signing): readonly string[] {
  const targets = readTargets(repository, 'targets')
  const key = roleKey(signing, 'targets')
  checkSignedBy(targets, key, repository)
  const there = targets.signed.delegations?.roles ?? {}
  const added = channels.filter((name) => there[channelRole(name)] === undefined)
  if (Object.keys(there).length + added.length > bundleChannelsMax) {
    const remedy = 'make another repository'
    const message = `there are more than ${bundleChannelsMax} channels`
    throw bundleError('bundleRepository', message, remedy, repository.folder)
  }
  if (added.length === 0) {
    throw bundleError('bundleRepository', 'all of these channels are there', 'name new ones', repository.folder)
  }
  const made = added.map((name) => {
    const role = channelRole(name)
    return { role, paths: [`${name}/*`], key: makeKey(signing.keys, role, signing.passphrase) }
  })
  const changed = new Map<string, TargetsMetadata>([
    ['targets', withDelegations(targets, made, signing.nowMs)],
    ...made.map(({ role }) => [role, firstTargets(role, {}, signing.nowMs)] as const),
  ])
  for (const [role, metadata] of changed) signWith(metadata, roleKey(signing, role))
  commit(repository, changed, onlineKeys(signing), signing.nowMs)
  return made.map(({ role }) => role)
}

interface NewDelegation {
  readonly role: string
  readonly paths: readonly string[]
  readonly key: PublicKey
}

/** Returns the targets with roles added, or with other keys. */
export function withDelegations(
  targets: TargetsMetadata,
  made: readonly NewDelegation[],
  nowMs: number,
): TargetsMetadata {
  const { keys = {}, roles = {} } = targets.signed.delegations ?? {}
  const kept = Object.values(roles).filter(({ name }) => !made.some(({ role }) => role === name))
  const used = new Set(kept.flatMap(({ keyIDs }) => keyIDs))
  const keptKeys = Object.entries(keys).filter(([id]) => used.has(id))
  const delegations = {
    keys: {
      ...Object.fromEntries(keptKeys.map(([id, key]) => [id, key.toJSON()])),
      ...jsonOf(made.map(({ key }) => key)),
    },
    roles: [
      ...kept.map((role) => role.toJSON()),
      ...made.map(({ role, paths, key }) => delegation(role, paths, [key])),
    ],
  }
  return nextTargets('targets', targets, { delegations }, nowMs)
}

/** Returns keys by their ids. */
export const jsonOf = (keys: readonly PublicKey[]) => Object.fromEntries(keys.map(({ keyid, json }) => [keyid, json]))

const delegation = (name: string, paths: readonly string[], keys: readonly PublicKey[]) => ({
  name,
  paths,
  keyids: keys.map(({ keyid }) => keyid),
  threshold: 1,
  terminating: true,
})

function makeKeysFolder(folder: string): void {
  try {
    makeFolders(folder, 0o700)
  } catch (error) {
    const message = `the folder of the keys cannot be made: ${whyFailed(error)}`
    throw bundleError('bundleKey', message, 'name one that is yours with `--keys`', folder)
  }
}
