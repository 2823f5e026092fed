import type { Launch } from './launch.ts'

const settings = (origin: string) => ({
  customModels: [
    {
      model: 'scripted',
      id: 'custom:scripted-0',
      index: 0,
      displayName: 'scripted',
      baseUrl: `${origin}/v1`,
      apiKey: 'nobody-asks',
      provider: 'generic-chat-completion-api',
      maxOutputTokens: 4096,
    },
  ],
  cloudSessionSync: false,
})

/**
 * droid with a model of one's own, for which it wants a key of Factory's and, without a network, does not look at it. Its
 * sub-agents are run by a daemon, which does not start without a login.
 */
export const droid: Launch = {
  name: 'droid',
  args: (prompt) => ['exec', '--auto', 'high', '-m', 'custom:scripted-0', prompt],
  env: () => ({ FACTORY_API_KEY: 'fk-nobody-asks', FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false' }),
  files: ({ origin }) => ({ '.factory/settings.json': JSON.stringify(settings(origin)) }),
  switchesHooksOff: { '.factory/settings.json': JSON.stringify({ hooks: { hooksDisabled: true } }) },
  shell: (command) => ({
    tool: 'Execute',
    input: { command, summary: 'as the test says', riskLevel: 'low', riskLevelReason: 'it makes a file' },
  }),
}
