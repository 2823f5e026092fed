import { managedPath } from '../../agents/install/install.ts'
import { machineFolder } from '../../files/state/machine-folder.ts'
import { type GatePaths, placesOf } from '../../files/state/places.ts'
import type { InstallContext } from '../install-context.ts'

type Site = Pick<InstallContext, 'platform' | 'managedRoot' | 'env'>

/** Returns the folder in which hookgate keeps what `enable --managed` has done: root's alone, whoever calls it. */
export function managedPlaces({ platform, managedRoot, env }: Site): GatePaths {
  const folder = managedPath({ managedRoot }, machineFolder(platform, env))
  return placesOf({ env: { HOOKGATE_HOME: folder }, platform, uid: process.getuid?.(), home: folder })
}

/** Returns the ids of users who count as administrators. */
export const administrators = ({ managedRoot }: Pick<Site, 'managedRoot'>): readonly number[] =>
  managedRoot === undefined ? [0] : [0, process.getuid?.() ?? 0]
