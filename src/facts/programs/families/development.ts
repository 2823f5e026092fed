import type { Family } from '../program.ts'

/** Compilers, checkers and formatters, where they only report and change no file. */
export const development: Family = {
  programs: {
    black: { looks: '--check|--diff|--version !-o' },
    isort: { looks: '--check|--check-only|-c|--diff|-d|--version|--show-config|--show-files !-o|--overwrite-in-place' },
    ruff: {
      looks: {
        options: 'config +q +quiet +v +verbose +s +silent +isolated',
        lines: `
      check|lint !--fix|--fix-only|--unsafe-fixes|--add-noqa|-w|--watch|-o|--output-file
      rule|version|help|linter|config`,
      },
    },
    mypy: {
      looks:
        '!--install-types|--junit-xml|--html-report|--txt-report|--xml-report|--xslt-html-report|--any-exprs-report|--cobertura-xml-report|--linecount-report|--linecoverage-report|--lineprecision-report|--python-executable|--config-file',
    },
    'pyright basedpyright': { looks: '!--createstub|-w|--watch' },
    flake8: { looks: '!--output-file|--tee|--install-hook' },
    pylint: { looks: '!--init-hook|--load-plugins|--output|--rcfile|--generate-toml-config' },
    'pyflakes pycodestyle pydocstyle vulture shellcheck hadolint yamllint actionlint jps': { looks: true },
    bandit: { looks: '!-o|--output' },
    radon: { looks: '!-O|--output_file' },
    'pre-commit': { looks: 'validate-config|validate-manifest|help; --version []' },
    shfmt: { looks: '!-w|--write' },
    prettier: {
      looks: `
    -c|--check|-l|--list-different|--version|--find-config-path|--file-info|--support-info !-w|--write
    !-w|--write|--plugin|--config|--cache|--cache-location 1..`,
    },
    oxlint: { looks: '!--fix|--fix-suggestions|--fix-dangerously|--init|--lsp' },
    markdownlint: { looks: '!-f|--fix|-o|--output|-r|--rules|-p|--enable-plugins 1..' },
    'clang-format': { looks: { oneDash: true, lines: '!-i|--inplace|--load 1..' } },
    luac: { looks: '-p [] 1..; -v [] ..0' },
    lua: { looks: '-v [] ..0' },
    zig: { looks: 'version|env|targets|zen|help [] ..0; fmt --check [--ast-check|--exclude=]; ast-check' },
    flutter: {
      looks: `
    doctor|devices|emulators !--launch|--create|--android-licenses
    pub deps|outdated
    --version [] ..0`,
    },
    dart: { looks: 'pub deps|outdated; analyze|info !--write; --version [] ..0' },
    just: {
      looks:
        '-l|--list|--summary|--show|-s|--dump [--unsorted|-u|--show=|-s=|-f=|--justfile=|-d=|--working-directory=|--dump-format=] ..0',
    },
    biome: {
      looks: `
    check|lint|format|ci !--write|--fix|--apply|--apply-unsafe|--suppress
    version|explain|rage`,
    },
    rustfmt: { looks: '--check|--version|-V [--edition=|--config-path=]' },
    rustc: { looks: '--version|-V|--explain|--print [--verbose|--vV|-v|--print=|--explain=]' },
    goimports: { looks: { oneDash: true, lines: '-l|-d [-e|-v|--local=]' } },
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
    ruby: { looks: '--version|-v|--copyright [] ..0; -c [-w] 1..' },
    php: {
      looks: `
    --version|-v|-m|--ini|--modules [] ..0
    -l|--syntax-check [] ..1
    --rf|--rc|--re|--ri [--rf=|--rc=|--re=|--ri=]`,
    },
    perl: { looks: '--version|-v|-V [] ..0' },
    gofmt: { looks: { oneDash: true, lines: '!-w|--cpuprofile' } },
    tsc: {
      looks: {
        options: 'p project',
        lines: `
      --noEmit [--pretty|--skipLibCheck|--strict]
      --listFilesOnly|--showConfig|--version|-v|--help|-h|--all []`,
      },
    },
    node: { looks: '--version|-v|--help|-h [] ..0; -c|--check []' },
    python: { looks: '--version|-V|--help|-h [--VV] ..0' },
    make: { looks: '--version|-v [] ..0' },
    cmake: { looks: '--version|--help|--system-information [] ..0; -N [-L|-A|-H]' },
    ctest: { looks: '-N|--show-only []' },
    gcc: { looks: { oneDash: true, lines: '--version|-v|--dumpversion|--dumpmachine|--print-search-dirs [] ..0' } },
    java: { looks: { oneDash: true, lines: '--version|--help [] ..0' } },
    'javac kotlinc scala': { looks: { oneDash: true, lines: '--version [] ..0' } },
    ffmpeg: {
      looks: {
        oneDash: true,
        lines: '--version|--formats|--codecs|--encoders|--decoders|--filters [--hide_banner] ..0',
      },
    },
    ffprobe: {
      looks: {
        oneDash: true,
        lines:
          '[--hide_banner|--show_format|--show_streams|--show_chapters|--count_frames|--pretty|--version|-v=|--loglevel=|--show_entries=|--of=|--print_format=|--output_format=|--select_streams=|-i=]',
      },
    },
    xmllint: {
      looks: {
        oneDash: true,
        lines:
          '[--noout|--format|--html|--recover|--nonet|--nowarning|--noblanks|--huge|--c14n|--nsclean|--version|--xpath=|--pretty=|--encode=|--schema=|--relaxng=]',
      },
    },
    exiftool: { looks: { oneDash: true, lines: '[-a|-G|--G1|-s|-S|--s3|-j|--json|-n|-u|--ver] !=' } },
    protoc: { looks: '--version|-h|--help [] ..0' },
    tmux: {
      looks:
        'ls|list-sessions|list-windows|lsw|list-panes|lsp|list-clients|lsc|list-keys|list-commands|has-session !-F|-f',
    },
    screen: { looks: { oneDash: true, lines: '--ls|--list []' } },
    code: { looks: '--list-extensions|--version|-v|--status [--show-versions]' },
    gpg: {
      looks:
        '--list-keys|-k|--list-public-keys|--list-secret-keys|-K|--list-sigs|--check-sigs|--fingerprint|--list-packets|--verify|--version|--list-config [--with-colons|--with-subkey-fingerprint|--with-fingerprint|--keyid-format=]',
    },
    'ssh-keygen': { looks: '-l|-F [-v|-f=|-E=|-F=]' },
    'ssh-add': { looks: '-l|-L []' },
    ollama: { looks: 'list|ls|ps|show' },
    'redis-cli': {
      looks: {
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
    },
    mysqladmin: {
      looks: {
        options: 'h P u host port user',
        lines: 'status|processlist|ping|version|variables|extended-status ..0',
      },
    },
    simctl: { looks: 'list' },
    systemctl: {
      looks: {
        options:
          't type state p property n lines o output root +user +system +no-pager +a +all +l +full +q +quiet +failed +no-legend +plain +r +recursive +reverse',
        never: '-H|--host|-M|--machine|--root|--image|--force|--now',
        lines: `
      status|list-units|list-unit-files|list-timers|list-sockets|list-dependencies|list-jobs|list-machines|list-paths|list-automounts|is-active|is-enabled|is-failed|is-system-running|show|cat|help|get-default
      [] ..0`,
      },
    },
    supervisorctl: { looks: 'status|version|avail|pid' },
    pm2: { looks: 'list|ls|l|status|show|describe|info|logs|jlist|prettylist|id|pid' },
    service: { looks: '* status ..0; --status-all []' },
    auditctl: { looks: '-l|-s []' },
    diffstat: { looks: '!-o' },
    patch: { looks: '--dry-run !-o|--output|-r' },
    tshark: { looks: '-D []' },
    adb: { looks: { options: 's', lines: 'devices|version|get-state|get-serialno' } },
    dot: { looks: '-V|--version []' },
  },
}
