import { renameSync, writeFileSync } from 'node:fs'
import { errorText } from './model/errors.ts'
import { buildPolicies } from './policy/compile/build-policies.ts'
import { builtLibraryFile, builtPoliciesFile } from './rules/load/shipped.ts'
import { openSandbox } from './sandbox.ts'

// A step of the build, after the compiler: what hookgate ships is compiled once, and not on every machine.

const sandbox = openSandbox('process')
try {
  const { library, policies } = await buildPolicies(sandbox)
  write(builtLibraryFile, library)
  write(builtPoliciesFile, policies)
} catch (error) {
  process.stderr.write(`${errorText(error)}\n`)
  process.exitCode = 1
} finally {
  await sandbox.close()
}

/** Whole, or not at all. */
function write(file: string, value: unknown): void {
  const part = `${file}.part`
  writeFileSync(part, JSON.stringify(value))
  renameSync(part, file)
}
