import type { Launch } from './launch.ts'

const config = (origin: string) => `default_model = "scripted"

[providers.scripted]
type = "openai"
base_url = "${origin}/v1"
api_key = "nobody-asks"

[models.scripted]
provider = "scripted"
model = "scripted"
max_context_size = 100000
`

export const kimiCode: Launch = {
  name: 'kimi',
  args: (prompt) => ['-p', prompt, '--output-format', 'stream-json'],
  env: () => ({ KIMI_CODE_NO_AUTO_UPDATE: '1' }),
  files: ({ origin }) => ({ '.kimi-code/config.toml': config(origin) }),
  shell: (command) => ({ tool: 'Bash', input: { command, description: 'as the test says' } }),
  subagent: (prompt) => ({
    tool: 'Agent',
    input: { description: 'as the test says', prompt, subagent_type: 'coder' },
  }),
}
