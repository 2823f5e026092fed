import type { Launch } from './launch.ts'

const config = (origin: string) => `[models]
default = "scripted"

[model.scripted]
model = "scripted"
name = "scripted"
base_url = "${origin}/v1"
api_key = "nobody-asks"
context_window = 100000
`

export const grokBuild: Launch = {
  name: 'grok',
  args: (prompt) => ['-p', prompt, '--always-approve', '--output-format', 'json'],
  files: ({ origin }) => ({ '.grok/config.toml': config(origin) }),
  shell: (command) => ({ tool: 'run_terminal_command', input: { command, description: 'as the test says' } }),
  subagent: (prompt) => ({
    tool: 'spawn_subagent',
    input: { description: 'as the test says', prompt, subagent_type: 'general-purpose' },
  }),
}
