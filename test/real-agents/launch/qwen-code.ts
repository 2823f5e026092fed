import type { Launch } from './launch.ts'

const settings = { privacy: { usageStatisticsEnabled: false }, general: { disableAutoUpdate: true } }

export const qwenCode: Launch = {
  name: 'qwen',
  args: (prompt) => ['--yolo', '--auth-type', 'openai', '-p', prompt],
  env: ({ origin }) => ({ OPENAI_API_KEY: 'nobody-asks', OPENAI_BASE_URL: `${origin}/v1`, OPENAI_MODEL: 'scripted' }),
  files: () => ({ '.qwen/settings.json': JSON.stringify(settings) }),
  switchesHooksOff: { '.qwen/settings.json': JSON.stringify({ disableAllHooks: true }) },
  unansweredEnds: true,
  shell: (command) => ({ tool: 'run_shell_command', input: { command, is_background: false } }),
  subagent: (prompt) => ({
    tool: 'agent',
    input: { description: 'as the test says', prompt, subagent_type: 'general-purpose' },
  }),
}
