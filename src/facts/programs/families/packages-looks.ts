import type { Family } from '../program.ts'
import { type Judge, matchesTable, type Table } from '../looks/look.ts'

const brewTable: Table = {
  options: '+v +verbose +d +debug +q +quiet',
  lines: `
    info|abv|list|ls|search|deps|desc|uses|outdated|config|doctor|dr|tap-info|log|commands|help|cat|leaves|missing|options|formulae|casks|shellenv|formula|fetch|home|homepage|docs|casks
    tap !--repair ..0
    analytics [] ..0
    analytics state
    bundle list|check
    services list ..0`,
}

const asOption = /^(?:--(?:prefix|cellar|cache|caskroom|repository|repo|env|config|version|taps)|-v|-S)$/

/** Judges Homebrew, some of whose commands are written like options: `brew --prefix`. */
const brew: Judge = (look) => {
  const [first, ...rest] = look.args
  if (!asOption.test(first?.value ?? '')) return matchesTable(look, brewTable)
  return (
    !rest.some(({ value }) => asOption.test(value)) &&
    look.args.every((word) => word.several !== true && word.unresolved !== true) &&
    (first?.value !== '-v' || rest.length === 0)
  )
}

/** Package managers, where they only show packages or projects. */
export const packages: Family = {
  programs: {
    brew: { looks: brew },
    npm: {
      looks: {
        options: 'prefix C workspace w loglevel registry +s +silent +g +global',
        never: '--userconfig|--globalconfig|--script-shell|--node-options',
        lines: `
      ls|list|la|ll|view|info|show|v|outdated|search|s|se|find|help|help-search|bin|root|prefix|ping|whoami|stars|explain|why|fund|diff|query|sbom
      audit !--fix ..0
      audit signatures
      config|c list|ls|get
      get
      pack
      access list|get|ls-packages|ls-collaborators
      access get status
      org|team|token|profile|dist-tag|dist-tags|owner|author ls|list|get
      cache ls
      version ..0
      pkg get
      run|run-script [--list|--json|--silent] ..0
      -v|--version [] ..0`,
      },
    },
    yarn: {
      looks: {
        options: 'cwd +s +silent',
        lines: `
      list|info|why|outdated|audit|bin|versions|help
      licenses ..0
      licenses list|ls
      config list|get
      config [] ..0
      workspaces list|info
      cache list|dir
      global list|dir|bin
      owner|tag|team list
      npm info|audit|whoami
      npm tag list
      plugin list|runtime
      explain
      -v|--version [] ..0`,
      },
    },
    pnpm: {
      looks: {
        options: 'C dir filter F +r +recursive +s +silent +w +workspace-root +g +global',
        lines: `
      list|ls|la|ll|why|outdated|audit|root|bin|licenses|help !--fix
      licenses list|ls
      config list|get
      view|info|show|search|whoami|ping|cat-file|cat-index|find-hash
      store path|status
      cache list|list-registries|view
      -v|--version [] ..0`,
      },
    },
    bun: {
      looks: `
    pm ls|bin|hash
    pm cache [] ..0
    outdated|why|audit|info
    pm view|whoami|why|untrusted
    -v|--revision [] ..0`,
    },
    deno: {
      looks: {
        options: 'config c import-map lock +q +quiet',
        never: '--lock-write',
        lines: `
      version|types|help|completions|info
      doc !--html|--output|--name
      lint !--fix|--rules-plugins|--compact
      fmt --check
      outdated !-u|--update|-i|--interactive
      task [--quiet] ..0`,
      },
    },
    'npx corepack': { looks: '--version []' },
    uvx: { looks: '--version|-V [] ..0' },
    nvm: { looks: 'ls|list|ls-remote|current|which|version|version-remote' },
    fnm: { looks: 'list|ls|list-remote|ls-remote|current' },
    volta: { looks: 'list|ls|which' },
    'pip pip3': {
      looks: {
        options:
          'python log proxy cache-dir +q +quiet +v +verbose +no-color +isolated +require-virtualenv +disable-pip-version-check +no-input',
        never: '--log',
        lines: `
      list|show|freeze|check|search|hash|inspect|help|debug|completion|version
      index versions
      cache dir|info|list
      config list|get|debug`,
      },
    },
    pipx: { looks: 'list|environment; interpreter list' },
    uv: {
      looks: {
        options:
          'directory project color config-file cache-dir +q +quiet +v +verbose +no-config +offline +no-progress +no-cache +n +native-tls',
        lines: `
      tree|help
      export !-o|--output-file
      sync|lock|venv !--script
      version ..0
      pip list|show|freeze|check|tree
      python list|find|dir
      tool list
      cache dir`,
      },
    },
    poetry: {
      looks: {
        options: 'C directory P project +n +no-interaction +q +v +no-ansi',
        lines: `
      show|check|search|about|list|help
      env info|list
      cache list
      config --list
      version ..0
      source show
      debug info|resolve
      self show`,
      },
    },
    pdm: { looks: 'list|show|info|search|outdated; config ..1' },
    hatch: { looks: 'version ..0; env|dep|config|python show|find; status' },
    rye: { looks: 'list|show|version; toolchain list' },
    pipenv: { looks: 'graph|verify; --venv|--where|--py []' },
    pyenv: {
      looks: `
    versions|version|which|whence|root|commands|prefix|help|shims|completions|latest
    local|global ..0
    install -l|--list`,
    },
    conda: {
      looks: `
    list|info|search
    env list|export !-f|--file
    config --show|--show-sources|--get|--describe !--set|--add|--append|--prepend|--remove|--remove-key
    package --which
    compare`,
    },
    'mamba micromamba': { looks: 'list|info|search; env list; repoquery' },
    cargo: {
      looks: {
        options: 'Z color C manifest-path +q +quiet +v +verbose +locked +offline +frozen',
        never: '--config|--fix',
        lines: `
      info|metadata|verify-project|check|c|clippy|fetch|tree|fmt|doc|vendor|search|help|version|pkgid|locate-project|read-manifest|update
      owner -l|--list !-a|--add|-r|--remove
      owner [] ..0
      outdated|machete !--fix
      audit !--file ..0
      deny check|list
      --list [--verbose] ..0`,
      },
    },
    rbenv: {
      looks: `
    versions|version|which|whence|root|commands|prefix|help|shims
    local|global ..0
    install -l|-L|--list|--list-all`,
    },
    nodenv: { looks: 'versions|version|which|whence|root|commands|prefix|help|shims; local|global ..0' },
    rustup: {
      looks: `
    show|check|which|completions|help
    toolchain|target|component|override list
    show *
    doc --path`,
    },
    go: {
      looks: {
        oneDash: true,
        options: 'C',
        never: '--toolexec|--exec|--modfile|--overlay|--vettool',
        lines: `
      version|list|doc|help|vet
      env !-w|-u
      mod graph|verify|why|download
      work edit --json|--print
      tool ..0
      tool nm|objdump|dist !-o
      tool cover --func|-h !-o|--mode|--html
      build|install|clean -n !=
      telemetry ..0`,
      },
    },
    gem: {
      looks: `
    list|search|info|specification|spec|dependency|environment|env|contents|which|outdated|query|check|help|stale
    sources -l|--list []
    sources [] ..0`,
    },
    'bundle bundler': {
      looks: `
    list|ls|show|info|outdated|check|platform|env|licenses|doctor|help|version
    config list|get
    config ..0`,
    },
    composer: {
      looks: `
    show|info|outdated|search|licenses|validate|diagnose|depends|why|prohibits|why-not|fund|status|audit|about|check-platform-reqs|suggests|list|help
    global show|outdated|licenses
    config -l|--list`,
    },
    mvn: {
      looks: {
        oneDash: true,
        options:
          'pl projects f file P rf +q +quiet +B +batch-mode +ntp +no-transfer-progress +o +offline +am +also-make +U +e',
        lines: `
      -v|--version [] ..0
      dependency:tree|dependency:list|dependency:analyze|help:effective-pom|help:describe|help:active-profiles|versions:display-dependency-updates !--DoutputFile ..0`,
      },
    },
    gradle: {
      looks: 'tasks|dependencies|projects|properties|help|dependencyInsight !-I|--init-script|-b|-c|--write-locks ..0',
    },
    dotnet: {
      looks: `
    list|--info|--list-sdks|--list-runtimes|--version
    sln list
    sln * list
    format --verify-no-changes !--report|--binarylog
    nuget list
    sdk check
    tool list
    workload list
    --info|--list-sdks|--list-runtimes|--version []`,
    },
    mix: { looks: 'help|hex.info|hex.outdated|deps.tree|app.tree; deps [] ..0; format --check-formatted' },
    rebar3: { looks: 'tree|deps|version' },
    cabal: { looks: 'list|info|path' },
    stack: { looks: 'path|ls' },
    opam: { looks: 'list|show|search|info; switch list|show' },
    swift: { looks: 'package describe|dump-package|show-dependencies; --version []' },
    pod: { looks: 'list|search|outdated; env' },
    asdf: { looks: 'list|current|which|where|latest|info|help; plugin list' },
    mise: { looks: 'ls|list|current|which|where|latest|ls-remote|doctor|version|outdated' },
    choco: { looks: 'list|search|info|outdated' },
    winget: { looks: 'list|search|show' },
    scoop: { looks: 'list|search|info|status' },
  },
}
