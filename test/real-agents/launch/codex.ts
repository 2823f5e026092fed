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

/** Settings of a project count in a folder that is trusted. */
const trusting = (project: string) => ['-c', `projects={${JSON.stringify(project)}={trust_level="trusted"}}`]

export const codex: Launch = {
  name: 'codex',
  args: (prompt, { project }) => ['exec', '--skip-git-repo-check', ...trusting(project), ...bypassing, prompt],
  files: ({ origin }) => ({ '.codex/config.toml': config(origin) }),
  switchesHooksOff: { '.codex/config.toml': '[features]\nhooks = false\n' },
  shell: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
  subagent: (message) => ({ tool: 'spawn_agent', namespace: 'multi_agent_v1', input: { message } }),
}
