import type { Launch } from './launch.ts'

/** Copilot CLI with a model provider of one's own, which needs no login at GitHub. */
export const copilotCli: Launch = {
  name: 'copilot',
  args: (prompt) => ['-p', prompt, '--allow-all-tools', '--no-color'],
  env: ({ origin }) => ({
    COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
    COPILOT_PROVIDER_API_KEY: 'nobody-asks',
    COPILOT_MODEL: 'scripted',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  // Settings of a project count in a folder that is trusted.
  files: ({ project }) => ({ '.copilot/config.json': JSON.stringify({ trusted_folders: [project] }) }),
  switchesHooksOff: { '.github/copilot/settings.json': JSON.stringify({ disableAllHooks: true }) },
  toolEvent: 'preToolUse',
  shell: (command) => ({ tool: 'bash', input: { command, description: 'as the test says' } }),
  subagent: (prompt) => ({
    tool: 'task',
    input: { agent_type: 'general-purpose', name: 'helper', description: 'as the test says', prompt, mode: 'sync' },
  }),
}
