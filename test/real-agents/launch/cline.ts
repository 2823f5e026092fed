import type { Launch } from './launch.ts'

const providers = (origin: string) => ({
  version: 1,
  lastUsedProvider: 'openai-compatible',
  providers: {
    'openai-compatible': {
      settings: {
        provider: 'openai-compatible',
        apiKey: 'nobody-asks',
        model: 'scripted',
        baseUrl: `${origin}/v1`,
      },
      updatedAt: '2026-11-01T00:00:00.000Z',
      tokenSource: 'manual',
    },
  },
})

/** Cline's command line, which runs the engine of its SDK. */
export const cline: Launch = {
  name: 'cline',
  args: (prompt) => ['--auto-approve', 'true', prompt],
  env: () => ({ CLINE_TELEMETRY_DISABLED: '1' }),
  files: ({ origin }) => ({
    '.cline/data/settings/providers.json': JSON.stringify(providers(origin)),
    // The extension then reads other hooks than the program.
    '.config/user-dirs.dirs': 'XDG_DOCUMENTS_DIR="$HOME/Papers"\n',
  }),
  shell: (command) => ({ tool: 'run_commands', input: { commands: [command] } }),
  subagent: (prompt) => ({ tool: 'spawn_agent', input: { systemPrompt: 'You are a test', task: prompt } }),
  refusalEnds: true,
}
