import type { Launch } from './launch.ts'

/** The configuration of OpenCode, and of programs derived from it. */
export const opencodeConfig = (origin: string) => ({
  $schema: 'https://opencode.ai/config.json',
  autoupdate: false,
  share: 'disabled',
  model: 'scripted/scripted',
  small_model: 'scripted/scripted',
  permission: { bash: 'allow', task: 'allow' },
  provider: {
    scripted: {
      npm: '@ai-sdk/openai-compatible',
      name: 'scripted',
      options: { baseURL: `${origin}/v1`, apiKey: 'nobody-asks' },
      models: { scripted: { name: 'scripted', tool_call: true } },
    },
  },
})

export const opencode: Launch = {
  name: 'opencode',
  args: (prompt) => ['run', prompt],
  env: () => ({
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    // Where there are plugins, it waits for npm to fetch types for them, which without a network takes npm minutes.
    npm_config_fetch_retries: '0',
  }),
  files: ({ origin }) => ({ '.config/opencode/opencode.json': JSON.stringify(opencodeConfig(origin)) }),
  toolEvent: 'tool.execute.before',
  shell: (command) => ({ tool: 'bash', input: { command, description: 'as the test says' } }),
  subagent: (prompt) => ({
    tool: 'task',
    input: { description: 'as the test says', prompt, subagent_type: 'general' },
  }),
}
