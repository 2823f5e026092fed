import { join } from 'node:path'
import { executable } from './other-clients.ts'

/** One rule, three times: by hand in bash, by hand in Node, and as a policy. It refuses a forced push. */
const reason = 'no forced push'
const refusal = `{"cancel":true,"errorMessage":"${reason}"}`

const nodeHook = `#!${process.execPath}
let text = ''
process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {
  const { preToolUse } = JSON.parse(text)
  const isForced = /git push .*--force/.test(preToolUse?.parameters?.command ?? '')
  process.stdout.write(isForced ? '${refusal}\\n' : '{"cancel":false}\\n')
})
`
const bashHook = `#!/bin/bash
IFS= read -r -d '' event
if [[ $event =~ git\\ push\\ .*--force ]]; then
  echo '${refusal}'
else
  echo '{"cancel":false}'
fi
`

export const policyText = `import { definePolicy, deny } from 'hookgate/policy'

export default definePolicy({
  id: 'no-force-push',
  description: 'Refuses a forced push',
  on: 'PreToolUse',
  tool: 'shell',
  decide: ({ tool }) => (/git push .*--force/.test(tool.command ?? '') ? deny('${reason}') : undefined),
})
`

/** The same as people write it: in TypeScript, and with examples. */
export const typedPolicyText = `import { abstains, definePolicy, deny, denies } from 'hookgate/policy'

const reason: string = '${reason}'

export default definePolicy({
  id: 'no-force-push',
  description: 'Refuses a forced push',
  on: 'PreToolUse',
  tool: 'shell',
  decide: ({ tool }) => (/git push .*--force/.test(tool.command ?? '') ? deny(reason) : undefined),
  examples: [denies('a forced push', 'git push origin --force'), abstains('a push', 'git push origin')],
})
`

export const hookFiles = (folder: string) => ({
  bash: executable(join(folder, 'hook-bash'), bashHook),
  node: executable(join(folder, 'hook-node'), nodeHook),
})

/** Returns Cline's event before it runs a command, about a kilobyte. */
export function clineEvent(command: string, workspaceRoot: string): string {
  return JSON.stringify({
    clineVersion: '3.89.2',
    hookName: 'PreToolUse',
    timestamp: '1790000000000',
    taskId: 'bench',
    workspaceRoots: [workspaceRoot],
    userId: 'bench',
    model: { provider: 'bench', slug: 'bench' },
    preToolUse: {
      toolName: 'execute_command',
      parameters: { command, requires_approval: 'false', note: 'x'.repeat(700) },
    },
  })
}

/** Returns Claude Code's event before it runs a command. */
export function claudeEvent(command: string, cwd: string): string {
  return JSON.stringify({
    session_id: 'bench',
    transcript_path: '/home/bench/transcript.jsonl',
    cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command, description: 'x'.repeat(750) },
    tool_use_id: 'toolu_1',
  })
}
