import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { entryName } from '../../files/entry-name.ts'
import { writeEntry } from '../../files/key-value-store.ts'
import { builtLibraryFile, shippedFolder, storedPoliciesFolder } from '../../files/policy-files.ts'
import { readPrivate } from '../../files/private-file.ts'
import { version } from '../../files/version.ts'
import { parseJsonObject } from '../../model/json.ts'
import { readBuilt } from './built.ts'
import { type CompiledFiles, packPolicies, StoredPolicies, unpackPolicy } from './stored-policies.ts'

/** Policies kept on disk compiled, with those of hookgate's earlier builds. More than a person has in force. */
const keptPoliciesMax = 500

/** A folder of compiled policies, so that a cold start need not compile them. */
export interface PolicyStore {
  /**
   * Returns a policy with its definition. INVARIANT: not to be used unless the files that were read are the same still.
   *
   * @param folder the folder that its imports must stay below
   */
  find(file: string, folder: string): CompiledFiles | undefined
}

/** A store that later processes of this program read. */
export interface WritableStore extends PolicyStore {
  /** Keeps a policy that was described and checked. If that fails, it costs later processes only time. */
  keep(compiled: CompiledFiles, folder: string): void
}

/** Opens the policies that the build compiled: read-only, a file for each folder of shipped policies. */
export function openShippedPolicies(stored = storedPoliciesFolder): PolicyStore {
  const known = new Map<string, StoredPolicies | undefined>()
  return {
    find(file, folder) {
      // The build compiled them with their own folder as the root of their imports.
      if (dirname(folder) !== shippedFolder || dirname(file) !== folder) return undefined
      if (!known.has(folder)) known.set(folder, readBuilt(join(stored, storeFileName(folder)), StoredPolicies))
      const policies = known.get(folder)
      return policies && unpackPolicy(policies, file, folder)
    },
  }
}

/** Returns the name of the file of a folder's shipped policies. */
export const storeFileName = (folder: string) => `${basename(folder)}.json`

/**
 * Opens the policies that processes of this program keep, each in a file of its own.
 *
 * @param stored private to the user
 * @param program what else the result depends on, apart from Node. Default: this build of hookgate
 * @returns `undefined` in a source checkout, whose compiler may change at any time
 */
export function openKeptPolicies(stored: string, program = thisBuild()): WritableStore | undefined {
  if (program === undefined) return undefined
  const keyOfPolicy = (file: string, folder: string) => JSON.stringify([program, process.version, file, folder])
  let writes = 0
  return {
    find(file, folder) {
      const key = keyOfPolicy(file, folder)
      const text = privateTextAt(join(stored, entryName(key)))
      const [seal, json] = [text?.slice(0, sealLength), text?.slice(sealLength + 1)]
      // INVARIANT: an entry is used only whole, and only for the file that it was made for.
      if (json === undefined || seal !== sealOf(key, json)) return undefined
      const policies = StoredPolicies.safeParse(parseJsonObject(json)).data
      return policies && unpackPolicy(policies, file, folder)
    },
    keep(compiled, folder) {
      const { policy } = compiled.result
      // However many policies there are, one process replaces all that is kept at most once.
      if (policy === undefined || writes >= keptPoliciesMax) return
      const key = keyOfPolicy(policy.file, folder)
      const bounds = { entriesMax: keptPoliciesMax, msMax: Infinity }
      try {
        const json = JSON.stringify(packPolicies([compiled], folder))
        if (json.length > keptPolicyBytesMax / 2) return
        writes += 1
        writeEntry(stored, entryName(key), `${sealOf(key, json)}\n${json}`, bounds)
      } catch {
        // The disk is full, or the folder cannot be written.
      }
    },
  }
}
/** A policy that is kept compiled: most take 3 KB. A larger one is generated, and is compiled with each cold start. */
export const keptPolicyBytesMax = 256 * 1024

const sealOf = (key: string, json: string) => createHash('sha256').update(`${key}\n${json}`).digest('hex')
const sealLength = 64

function privateTextAt(file: string): string | undefined {
  try {
    return readPrivate(file, keptPolicyBytesMax)
  } catch {
    return undefined
  }
}

/** Names this build: a checkout that is built again has the same version. */
function thisBuild(): string | undefined {
  const built = statSync(builtLibraryFile, { throwIfNoEntry: false })
  return built && `${version()} ${built.mtimeMs}`
}
