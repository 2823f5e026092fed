import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Expected decision of a row; see this folder's `main.ts`. */
const Expectation = z.enum(['deny', 'not_allow', 'not_deny', 'allow', 'scan'])
export type Expectation = z.infer<typeof Expectation>

/** One labelled call. Further fields of a row belong to its project. */
export const Row = z.object({
  source: z.string(),
  file: z.string().optional(),
  id: z.string(),
  expect: Expectation,
  cmd: z.string().optional(),
  tool: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  cwd: z.string().optional(),
  home: z.string().optional(),
})
export type Row = Readonly<z.infer<typeof Row>>

/**
 * Reads all rows of all `*.jsonl` files in a folder, in order.
 *
 * @throws Error naming a folder without rows, or the file and line of an invalid row
 */
export function readCorpus(folder: string): readonly Row[] {
  const files = namesIn(folder).filter((file) => file.endsWith('.jsonl'))
  if (files.length === 0) throw new Error(`${folder} holds no \`*.jsonl\` file`)
  return files.toSorted().flatMap((file) => rowsOf(join(folder, file)))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new Error(`${folder} is no folder that can be read (${code})`, { cause: error })
  }
}

function rowsOf(file: string): readonly Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [rowOf(line, `${file}:${index + 1}`)]))
}

function rowOf(line: string, place: string): Row {
  try {
    return Row.parse(JSON.parse(line))
  } catch (error) {
    throw new Error(`${place}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
