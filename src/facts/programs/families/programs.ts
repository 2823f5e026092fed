import type { Family } from '../program.ts'

/** Commands that end programs, or remove them from this machine or a project. */
export const programs: Family = {
  area: 'programs',

  programs: {},
  examples: {
    'kill -9 4711': 'stops process `4711`',
    'kill -l': '',
    'cargo +stable uninstall ripgrep': 'deletes package `ripgrep`',
    'npm uninstall -g prettier': 'deletes package `prettier`',
    'uv tool uninstall ruff': 'deletes package `ruff`',
    'pip list': '',
    'brew services stop redis': 'stops service `redis`',
  },
}
