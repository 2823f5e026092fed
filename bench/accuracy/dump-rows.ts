import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import { brokenCommand, seeded, shellCommands } from '../../test/support/shell-inputs.ts'
import type { Row } from './corpus.ts'

const policies = fileURLToPath(new URL('../../policies', import.meta.url))

/** The part of a policy's module that is read: the commands of its examples. */
const PolicyModule = z.object({
  default: z.object({
    examples: z
      .array(
        z.object({ given: z.object({ input: z.object({ command: z.string().optional() }).optional() }).optional() }),
      )
      .optional(),
  }),
})

/** Returns the distinct commands in the examples of the shipped policies. */
export async function exampleRows(): Promise<readonly Row[]> {
  const files = globSync('*/*.policy.ts', { cwd: policies }).toSorted()
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(policies, file)).href)))
  const commands = modules.flatMap((module) =>
    (PolicyModule.parse(module).default.examples ?? []).flatMap(({ given }) => given?.input?.command ?? []),
  )
  return [...new Set(commands)].map((cmd, index) => ({ source: 'examples', id: String(index), expect: 'scan', cmd }))
}

/** Returns randomly mutated commands, from a fixed seed. */
export function fuzzRows(): readonly Row[] {
  const seed = 20_261_122
  const count = 2000
  const below = seeded(seed)
  return Array.from({ length: count }, (_, index) => ({
    source: 'fuzz',
    id: `${seed}-${index}`,
    expect: 'scan',
    cmd: brokenCommand(below, shellCommands),
  }))
}
