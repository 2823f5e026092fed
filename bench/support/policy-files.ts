import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forbidden } from './subject.ts'

/** Writes one policy for each tool, and returns the folder to pass to the gate. */
export function writePolicies(folder: string, tools: readonly string[]): string {
  const policies = join(folder, `${tools.length}`, 'policies')
  mkdirSync(policies, { recursive: true })
  for (const [rule, tool] of tools.entries())
    writeFileSync(join(policies, `keep-${rule}.policy.ts`), policy(rule, tool))
  return policies
}

function policy(rule: number, tool: string): string {
  const text = JSON.stringify(forbidden(rule))
  return `import { definePolicy, deny } from 'hookgate/policy'

export default definePolicy({
  id: 'keep-${rule}',
  description: 'Keeps folder ${rule}',
  on: 'PreToolUse',
  tool: '${tool}',
  decide({ tool }) {
    if (tool.command?.includes(${text})) return deny('folder ${rule} is kept: name another one')
  },
  examples: [
    { name: 'removes it', given: { input: { command: ${text} } }, want: 'deny' },
    { name: 'runs the tests', given: { input: { command: 'npm test' } }, want: 'abstain' },
  ],
})
`
}
