import { pushes } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import type { Row } from '../row.ts'
import { manager } from '../deeds/packages.ts'

/** Programs that say by their exit code whether something is right: test runners, linters, scanners and their like. */
export const checkPrograms: readonly string[] = [
  'pytest', 'py.test', 'vitest', 'jest', 'mocha', 'ava', 'tox', 'nox', 'ctest', 'rspec', 'phpunit', 'playwright test', 'cypress run',
  'eslint', 'oxlint', 'biome', 'ruff', 'flake8', 'pylint', 'mypy', 'pyright', 'tsc', 'vue-tsc', 'clippy', 'rubocop', 'shellcheck',
  'hadolint', 'golangci-lint', 'staticcheck', 'phpstan', 'psalm', 'brakeman', 'pip-audit', 'govulncheck', 'osv-scanner', 'bandit',
  'semgrep', 'snyk', 'trivy', 'grype', 'codeql', 'gitleaks', 'trufflehog', 'detect-secrets', 'checkov', 'tfsec', 'tflint', 'conftest',
  'cosign', 'slsa-verifier', 'scorecard', 'commitlint', 'lint-staged', 'husky', 'lefthook', 'pre-commit',
] // prettier-ignore

/** Linters for security, by the names under which the settings of golangci-lint list them. */
export const listedLinters: readonly string[] = ['gosec', 'bandit', 'security', 'staticcheck', 'errcheck']

/** What formatters have in common: they read their operands, and write them with an option, or always. */
export const formatter: Row = {
  options:
    'config=read ignore-path=read parser plugin=execute stdin-filepath ext format o=write output-file=write line-length select ignore rulesdir=execute rule style cache-location=write max-warnings target-version',
  operands: 'read',
  recursive: true,
  effects(line, recorder) {
    const writes =
      line.has('write', 'fix', 'w', 'i', 'in-place', 'apply', 'a', 'A') ||
      inPlaceAlways.has(line.program) ||
      // `biome format` only shows.
      (line.program !== 'biome' && /^(?:format|fmt|fix)$/.test(line.operands[0]?.value ?? ''))
    if (!writes || line.has('check', 'diff')) return
    for (const word of line.operands)
      if (!subcommands.has(word.value)) recorder.touch(word, 'write', { recursive: true })
  },
}
const inPlaceAlways = new Set(['black', 'isort', 'oxfmt', 'rustfmt', 'swiftformat'])
const subcommands = new Set(['check', 'format', 'lint', 'ci', 'fmt', 'fix'])

/** The row of linters, which read their operands, and of which some rewrite them if an option says so. */
export const linter: Row = {
  options:
    'c config=read config-file=read f format s shell e exclude S severity rcfile=read r o=write output=write report-path=write',
  operands: 'read',
  recursive: true,
  effects(line, recorder) {
    const isFixed =
      line.has('fix', 'autofix', 'autocorrect') ||
      (/^(?:codespell|typos)$/.test(line.program) && line.has('w', 'write-changes'))
    if (isFixed) for (const word of line.operands) recorder.touch(word, 'write', { recursive: true })
  },
}

const mediaConverter: Row = {
  options: 'i=read f c vf af ss t to r b s codec map filter_complex preset crf pix_fmt resize quality crop',
  oneDash: true,
  effects(line, recorder) {
    const last = line.operands.at(-1)
    if (line.program === 'ffprobe' || line.program === 'mogrify') {
      for (const word of line.operands) recorder.touch(word, line.program === 'mogrify' ? 'edit' : 'read')
      return
    }
    for (const word of line.operands) if (word !== last) recorder.touch(word, 'read')
    recorder.touch(last, 'write')
  },
}

/**
 * Clipboards, converters, compilers that only report, and the linters and formatters that run no code of the folder they work in: to read a script is
 * not to run it.
 */
export const checkers: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    'pbcopy wl-copy clip': { operands: 'none' },
    'pbpaste wl-paste get-clipboard gcb termux-clipboard-get win32yank cliphist copyq gpaste-client clipcatctl greenclip clipman':
      { operands: 'none', pastes: true },
    'xclip xsel': {
      pastes: true,
      options: 'selection sel loops l display d target t i?=read',
      operands: 'read',
      oneDash: true,
    },
    'dos2unix unix2dos mac2unix fromdos todos': { options: 'n=read newfile=read', operands: 'edit' },
    iconv: {
      output: 'form',
      options: 'f from-code t to-code o=write output=write',
      operands: 'read',
      looks: { lines: '!-o|--output' },
      prints: true,
    },
    recode: { first: 'none', operands: 'edit' },
    black: { ...formatter, looks: '--check|--diff|--version !-o' },
    ruff: {
      ...formatter,
      looks: {
        options: 'config +q +quiet +v +verbose +s +silent +isolated',
        lines: `
      check|lint !--fix|--fix-only|--unsafe-fixes|--add-noqa|-w|--watch|-o|--output-file
      rule|version|help|linter|config`,
      },
    },
    isort: {
      ...formatter,
      looks: '--check|--check-only|-c|--diff|-d|--version|--show-config|--show-files !-o|--overwrite-in-place',
    },
    gofmt: { ...formatter, looks: { oneDash: true, lines: '!-w|--cpuprofile' } },
    goimports: { ...formatter, looks: { oneDash: true, lines: '-l|-d [-e|-v|--local=]' } },
    rustfmt: { takesToolchain: true, ...formatter, looks: '--check|--version|-V [--edition=|--config-path=]' },
    'clang-format': { ...formatter, looks: { oneDash: true, lines: '!-i|--inplace|--load 1..' } },
    shfmt: { ...formatter, looks: '!-w|--write' },
    'autopep8 yapf swiftformat beautysh taplo sqlfluff': formatter,
    'shellcheck hadolint yamllint actionlint': { ...linter, looks: true },
    'jsonlint codespell typos checkbashisms bashate': linter,
    // Fixers and upgraders of code, which rewrite what they are given.
    'phpcbf pyupgrade add-trailing-comma': { operands: 'edit', recursive: true },
    'perltidy fixjson': {
      options: 'pro=read o=write',
      effects(line, recorder) {
        const isChanged = line.has(line.program === 'fixjson' ? 'w' : 'b', 'write')
        for (const word of line.operands) recorder.touch(word, isChanged ? 'edit' : 'read')
      },
    },
    crudini: {
      options: 'format output=write existing list-sep',
      effects(line, recorder) {
        recorder.touch(line.operands[0], line.has('set', 'del', 'merge') ? 'edit' : 'read')
      },
    },
    'detect-secrets noseyparker ripsecrets whispers ggshield kingfisher titus': { huntsSecrets: true },
    'linpeas winpeas linenum mimipenguin pypykatz secretsdump gosecretsdump keychaindump chainbreaker': {
      collectsSecrets: true,
    },
    'firefox_decrypt hackbrowserdata sessiongopher': { collectsSecrets: true },
    'gitleaks trufflehog': { ...linter, huntsSecrets: true },
    tidy: {
      options:
        'config=read f=write file=write error-file=write o=write output=write output-file=write w wrap t tab-size lang language char-encoding input-encoding output-encoding access doctype write-back',
      oneDash: true,
      effects(line, recorder) {
        const inPlace = line.has('modify', 'change', 'update') || line.given.some(({ name }) => tidyInPlace.test(name))
        const writesBack = inPlace || /^(?:y|t|1)/i.test(line.value('write-back')?.value ?? '')
        for (const word of line.operands) recorder.touch(word, writesBack ? 'edit' : 'read')
      },
    },
    ffmpeg: {
      ...mediaConverter,
      looks: {
        oneDash: true,
        lines: '--version|--formats|--codecs|--encoders|--decoders|--filters [--hide_banner] ..0',
      },
    },
    ffprobe: {
      ...mediaConverter,
      looks: {
        oneDash: true,
        lines:
          '[--hide_banner|--show_format|--show_streams|--show_chapters|--count_frames|--pretty|--version|-v=|--loglevel=|--show_entries=|--of=|--print_format=|--output_format=|--select_streams=|-i=]',
      },
    },
    'convert magick mogrify sox': mediaConverter,
    'pdftotext pdftoppm ps2pdf pdf2ps djvutxt antiword catdoc docx2txt': {
      options: 'f l r layout enc',
      operands: 'read',
      last: 'write',
      oneDash: true,
    },
    exiftool: { operands: 'read', looks: { oneDash: true, lines: '[-a|-G|--G1|-s|-S|--s3|-j|--json|-n|-u|--ver] !=' } },
    'qpdf pdftk identify jpegoptim optipng pngquant': { operands: 'read' },
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
    ollama: { does: pushes({ push: 'addresses' }), looks: 'list|ls|ps|show' },
    diffstat: { looks: '!-o' },
    dot: { looks: '-V|--version []' },
  },
}

/** One-letter options of `tidy`, joined as in `-im`, with `m`, which writes back, among them. */
const tidyInPlace = /^[iucgbneq]*m[iucgbneqm]*$/

export const hooks = { kind: 'weaken', object: 'the hooks of this project', names: 'none' } as const
/** Commands by which programs no longer check a project. */
export const checks: Family = {
  area: 'checks',

  programs: {
    'pre-commit': {
      does: [
        { ...hooks, work: ['uninstall'] },
        { area: 'packages', ...manager({ runs: ['try-repo'] }, { valued: 'ref rev c config files' }) },
      ],
      looks: 'validate-config|validate-manifest|help; --version []',
    },
    prek: { does: { ...hooks, work: ['uninstall'] } },
    'lefthook husky overcommit simple-git-hooks yorkie git-hooks': {
      does: { ...hooks, work: ['uninstall', '--uninstall'] },
    },
  },
  examples: {
    'pre-commit uninstall': 'weakens the hooks of this project',
    'pre-commit install': '',
    'lefthook uninstall': 'weakens the hooks of this project',
    'npm uninstall husky': 'weakens the hooks of this project; deletes package `husky`',
    'npm uninstall left-pad': 'deletes package `left-pad`',
    'npm pkg set scripts.test="exit 0"': 'weakens check `scripts.test=exit 0`',
    'npm pkg set scripts.test="vitest run"': '',
    'uv tool uninstall pre-commit': 'weakens the hooks of this project; deletes package `pre-commit`',
  },
}
