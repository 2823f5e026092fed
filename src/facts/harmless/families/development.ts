import type { Looks } from '../look.ts'

/** Compilers, checkers and formatters, where they only report and change no file. */
export const development: Looks = {
  black: '--check|--diff|--version !-o',
  isort: '--check|--check-only|-c|--diff|-d|--version|--show-config|--show-files !-o|--overwrite-in-place',
  ruff: {
    options: 'config +q +quiet +v +verbose +s +silent +isolated',
    lines: `
      check|lint !--fix|--fix-only|--unsafe-fixes|--add-noqa|-w|--watch|-o|--output-file
      rule|version|help|linter|config`,
  },
  mypy: '!--install-types|--junit-xml|--html-report|--txt-report|--xml-report|--xslt-html-report|--any-exprs-report|--cobertura-xml-report|--linecount-report|--linecoverage-report|--lineprecision-report|--python-executable|--config-file',
  'pyright basedpyright': '!--createstub|-w|--watch',
  flake8: '!--output-file|--tee|--install-hook',
  pylint: '!--init-hook|--load-plugins|--output|--rcfile|--generate-toml-config',
  'pyflakes pycodestyle pydocstyle vulture shellcheck hadolint yamllint actionlint jps': true,
  bandit: '!-o|--output',
  radon: '!-O|--output_file',
  'pre-commit': 'validate-config|validate-manifest|help; --version []',
  shfmt: '!-w|--write',
  prettier: `
    -c|--check|-l|--list-different|--version|--find-config-path|--file-info|--support-info !-w|--write
    !-w|--write|--plugin|--config|--cache|--cache-location 1..`,
  oxlint: '!--fix|--fix-suggestions|--fix-dangerously|--init|--lsp',
  markdownlint: '!-f|--fix|-o|--output|-r|--rules|-p|--enable-plugins 1..',
  'clang-format': { oneDash: true, lines: '!-i|--inplace|--load 1..' },
  luac: '-p [] 1..; -v [] ..0',
  lua: '-v [] ..0',
  zig: 'version|env|targets|zen|help [] ..0; fmt --check [--ast-check|--exclude=]; ast-check',
  flutter: `
    doctor|devices|emulators !--launch|--create|--android-licenses
    pub deps|outdated
    --version [] ..0`,
  dart: 'pub deps|outdated; analyze|info !--write; --version [] ..0',
  just: '-l|--list|--summary|--show|-s|--dump [--unsorted|-u|--show=|-s=|-f=|--justfile=|-d=|--working-directory=|--dump-format=] ..0',
  biome: `
    check|lint|format|ci !--write|--fix|--apply|--apply-unsafe|--suppress
    version|explain|rage`,
  rustfmt: '--check|--version|-V [--edition=|--config-path=]',
  rustc: '--version|-V|--explain|--print [--verbose|--vV|-v|--print=|--explain=]',
  goimports: { oneDash: true, lines: '-l|-d [-e|-v|--local=]' },
  'staticcheck errcheck govulncheck': { oneDash: true, lines: '' },
  ineffassign: '!--fix',
  'golangci-lint': {
    options:
      'c config timeout E enable D disable concurrency j build-tags new-from-rev max-issues-per-linter +v +verbose +fast +new +tests',
    lines: 'run []; linters|formatters|version|help; config path|verify; cache status',
  },
  gopls:
    'version|check|symbols|definition|references|implementation|workspace_symbol|stats|signature|highlight !-w|--write',
  ruby: '--version|-v|--copyright [] ..0; -c [-w] 1..',
  php: `
    --version|-v|-m|--ini|--modules [] ..0
    -l|--syntax-check [] ..1
    --rf|--rc|--re|--ri [--rf=|--rc=|--re=|--ri=]`,
  perl: '--version|-v|-V [] ..0',
  gofmt: { oneDash: true, lines: '!-w|--cpuprofile' },
  tsc: {
    options: 'p project',
    lines: `
      --noEmit [--pretty|--skipLibCheck|--strict]
      --listFilesOnly|--showConfig|--version|-v|--help|-h|--all []`,
  },
  node: '--version|-v|--help|-h [] ..0; -c|--check []',
  python: '--version|-V|--help|-h [--VV] ..0',
  make: '--version|-v [] ..0',
  cmake: '--version|--help|--system-information [] ..0; -N [-L|-A|-H]',
  ctest: '-N|--show-only []',
  gcc: { oneDash: true, lines: '--version|-v|--dumpversion|--dumpmachine|--print-search-dirs [] ..0' },
  java: { oneDash: true, lines: '--version|--help [] ..0' },
  'javac kotlinc scala': { oneDash: true, lines: '--version [] ..0' },
  ffmpeg: { oneDash: true, lines: '--version|--formats|--codecs|--encoders|--decoders|--filters [--hide_banner] ..0' },
  ffprobe: {
    oneDash: true,
    lines:
      '[--hide_banner|--show_format|--show_streams|--show_chapters|--count_frames|--pretty|--version|-v=|--loglevel=|--show_entries=|--of=|--print_format=|--output_format=|--select_streams=|-i=]',
  },
  xmllint: {
    oneDash: true,
    lines:
      '[--noout|--format|--html|--recover|--nonet|--nowarning|--noblanks|--huge|--c14n|--nsclean|--version|--xpath=|--pretty=|--encode=|--schema=|--relaxng=]',
  },
  exiftool: { oneDash: true, lines: '[-a|-G|--G1|-s|-S|--s3|-j|--json|-n|-u|--ver] !=' },
  protoc: '--version|-h|--help [] ..0',
  tmux: 'ls|list-sessions|list-windows|lsw|list-panes|lsp|list-clients|lsc|list-keys|list-commands|has-session !-F|-f',
  screen: { oneDash: true, lines: '--ls|--list []' },
  code: '--list-extensions|--version|-v|--status [--show-versions]',
  gpg: '--list-keys|-k|--list-public-keys|--list-secret-keys|-K|--list-sigs|--check-sigs|--fingerprint|--list-packets|--verify|--version|--list-config [--with-colons|--with-subkey-fingerprint|--with-fingerprint|--keyid-format=]',
  'ssh-keygen': '-l|-F [-v|-f=|-E=|-F=]',
  'ssh-add': '-l|-L []',
  ollama: 'list|ls|ps|show',
  'redis-cli': {
    options: 'h p n a u user s +raw +no-raw +json +csv +no-auth-warning +tls',
    lines: `
      ping|info|dbsize|time|lastsave|role|PING|INFO|DBSIZE|TIME|LASTSAVE|ROLE []
      get|mget|strlen|getrange|keys|scan|exists|type|ttl|pttl|hget|hgetall|hkeys|hvals|hlen|hmget|hexists|hscan|llen|lrange|lindex []
      scard|smembers|sismember|sscan|zcard|zrange|zscore|zcount|zrank|zscan|xlen|xrange|xinfo|bitcount|getbit|pfcount []
      GET|MGET|STRLEN|GETRANGE|KEYS|SCAN|EXISTS|TYPE|TTL|PTTL|HGET|HGETALL|HKEYS|HVALS|HLEN|HMGET|HEXISTS|HSCAN|LLEN|LRANGE|LINDEX []
      SCARD|SMEMBERS|SISMEMBER|SSCAN|ZCARD|ZRANGE|ZSCORE|ZCOUNT|ZRANK|ZSCAN|XLEN|XRANGE|XINFO|BITCOUNT|GETBIT|PFCOUNT []
      cluster info|nodes|slots|shards []
      client list|info []
      memory usage|stats|doctor []
      slowlog get|len []
      object encoding|freq|idletime|refcount []
      command count|info|docs []
      --scan [--pattern=|--count=|--type=] ..0`,
  },
  mysqladmin: {
    options: 'h P u host port user',
    lines: 'status|processlist|ping|version|variables|extended-status ..0',
  },
  simctl: 'list',
  systemctl: {
    options:
      't type state p property n lines o output root +user +system +no-pager +a +all +l +full +q +quiet +failed +no-legend +plain +r +recursive +reverse',
    never: '-H|--host|-M|--machine|--root|--image|--force|--now',
    lines: `
      status|list-units|list-unit-files|list-timers|list-sockets|list-dependencies|list-jobs|list-machines|list-paths|list-automounts|is-active|is-enabled|is-failed|is-system-running|show|cat|help|get-default
      [] ..0`,
  },
  supervisorctl: 'status|version|avail|pid',
  pm2: 'list|ls|l|status|show|describe|info|logs|jlist|prettylist|id|pid',
  service: '* status ..0; --status-all []',
  auditctl: '-l|-s []',
  diffstat: '!-o',
  patch: '--dry-run !-o|--output|-r',
  tshark: '-D []',
  adb: { options: 's', lines: 'devices|version|get-state|get-serialno' },
  dot: '-V|--version []',
}
