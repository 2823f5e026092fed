import type { Launch } from './launch.ts'

const config = (origin: string) => `model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "${origin}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`

/** A person trusts hooks in the program itself, which has no other way for that: so they run without. */
const bypassing = ['--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust']

export const codex: Launch = {
  name: 'codex',
  args: (prompt) => ['exec', '--skip-git-repo-check', ...bypassing, prompt],
  files: ({ origin }) => ({ '.codex/config.toml': config(origin) }),
  shell: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
  subagent: (message) => ({ tool: 'spawn_agent', namespace: 'multi_agent_v1', input: { message } }),
}
