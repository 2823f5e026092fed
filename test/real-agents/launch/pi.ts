import type { Launch } from './launch.ts'

const model = '--provider scripted --model scripted'

export const pi: Launch = {
  name: 'pi',
  args: (prompt) => ['-p', ...model.split(' '), '--mode', 'json', prompt],
  env: () => ({ PI_OFFLINE: '1' }),
  files: ({ origin }) => ({
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        scripted: {
          baseUrl: `${origin}/v1`,
          api: 'openai-completions',
          apiKey: 'nobody-asks',
          models: [{ id: 'scripted' }],
        },
      },
    }),
    // Without a screen, it loads no settings of a project otherwise.
    '.pi/agent/settings.json': JSON.stringify({ defaultProjectTrust: 'always' }),
  }),
  switchesHooksOff: {
    '.pi/settings.json': JSON.stringify({ extensions: ['~/.pi/agent/extensions', '!**/zz-hookgate.js'] }),
  },
  toolEvent: 'tool_call',
  shell: (command) => ({ tool: 'bash', input: { command } }),
  // It has no sub-agents of its own: those of extensions are Pi again, started by a program as here.
  subagent: (prompt) => ({ tool: 'bash', input: { command: `pi -p ${model} --no-session '${prompt}'` } }),
}
