import type { Deeds, Family } from '../deeds.ts'

const removal: Deeds = {
  kind: 'delete',
  object: 'package',
  flags: 'g global D S P save-dev purge zap',
  work: ['uninstall|un|remove|rm|r|unlink', 'global|tool|pip|self|plugins|plugin uninstall|remove|rm|unlink'],
}

/** Programs that end others, or take them off this machine or out of a project. */
export const programs: Family = {
  area: 'programs',
  thing: 'machine',
  programs: {
    'kill pkill killall skill taskkill stop-process': {
      kind: 'stop',
      object: 'process',
      valued: 's signal u uid U user P parent t terminal g pgroup n ns',
      flags: 'f full x exact o oldest i ignore-case I w wait e echo 9 15 TERM KILL HUP INT STOP',
      work: [''],
      harmless: ['-l|-L|--list|-0'],
    },
    brew: { kind: 'stop', object: 'service', work: ['services stop|kill'] },
    'cargo npm pnpm yarn bun pip pip3 pipx uv gem volta mise': removal,
  },
  examples: {
    'pkill -f vite': 'stops process `vite`',
    'kill -9 4711': 'stops process `4711`',
    'kill -l': '',
    'killall node': 'stops process `node`',
    'npm uninstall -g prettier': 'deletes package `prettier`',
    'uv tool uninstall ruff': 'deletes package `ruff`',
    'pip list': '',
    'brew services stop redis': 'stops service `redis`',
  },
}
