import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { entryName } from '../../files/entry-name.ts'
import { writeEntry } from '../../files/key-value-store.ts'
import { builtLibraryFile } from '../../files/policy-files.ts'
import { readPrivate } from '../../files/private-file.ts'
import { version } from '../../files/version.ts'
import { parseJsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import type { CompiledPolicy } from '../../model/policy.ts'
import { BudgetCharge } from './budget-charges.ts'
import { Imports, Sha256 } from './built.ts'

/** What compiling a policy read. */
export interface FilesRead {
  /** Fingerprint of each file that was read, by path. */
  readonly reads: ReadonlyMap<string, string>
  /** The charges to the budget, in order. */
  readonly charges: readonly BudgetCharge[]
}

/** A policy that compiled without problems, was described, and whose examples passed. */
export interface KeptPolicy extends FilesRead {
  readonly policy: CompiledPolicy
}

/** Policies that earlier processes of this program compiled and checked, so that a cold start need not. */
export interface KeptPolicies {
  /** Returns what was kept of a file. INVARIANT: not to be used unless the files that were read are the same still. */
  find(file: string, folder: string): KeptPolicy | undefined
  /** Keeps a policy. If that fails, it costs later processes only time. */
  keep(checked: KeptPolicy & { readonly folder: string }): void
}

const Warning = z.strictObject({
  severity: z.literal('warning'),
  place: z.strictObject({ file: z.string(), line: z.int(), column: z.int() }),
  message: z.string(),
  remedy: z.string(),
})

const Entry = z.strictObject({
  reads: z.array(z.tuple([z.string(), z.string()])),
  charges: z.array(BudgetCharge),
  digest: Sha256,
  ignoresToolFacts: z.boolean(),
  definition: z.string(),
  warnings: z.array(Warning),
  modules: z.array(z.strictObject({ file: z.string(), code: z.string(), imports: Imports })).min(1),
})

/**
 * Opens the policies kept in a folder, each in a file of its own.
 *
 * @param folder private to the user
 * @param program what else the result depends on, apart from Node. Default: this build of hookgate
 * @returns `undefined` in a source checkout, whose compiler may change at any time
 */
export function openKeptPolicies(folder: string, program = thisBuild()): KeptPolicies | undefined {
  if (program === undefined) return undefined
  const keyOf = (file: string, root: string) => JSON.stringify([program, process.version, file, root])
  let writes = 0
  return {
    find(file, root) {
      const key = keyOf(file, root)
      const text = textIn(join(folder, entryName(key)))
      const [seal = '', json = ''] = text === undefined ? [] : partsOf(text)
      // INVARIANT: an entry is used only whole, and only for the file that it was made for.
      if (seal !== sealOf(key, json)) return undefined
      const entry = Entry.safeParse(parseJsonObject(json)).data
      if (entry === undefined) return undefined
      const { reads, charges, ...policy } = entry
      return { reads: new Map(reads), charges, policy: { ...policy, file } }
    },
    keep({ folder: root, reads, charges, policy }) {
      const { file, ignoresToolFacts = false, ...rest } = policy
      const key = keyOf(file, root)
      const json = JSON.stringify({ ...rest, ignoresToolFacts, reads: [...reads], charges })
      // However many policies there are, one process replaces all that is kept at most once.
      if (json.length > limits.keptPolicyBytesMax / 2 || writes >= limits.keptPoliciesMax) return
      writes += 1
      const bounds = { entriesMax: limits.keptPoliciesMax, msMax: Infinity }
      try {
        writeEntry(folder, entryName(key), `${sealOf(key, json)}\n${json}`, bounds)
      } catch {
        // The disk is full, or the folder cannot be written.
      }
    },
  }
}

const sealOf = (key: string, json: string) => createHash('sha256').update(`${key}\n${json}`).digest('hex')

const partsOf = (text: string) => [text.slice(0, sealLength), text.slice(sealLength + 1)]
const sealLength = 64

function textIn(file: string): string | undefined {
  try {
    return readPrivate(file, limits.keptPolicyBytesMax)
  } catch {
    return undefined
  }
}

/** Names this build: a checkout that is built again has the same version. */
function thisBuild(): string | undefined {
  const built = statSync(builtLibraryFile, { throwIfNoEntry: false })
  return built && `${version()} ${built.mtimeMs}`
}
