import type { Launch } from './launch.ts'

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  telemetry: { enabled: false },
}

export const geminiCli: Launch = {
  name: 'gemini',
  args: (prompt) => ['--yolo', '--skip-trust', '-m', 'gemini-2.5-pro', '-p', prompt],
  env: ({ origin }) => ({ GEMINI_API_KEY: 'nobody-asks', GOOGLE_GEMINI_BASE_URL: origin }),
  files: () => ({ '.gemini/settings.json': JSON.stringify(settings) }),
  switchesHooksOff: { '.gemini/settings.json': JSON.stringify({ hooksConfig: { enabled: false } }) },
  toolEvent: 'BeforeTool',
  shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'as the test says' } }),
  subagent: (prompt) => ({ tool: 'invoke_agent', input: { agent_name: 'generalist', prompt } }),
}
