import { join } from 'node:path'
import { z } from 'zod'
import { limits } from '../../../model/limits.ts'
import { isReallyBelow } from '../../../files/real-path.ts'
import { type Disk, isUnreadable } from '../../../model/disk.ts'
import type { Problem } from '../../../model/problem.ts'
import type { RulesBudget } from '../rules-budget.ts'
import { parseJson } from '../../../files/parse-json.ts'
import { schemaProblems } from '../../../model/schema-problems.ts'
import { packFile } from '../../../files/policy-files.ts'

/** The content of a `pack.json`. A pack's name is its folder's, and its rules are the policies in it. */
const PackJson = z.strictObject({
  $schema: z.string().optional(),
  description: z.string().regex(/\S/, { error: 'is empty' }),
})

export interface ReadPack {
  /** `undefined` if the file is invalid. */
  readonly description: string | undefined
  readonly problems: readonly Problem[]
}

/**
 * Reads a `pack.json`.
 *
 * @param workspaceRoot of a pack that came with a workspace: messages about its file must disclose nothing outside
 */
export function readPackJson(
  folder: string,
  workspaceRoot: string | undefined,
  disk: Disk,
  budget: RulesBudget,
): ReadPack {
  const file = join(folder, packFile)
  const wrong = (message: string, remedy: string | undefined): ReadPack => ({
    description: undefined,
    problems: [{ severity: 'error', place: { file }, message, remedy }],
  })
  if (workspaceRoot !== undefined && !isReallyBelow(file, folder)) {
    return wrong('it is a link that points outside its pack', 'put the file itself into the folder')
  }
  const bytes = disk.read(file, limits.packFileBytesMax)
  if (isUnreadable(bytes)) return wrong(`it cannot be read: ${bytes.why}`, 'fix it')
  const over = budget(file, bytes.length)
  if (over !== undefined) return wrong(over.message, over.remedy)
  const parsed = parseJson(bytes, file)
  if (parsed.value === undefined) return { description: undefined, problems: parsed.problems }
  const result = PackJson.safeParse(parsed.value)
  if (result.success) return { description: result.data.description, problems: parsed.problems }
  const issues = schemaProblems(result.error.issues, parsed, [], {
    keys: knownKeys,
    otherwise: 'a pack.json has only a `description`',
  })
  return { description: undefined, problems: [...parsed.problems, ...issues] }
}

const knownKeys: ReadonlyMap<string, string> = new Map([
  ['description', ''],
  ['$schema', ''],
  ['name', 'a pack is named after its folder: remove it'],
  ['rules', 'its rules are the policies in its folder: remove it'],
  ...['params', 'disable', 'onFailure'].map((key) => [key, 'move it to where the pack is turned on'] as const),
])
