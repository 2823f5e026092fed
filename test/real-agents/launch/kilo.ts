import type { Launch } from './launch.ts'
import { opencode, opencodeConfig } from './opencode.ts'

export const kilo: Launch = {
  ...opencode,
  name: 'kilo',
  args: (prompt) => ['run', '--auto', prompt],
  env: () => ({
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_CODEBASE_INDEXING: '1',
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_TELEMETRY_LEVEL: 'off',
    npm_config_fetch_retries: '0',
  }),
  files: ({ origin }) => ({ '.config/kilo/kilo.json': JSON.stringify(opencodeConfig(origin)) }),
}
