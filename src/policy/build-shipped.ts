import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  builtLibraryFile,
  dangerExamplesFile,
  markedPoliciesFolder,
  storedPoliciesFolder,
} from '../files/policy-files.ts'
import { errorText } from '../model/errors.ts'
import { noToolFacts } from '../model/tool-facts.ts'
import { buildPolicies } from './compile/build-policies.ts'
import { openSandbox } from './open-sandbox.ts'
import { compileMarked } from './testing/answer-marks.ts'

// A build step that runs after the TypeScript compiler: it compiles the shipped policies once, so that no user's
// machine has to.

// No examples are run here, so no facts about their tool calls are needed.
const sandbox = openSandbox('process', async () => noToolFacts)
try {
  const { library, policies, marked, dangers } = await buildPolicies(sandbox, compileMarked)
  writeWhole(builtLibraryFile, library)
  for (const [folder, files] of [
    [storedPoliciesFolder, policies],
    [markedPoliciesFolder, marked],
  ] as const) {
    mkdirSync(folder, { recursive: true })
    for (const [name, stored] of files) writeWhole(join(folder, name), stored)
  }
  writeWhole(dangerExamplesFile, dangers)
} catch (error) {
  process.stderr.write(`${errorText(error)}\n`)
  process.exitCode = 1
} finally {
  await sandbox.close()
}

function writeWhole(file: string, value: unknown): void {
  const part = `${file}.part`
  writeFileSync(part, JSON.stringify(value))
  renameSync(part, file)
}
