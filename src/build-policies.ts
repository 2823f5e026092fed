import { renameSync, writeFileSync } from 'node:fs'
import { errorText } from './model/errors.ts'
import { buildPolicies } from './rules/load/policy/build-policies.ts'
import { builtFile } from './rules/load/shipped.ts'
import { openSandbox } from './sandbox.ts'

// A step of the build, after the compiler: what hookgate ships is compiled once, and not on every machine.

const sandbox = openSandbox('process')
try {
  const part = `${builtFile}.part`
  writeFileSync(part, JSON.stringify(await buildPolicies(sandbox)))
  renameSync(part, builtFile)
} catch (error) {
  process.stderr.write(`${errorText(error)}\n`)
  process.exitCode = 1
} finally {
  await sandbox.close()
}
