import type { Launch } from './launch.ts'
import { opencode, opencodeConfig } from './opencode.ts'

export const kilo: Launch = {
  ...opencode,
  name: 'kilo',
  args: (prompt) => ['run', '--auto', prompt],
  files: ({ origin }) => ({ '.config/kilo/kilo.json': JSON.stringify(opencodeConfig(origin)) }),
}
