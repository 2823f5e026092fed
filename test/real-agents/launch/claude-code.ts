import type { Launch } from './launch.ts'

/** Claude Code. It skips no permission as root, so what is allowed is named. */
export const claudeCode: Launch = {
  name: 'claude',
  args: (prompt) => ['-p', prompt, '--model', 'claude-sonnet-4-5', '--allowedTools', 'Bash,Agent'],
  env: ({ origin }) => ({
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_API_KEY: 'nobody-asks',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  switchesHooksOff: { '.claude/settings.json': JSON.stringify({ disableAllHooks: true }) },
  unansweredEnds: true,
  shell: (command) => ({ tool: 'Bash', input: { command, description: 'as the test says' } }),
  subagent: (prompt) => ({
    tool: 'Agent',
    input: { description: 'as the test says', prompt, subagent_type: 'general-purpose' },
  }),
}
