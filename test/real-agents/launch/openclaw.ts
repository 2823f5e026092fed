import { basename } from 'node:path'
import type { Launch } from './launch.ts'

export const openclaw: Launch = {
  name: 'openclaw',
  // It goes on with one conversation, and in one folder of its own, unless it is told otherwise.
  args: (prompt, { project }) => ['agent', '--local', '--session-id', basename(project), '--json', '--message', prompt],
  files: ({ origin }) => ({
    '.openclaw/openclaw.json': JSON.stringify({
      models: {
        providers: {
          scripted: {
            baseUrl: `${origin}/v1`,
            apiKey: 'nobody-asks',
            api: 'openai-completions',
            models: [{ id: 'scripted', name: 'scripted' }],
          },
        },
      },
      agents: { defaults: { model: { primary: 'scripted/scripted' }, workspace: '.' } },
      tools: { exec: { security: 'full', ask: 'off' } },
    }),
  }),
  toolEvent: 'before_tool_call',
  shell: (command) => ({ tool: 'exec', input: { command } }),
}
