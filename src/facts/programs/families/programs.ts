import type { Family } from '../program.ts'
import type { Deeds } from '../deeds/deeds.ts'

const removal: Deeds = {
  kind: 'delete',
  object: 'package',
  flags: 'g global D S P save-dev purge zap',
  work: ['uninstall|un|remove|rm|r|unlink', 'global|tool|pip|self|plugins|plugin uninstall|remove|rm|unlink'],
}

/** Commands that end programs, or remove them from this machine or a project. */
export const programs: Family = {
  area: 'programs',

  programs: {
    // `readers/processes.ts` finds processes that are ended by their names.
    kill: {
      does: {
        kind: 'stop',
        object: 'process',
        valued: 's n signal',
        flags: '1 2 9 15 HUP INT KILL TERM STOP QUIT',
        work: [''],
        harmless: ['-l|-L|--list|-0'],
        // All processes are no single one.
        when: ({ args }) => args.at(-1)?.value !== '-1',
      },
    },
    brew: { does: { kind: 'stop', object: 'service', work: ['services stop|kill'] } },
    // A toolchain may stand before its subcommand.
    cargo: { does: { ...removal, valued: 'root', work: ['uninstall|remove|rm', '* uninstall|remove|rm'] } },
    'npm pnpm yarn bun pip pip3 pipx uv gem volta mise': { does: removal },
  },
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
