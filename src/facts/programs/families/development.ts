import type { Family } from '../program.ts'

/** Compilers, checkers and formatters, where they only report and change no file. */
export const development: Family = {
  programs: {
    basedpyright: { looks: '!--createstub|-w|--watch' },

    'pyflakes pycodestyle pydocstyle vulture jps': { looks: true },

    radon: { looks: '!-O|--output_file' },

    luac: { looks: '-p [] 1..; -v [] ..0' },

    'staticcheck errcheck govulncheck': { looks: { oneDash: true, lines: '' } },
    ineffassign: { looks: '!--fix' },
    'golangci-lint': {
      looks: {
        options:
          'c config timeout E enable D disable concurrency j build-tags new-from-rev max-issues-per-linter +v +verbose +fast +new +tests',
        lines: 'run []; linters|formatters|version|help; config path|verify; cache status',
      },
    },
    gopls: {
      looks:
        'version|check|symbols|definition|references|implementation|workspace_symbol|stats|signature|highlight !-w|--write',
    },

    ctest: { looks: '-N|--show-only []' },

    protoc: { looks: '--version|-h|--help [] ..0' },

    ollama: { looks: 'list|ls|ps|show' },

    diffstat: { looks: '!-o' },

    dot: { looks: '-V|--version []' },
  },
}
