import { enters } from '../looks/starts.ts'
import { npmCodeHosting, cargoCodeHosting } from './code-hosting.ts'
import { npmChecks, pipChecks } from './checks.ts'
import { manager, npmLike, plainManager } from './packages-deeds.ts'
import { removal } from './programs.ts'
import { taskStage, machineStage } from '../deeds/stages.ts'
import { pnpmMigrations } from './migrations/project-tasks.ts'
import { pipLooks, brew } from './packages-looks.ts'
import {
  manager as managerOfSystemPackages,
  trusted,
  byOptions,
  dnf,
  apt,
  emergeSystemPackages,
  pacmanSystemPackages,
  trusts,
} from './system-packages.ts'
import type { Family } from '../program.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { readPrepared, wholeAmong } from '../../../words/options.ts'
import { type CommandView, type Obeys, optionsOf, type Row, setup } from '../row.ts'
import { behindDashes, changed, joined, known, names } from '../words.ts'
import type { Judge } from '../looks/look.ts'

const pythonOptions =
  'r=read requirement=read c=read constraint=read e=read editable=read t=into target=into i index-url extra-index-url f find-links=none prefix root d=into dest=into w=into wheel-dir=into log=write cache-dir python n name p file=read env-file=read cert=read proxy timeout platform no-binary only-binary directory=names project=names'
const pythonManager: Row = {
  options: `${pythonOptions} config-file color allow-insecure-host`,
  wholeNames: true,
  effects(line, recorder) {
    for (const word of line.operands) if (/^[./~]/.test(word.value)) recorder.touch(word, 'read')
  },
  subcommands: {
    '*': verbs(
      'r requirement c constraint e editable t target i index-url extra-index-url f find-links prefix root d dest w wheel-dir log cache-dir python n name p file env-file cert proxy timeout platform no-binary only-binary directory project index default-index index-strategy keyring-provider with with-requirements with-editable from script group dev-group extra bounds branch tag rev exclude-newer python-version python-platform upgrade-package config-file color G C P E extras source repository u username url path git pypi-mirror categories channel spec suffix pip-args',
    ),
  },
}
/** Its long options may be cut short, so those without a value count as well. */
const pip: Row = {
  ...pythonManager,
  output: setup(/^completion\b/),
  subcommands: {
    '*': {
      options:
        'r requirement c constraint e editable t target i index-url extra-index-url f find-links prefix root d dest w wheel-dir log cache-dir python cert client-cert proxy timeout retries platform abi implementation python-version no-binary only-binary src trusted-host report upgrade-strategy config-settings progress-bar use-feature exists-action keyring-provider group +pre +user +upgrade +isolated +quiet +dry-run +break-system-packages +force-reinstall +ignore-installed +ignore-requires-python +require-hashes +require-virtualenv +prefer-binary +no-deps +no-index +no-cache-dir +no-input +no-build-isolation +no-compile +use-pep517',
    },
  },
}

const nodeOptions =
  'prefix=names C=names dir=names w workspace registry userconfig=read globalconfig=read cache=names cwd=names loglevel otp tag access filter F'
const nodeVerbs =
  'prefix C dir w workspace registry userconfig globalconfig cache cwd loglevel otp tag access filter F omit include location script-shell reporter save-prefix pack-destination node-options'
const nodeManager: Row = {
  options: `${nodeOptions} p package c call`,
  wholeNames: true,
  operandsLast: true,
  subcommands: { '*': verbs(nodeVerbs) },
}
const npmOptions = optionsOf(nodeManager)
/** Long options of npm and pnpm may be cut short, so those without a value count as well. */
const npmVerbs: Row = {
  options: `${nodeVerbs} package p call c +save +save-dev +save-exact +save-optional +save-peer +save-prod +save-bundle +global +global-style +ignore-scripts +force +dry-run +json +long +yes +all +production +prefer-offline +prefer-online +offline +progress +package-lock +package-lock-only +parseable +legacy-peer-deps +install-links +include-workspace-root +workspaces +foreground-scripts +fund +audit +provenance +frozen-lockfile +workspace-root +recursive +lockfile-only`,
}

const systemVerbs = verbs(
  'c C gemfile path t target-release o option file working-dir a default-release enablerepo disablerepo x exclude repo X repository virtual p root',
)
const systemManager: Row = {
  options: 'c C=names gemfile=read path=names t target-release o option file=read working-dir=names',
  effects(line, recorder) {
    for (const word of line.operands) if (/^[./~]./.test(word.value)) recorder.touch(word, 'execute')
  },
  subcommands: { '*': systemVerbs },
}

/** An installation runs the scripts of the project, and what its settings name. */
export const packageFileObeyed: Obeys = {
  when: /^(?:i|ci|install|add|update)?(?= |$)/,
  looks: 'ignore-scripts',
  files: /^(?:package\.json|\.pnpmfile\.cjs|\.yarnrc\.yml)$/,
}

/** All commands of npm and their aliases. Each may be cut short as long as no other begins so. */
const npmCommands = names(
  'access adduser approve-scripts audit bugs cache ci completion config dedupe deny-scripts deprecate diff dist-tag docs doctor edit exec explain explore find-dupes fund get help help-search init install install-ci-test install-scripts install-test link ll login logout ls org outdated owner pack ping pkg prefix profile prune publish query rebuild repo restart root run sbom search set shrinkwrap stage star stars start stop team test token trust undeprecate uninstall unpublish unstar update version view whoami author home issues info show find add unlink remove rm r un rb list ln create i it cit u up c s se tst t ddp v run-script clean-install clean-install-test x why la verison ic innit in ins inst insta instal isnt isnta isntal isntall install-clean isntall-clean hlep dist-tags upgrade udpate rum sit urn ogr add-user',
)

/** Writes npm's command in full: `publish` for `publis`. */
function inFull({ args }: CommandView): readonly ShellWord[] {
  const first = readPrepared(args, npmOptions).operands[0]
  if (first === undefined || !/^[a-z-]+$/i.test(first.value)) return args
  const written = first.value.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const whole = wholeAmong(written, npmCommands) ?? written
  return whole === first.value ? args : args.map((word) => (word === first ? changed(word, whole) : word))
}

/** Subcommands that write scripts into `package.json`: `npm pkg set scripts.x=…`. */
const packageFile: Row = { effects: (_, recorder) => recorder.touch(known('package.json'), 'edit') }

const npx = packageRunner(`${nodeOptions} node-options shell node-arg n`, 'p package', 'c call shell-mode')
const dlx = packageRunner('', 'p package')
const uvx = packageRunner(
  'p python with with-editable with-requirements env-file=read index default-index i index-url extra-index-url f find-links color cache-dir directory project c constraints b build-constraints overrides python-platform link-mode',
  'from',
)
const plainExec: Row = { starts: {} }
const pnpmExec: Row = {
  options: 'C dir F filter resume-from',
  operandsLast: true,
  starts({ operands, has }, starts) {
    if (operands.length === 0) return
    starts.wrapper()
    if (has('c', 'shell-mode')) starts.script(joined(operands))
    else starts.words(operands)
  },
}
const condaRun: Row = { options: 'n name p prefix cwd=folder +no-capture-output +live-stream', starts: {} }
const nixCommand: Row = {
  // Everything after the option is the command: `nix develop -c make test`.
  starts(_, starts, { args }) {
    const at = args.findIndex(({ value }) => value === '-c' || value === '--command')
    if (at !== -1 && args.length > at + 1) starts.words(args.slice(at + 1))
  },
}
const dashes: Row = { starts: { dashes: true } }
const nixFiles = /^(?:shell|default|flake)\.nix$/

const ryeRow: Row = { options: 'e env p project', subcommands: { ...pythonManager.subcommands, run: plainExec } }

const condaRow: Row = {
  ...pythonManager,
  obeys: { when: /(?:^| )(?:create|update|install)\b/, files: /^environment\.ya?ml$/ },
  output: setup(/^shell(?:\.\w+)? (?:hook|activate)\b/),
  subcommands: { ...pythonManager.subcommands, run: condaRun },
}

const dpkgRow: Row = {
  options: 'root=names target pipe=script',
  effects(line, recorder) {
    for (const word of line.operands) if (/\.(?:deb|rpm|pkg)$/.test(word.value)) recorder.touch(word, 'execute')
  },
}

const aptRow: Row = {
  ...systemManager, // `apt -o DPkg::Pre-Invoke::=SCRIPT` runs a script.
  starts(line, starts) {
    for (const { value } of line.values('o')) {
      const [, name = '', script = ''] = aptSetting.exec(value) ?? []
      if (runsScript.test(name)) starts.script(known(script.replace(/^\{?"?|"?;?\}?$/g, '')))
    }
  },
}

/** Judges `npx`, which may fetch the program that it runs, unless an option limits it to installed programs. */
const startsInstalled: Judge = ({ args, starts = 0 }) =>
  starts > 0 && /^--no(?:-install)?$/.test(args[0]?.value ?? '') && args[1]?.value.startsWith('-') === false

/** Package managers: the files they read and install, and the packages' programs that they run. */
export const packages: Family = {
  rows: { obeysFolder: true, codeOnStdin: 'settings' },
  programs: {
    pip: {
      ...pip,
      does: [
        { area: 'checks', ...pipChecks },
        {
          area: 'packages',
          ...manager({
            installs: ['install|download|wheel'],
            configures: ['config set|edit'],
          }),
        },
        { area: 'programs', ...removal },
      ],
      looks: pipLooks,
    },
    easy_install: {
      ...pythonManager,
      subcommands: {},
      does: { area: 'packages', ...plainManager({ installs: ['*'] }) },
    },
    pipx: {
      ...pythonManager,
      subcommands: { ...pythonManager.subcommands, run: packageRunner('python pip-args index-url', 'spec') },
      does: [
        { area: 'checks', ...pipChecks },
        { area: 'packages', ...manager({ installs: ['install|inject'], runs: ['run'] }) },
        { area: 'programs', ...removal },
      ],
      looks: 'list|environment; interpreter list',
    },
    uv: {
      ...pythonManager,
      output: setup(/^generate-shell-completion \w+$/),
      subcommands: {
        ...pythonManager.subcommands,
        run: {
          options:
            'p python with with-editable with-requirements extra group only-group no-group env-file index default-index i index-url extra-index-url f find-links P upgrade-package package directory=folder project config-file color cache-dir python-platform link-mode resolution prerelease exclude-newer w refresh-package reinstall-package keyring-provider index-strategy config-setting C no-build-package no-binary-package no-build-isolation-package allow-insecure-host no-extra',
          wholeNames: true,
          // `uv run -m MODULE` is `uv run python -m MODULE`.
          words: ({ args: [first, ...rest] }) =>
            first === undefined
              ? []
              : /^(?:-m|--module)$/.test(first.value)
                ? [known('python'), known('-m'), ...rest]
                : [first, ...rest],
          starts: {},
          idle: 'h m module',
        },
        'tool run': uvx,
      },
      does: [
        { area: 'checks', ...pipChecks },
        {
          area: 'packages',
          ...manager({
            installs: ['add', 'tool|pip install'],
            restores: ['sync|lock', 'pip sync'],
            runs: ['tool run'],
            publishes: ['publish'],
          }),
        },
        { area: 'programs', ...removal },
      ],
      looks: [
        {
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
        enters('run'),
      ],
    },
    uvx: {
      ...uvx,
      does: { area: 'packages', ...plainManager({ runs: ['*', '-p|--package|--from'] }) },
      looks: '--version|-V [] ..0',
    },
    poetry: {
      ...pythonManager,
      output: setup(/^env activate$/),
      options: `${pythonOptions} C P`,
      subcommands: { ...pythonManager.subcommands, run: plainExec },
      does: {
        area: 'packages',
        ...manager({
          installs: ['add', 'self add'],
          restores: ['install|update|lock'],
          publishes: ['publish'],
          configures: ['config * *'],
          sources: ['source add'],
        }),
      },
      looks: [
        {
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
        enters('run'),
      ],
    },
    pipenv: {
      ...pythonManager,
      subcommands: { ...pythonManager.subcommands, run: plainExec },
      does: { area: 'packages', ...manager({ installs: ['install'] }) },
      looks: 'graph|verify; --venv|--where|--py []',
    },
    pdm: {
      ...pythonManager,
      subcommands: { ...pythonManager.subcommands, run: { options: 's site-packages p project', starts: {} } },
      does: {
        area: 'packages',
        ...manager({ installs: ['add', 'self add'], publishes: ['publish'], configures: ['config * *'] }),
      },
      looks: 'list|show|info|search|outdated; config ..1',
    },
    conda: {
      ...condaRow,
      does: {
        area: 'packages',
        ...manager({
          installs: ['install|create'],
          configures: ['config --set'],
          sources: ['config --add|--append|--prepend'],
        }),
      },
      looks: [
        `
    list|info|search
    env list|export !-f|--file
    config --show|--show-sources|--get|--describe !--set|--add|--append|--prepend|--remove|--remove-key
    package --which
    compare`,
        enters('run'),
      ],
    },
    'mamba micromamba': {
      ...condaRow,
      does: { area: 'packages', ...manager({ installs: ['install|create'] }) },
      looks: ['list|info|search; env list; repoquery', enters('run')],
    },
    rye: {
      ...ryeRow,
      does: { area: 'packages', ...manager({ installs: ['add|install', 'tools install'], publishes: ['publish'] }) },
      looks: 'list|show|version; toolchain list',
    },
    hatch: {
      ...ryeRow,
      does: { area: 'packages', ...manager({ publishes: ['publish'] }) },
      looks: 'version ..0; env|dep|config|python show|find; status',
    },
    pixi: {
      subcommands: {
        run: { options: 'e environment manifest-path', starts: {} },
        exec: { options: 's spec c channel', starts: {} },
      },
    },

    npx: {
      ...nodeManager,
      ...npx,
      subcommands: {},
      does: {
        area: 'packages',
        ...plainManager({ runs: ['* !--no-install|--no', '-p|--package|--from !--no-install|--no'] }),
      },
      looks: ['--version []', startsInstalled],
    },
    pnpx: {
      ...nodeManager,
      ...npx,
      subcommands: {},
      does: { area: 'packages', ...plainManager({ runs: ['*', '-p|--package|--from'] }) },
    },
    bunx: {
      ...nodeManager,
      ...dlx,
      subcommands: {},
      does: { area: 'packages', ...plainManager({ runs: ['*', '-p|--package|--from'] }) },
    },
    npm: {
      ...nodeManager,
      output: setup(/^completion$/),
      obeys: packageFileObeyed,
      words: inFull,
      subcommands: { '*': npmVerbs, 'exec, x': npx, 'pkg, set-script': packageFile },
      does: [
        {
          area: 'migrations',
          kind: 'delete',
          object: 'the database',
          work: [
            'run|run-script db:reset|db:drop|db:wipe|db:truncate|db:clean|db:nuke|db:flush|reset-db|drop-db|reset:db|drop:db|database:reset|database:drop|migrate:reset|migrate:fresh|migration:reset|db-reset|db-drop',
          ],
        },
        { area: 'code-hosting', ...npmCodeHosting },
        { area: 'checks', ...npmChecks },
        { area: 'packages', ...manager(npmLike) },
        {
          area: 'schedules',
          kind: 'change',
          object: 'the shell of every script',
          runsAnything: true,
          work: ['set script-shell|script-shell=*', 'config|c set script-shell|script-shell=*'],
        },
        { area: 'programs', ...removal },
        taskStage,
      ],
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
    cnpm: {
      ...nodeManager,
      subcommands: { '*': npmVerbs },
      does: [
        { area: 'code-hosting', ...npmCodeHosting },
        { area: 'packages', ...manager(npmLike) },
      ],
    },
    // Its `exec` fetches nothing.
    pnpm: {
      ...nodeManager,
      obeys: packageFileObeyed,
      subcommands: {
        '*': npmVerbs,
        'exec, exe': pnpmExec,
        'pkg, set-script': packageFile,
        dlx: packageRunner('', 'package'),
      },
      does: [
        { area: 'migrations', ...pnpmMigrations },
        {
          area: 'code-hosting',
          says: {
            'unpublish|deprecate': { kind: 'withdraw', object: 'package', thing: 'package', names: 'first' },
            owner: { kind: 'revoke', object: 'the rights of', thing: 'package', names: 'first' },
            'dist-tag': { kind: 'delete', object: 'tag of', thing: 'package', names: 'first' },
          },
          never: ['unpublish', 'deprecate', 'owner rm', 'dist-tag rm'],
        },
        { area: 'checks', ...npmChecks },
        { area: 'packages', ...manager({ ...npmLike, runs: ['dlx|create'] }) },
        { area: 'programs', ...removal },
        taskStage,
      ],
      looks: [
        {
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
        enters('exec'),
      ],
    },
    yarn: {
      ...nodeManager,
      obeys: packageFileObeyed,
      subcommands: {
        ...nodeManager.subcommands,
        exec: plainExec,
        'pkg, set-script': packageFile,
        dlx,
        pack: { options: 'f filename o out' },
      },
      does: [
        { area: 'migrations', ...pnpmMigrations },
        {
          area: 'code-hosting',
          says: {
            owner: { kind: 'revoke', object: 'the rights of', thing: 'package', names: 'last' },
            'npm|tag': { kind: 'delete', object: 'tag of', thing: 'package', names: 'first' },
          },
          never: ['owner remove', 'npm tag remove', 'tag remove', 'team destroy|remove'],
        },
        { area: 'checks', ...npmChecks },
        {
          area: 'packages',
          ...manager({
            ...npmLike,
            installs: ['add', 'global add', 'import'],
            restores: ['install|up|upgrade'],
            runs: ['dlx|create'],
            publishes: ['publish', 'npm publish'],
          }),
        },
        { area: 'programs', ...removal },
        taskStage,
      ],
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
    lerna: {
      ...nodeManager,
      does: [{ area: 'packages', ...manager({ installs: ['add'], publishes: ['publish'] }) }, taskStage],
    },
    'nx turbo': { ...nodeManager, does: taskStage },
    // `corepack pnpm add x` starts pnpm, `corepack enable` nothing.
    corepack: {
      ...nodeManager,
      starts({ operands: [first, ...others] }, starts) {
        if (first !== undefined && /^(?:npm|npx|pnpm|pnpx|yarn)(?:@|$)/.test(first.value))
          starts.words([programOf(first), ...others])
      },
      looks: '--version []',
    },
    // Also the name of a shell.
    rush: { ...nodeManager, options: `${nodeOptions} p package c=script call`, does: taskStage },

    apt: {
      ...aptRow,
      does: [{ area: 'system-packages', ...apt }, machineStage],
      looks: 'list|show|search|policy|depends|rdepends|madison|showsrc|changelog|help !-o|--option|-c|--config-file',
    },
    'apt-get': { ...aptRow, does: [{ area: 'system-packages', ...apt }, machineStage] },
    'bundle bundler': {
      ...systemManager,
      obeys: { when: /^(?:install|update|exec)?\b/, files: /^Gemfile$/ },
      subcommands: { '*': verbs('v version g group s source git github branch path gemfile'), exec: plainExec },
      does: {
        area: 'packages',
        ...manager({
          installs: ['add', 'plugin install'],
          restores: ['install|update'],
          configures: ['config !--list'],
        }),
      },
      looks: [
        `
    list|ls|show|info|outdated|check|platform|env|licenses|doctor|help|version
    config list|get
    config ..0`,
        enters('exec'),
      ],
    },
    gem: {
      ...systemManager,
      options: 'v version s source i=names install-dir=names P trust-policy p platform k key host config-file=read',
      subcommands: {
        '*': verbs('v version s source i install-dir P trust-policy p platform k key host a add r remove'),
      },
      does: [
        { area: 'code-hosting', ...cargoCodeHosting },
        {
          area: 'packages',
          ...manager({
            installs: ['install|i'],
            runs: ['exec'],
            publishes: ['push'],
            grants: ['owner --add|-a'],
            sources: ['sources --add|-a'],
          }),
        },
        { area: 'programs', ...removal },
      ],
      looks: `
    list|search|info|specification|spec|dependency|environment|env|contents|which|outdated|query|check|help|stale
    sources -l|--list []
    sources [] ..0`,
    },
    nix: {
      ...systemManager,
      obeys: { when: /^(?:develop|run|build|shell)\b/, files: nixFiles },
      subcommands: {
        ...systemManager.subcommands,
        'develop, shell': nixCommand,
        run: {
          starts(_, starts, { args }) {
            const first = args.find(({ value }) => !value.startsWith('-'))
            const program = /(?:#|^)([\w.-]+)$/.exec(first?.value ?? '')?.[1]
            if (program !== undefined) starts.words([known(program), ...(behindDashes(args) ?? [])])
          },
        },
      },
      does: { area: 'packages', ...manager({ installs: ['profile install|add'], runs: ['run|shell'] }) },
    },
    'nix-build': { ...systemManager, obeys: { files: nixFiles } },
    'nix-shell': {
      ...systemManager,
      obeys: { files: nixFiles },
      options: 'p packages run=script command=script A attr I E expr keep',
    },
    guix: { ...systemManager, subcommands: { ...systemManager.subcommands, 'shell, environment': dashes } },
    composer: {
      ...systemManager,
      obeys: { when: /^(?:install|update|require)\b/, looks: 'no-scripts', files: /^composer\.json$/ },
      subcommands: {
        '*': verbs('d working-dir'),
        config: { effects: (_, recorder) => recorder.touch(known('composer.json'), 'edit') },
      },
      does: [
        {
          area: 'packages',
          ...manager({
            installs: ['require', 'global require'],
            restores: ['install|update'],
            runs: ['create-project'],
            configures: ['config * *'],
            sources: ['config repositories'],
          }),
        },
        taskStage,
      ],
      looks: `
    show|info|outdated|search|licenses|validate|diagnose|depends|why|prohibits|why-not|fund|status|audit|about|check-platform-reqs|suggests|list|help
    global show|outdated|licenses
    config -l|--list`,
    },
    flatpak: {
      ...systemManager,
      subcommands: {
        ...systemManager.subcommands,
        run: {
          options: 'command cwd=folder arch branch file-forwarding share socket device filesystem env',
          operandsLast: true,
          starts(line, starts) {
            const program = line.value('command')
            if (program !== undefined) starts.words([program, ...line.operands.slice(1)])
          },
        },
      },
      does: {
        area: 'system-packages',
        ...managerOfSystemPackages(['install|update'], ['uninstall|remove'], { also: [trusted('remote-add')] }),
      },
      looks: 'list|info|search|remotes|remote-ls|history|ps',
      prints: true,
    },
    snap: {
      ...systemManager,
      subcommands: {
        ...systemManager.subcommands,
        // `--shell` starts bash in place of the program.
        run: {
          operandsLast: true,
          starts(line, starts) {
            if (line.has('shell')) starts.words([known('bash'), ...line.operands.slice(1)])
          },
        },
      },
      does: [
        {
          area: 'system-packages',
          ...managerOfSystemPackages(['install|refresh'], ['remove'], { also: [trusted('ack')] }),
        },
        machineStage,
      ],
      looks: 'list|info|find|version|connections|interfaces|changes|tasks|services|warnings',
      prints: true,
    },
    // With these programs, only packages from an address count: see `withPackages`.
    brew: {
      ...systemManager,
      output: setup(/^shellenv\b/),
      obeys: { when: /^bundle\b(?! (?:check|list|dump|cleanup)\b)/, files: /^\.?Brewfile$/ },
      does: [
        { area: 'packages', ...manager({ runs: ['install|reinstall'], sources: ['tap *'] }) },
        {
          area: 'system-packages',
          ...managerOfSystemPackages(['install|reinstall|upgrade'], ['uninstall|remove|rm|autoremove']),
        },
        { area: 'programs', kind: 'stop', object: 'service', work: ['services stop|kill'] },
      ],
      looks: brew,
    },
    dnf: {
      ...systemManager,
      does: [
        { area: 'packages', ...manager({ runs: ['install|localinstall|reinstall'] }) },
        { area: 'system-packages', ...dnf },
        machineStage,
      ],
      looks: `
    list|info|search|provides|repolist|repoquery|deplist|check-update|updateinfo !--setopt|-c|--config|-y
    history ..0
    history list|info`,
    },
    yum: {
      ...systemManager,
      does: [
        { area: 'packages', ...manager({ runs: ['install|localinstall|reinstall'] }) },
        { area: 'system-packages', ...dnf },
        machineStage,
      ],
      looks: 'list|info|search|provides|repolist|repoquery|deplist|check-update|updateinfo !--setopt|-c|--config|-y',
    },
    zypper: {
      ...systemManager,
      does: [
        { area: 'packages', ...manager({ runs: ['install|in'] }) },
        {
          area: 'system-packages',
          ...managerOfSystemPackages(['install|in|update|up|dup'], ['remove|rm'], { also: [trusted('addrepo|ar')] }),
        },
      ],
      looks: 'search|se|info|if|repos|lr|packages|pa|patches|pch|list-updates|lu|services|ls|what-provides|wp',
    },
    aptitude: {
      ...systemManager,
      does: { area: 'system-packages', ...apt },
      looks: 'search|show|why|why-not|versions',
      prints: true,
    },
    apk: {
      ...systemManager,
      does: [{ area: 'system-packages', ...managerOfSystemPackages(['add|upgrade'], ['del']) }, machineStage],
      looks: 'info|list|search|policy|version|dot|stats',
      prints: true,
    },
    port: {
      ...systemManager,
      does: { area: 'system-packages', ...managerOfSystemPackages(['install|upgrade'], ['uninstall']) },
      looks: 'list|info|search|installed|outdated|contents|deps|dependents|provides|variants',
      prints: true,
    },
    winget: {
      ...systemManager,
      does: { area: 'system-packages', ...managerOfSystemPackages(['install|add|upgrade'], ['uninstall']) },
      looks: 'list|search|show',
    },
    choco: {
      ...systemManager,
      does: { area: 'system-packages', ...managerOfSystemPackages(['install|upgrade'], ['uninstall']) },
      looks: 'list|search|info|outdated',
    },
    scoop: {
      ...systemManager,
      does: { area: 'system-packages', ...managerOfSystemPackages(['install|update'], ['uninstall']) },
      looks: 'list|search|info|status',
    },
    'apt-key': { ...systemManager, does: { area: 'system-packages', ...trusts('add|adv') } },
    'apt-cache': {
      ...systemManager,
      looks:
        'show|search|policy|depends|rdepends|madison|showpkg|showsrc|stats|dump|unmet|pkgnames|dotty !-o|--option|-c|--config-file',
    },
    // Their options say what they do.
    emerge: { ...systemManager, subcommands: {}, does: { area: 'system-packages', ...emergeSystemPackages } },
    pacman: {
      ...systemManager,
      subcommands: {},
      does: { area: 'system-packages', ...pacmanSystemPackages },
      looks: '-Q|--query !-R|-S|-U|-D|--hookdir|--config; -S !-y|-u|-c|-w|--hookdir|--config [-s|-i]',
      prints: true,
    },
    'yay paru': { ...systemManager, subcommands: {}, does: { area: 'system-packages', ...pacmanSystemPackages } },
    'nix-env': {
      ...systemManager,
      subcommands: {},
      does: {
        area: 'system-packages',
        ...managerOfSystemPackages(['-i|--install|-u|--upgrade'], ['-e|--uninstall']),
        ...byOptions,
        trials: 'dry-run',
      },
      looks: '-q|--query !-i|-e|-u|--install|--uninstall|--upgrade|-f|-G|-S',
      prints: true,
    },
    rpm: {
      ...dpkgRow,
      does: [
        {
          area: 'packages',
          ...manager(
            { runs: ['-i|-U|-F|--install|--upgrade|--freshen !-q'] },
            { noSubcommands: true, hIsNoHelp: true },
          ),
        },
        {
          area: 'system-packages',
          ...managerOfSystemPackages(['-i|-U|-F|--install|--upgrade|--freshen !-q'], ['-e|--erase'], {
            also: [trusted('--import')],
          }),
          ...byOptions,
          trials: 'test version',
        },
      ],
      looks:
        '-q|--query [-a|--all|-i|--info|-l|--list|-f|--file|-c|-d|-R|--requires|--provides|--changelog|--last|-p|--qf|--queryformat]',
    },
    dpkg: {
      ...dpkgRow,
      does: {
        area: 'system-packages',
        ...managerOfSystemPackages(['-i|--install|--unpack'], ['-r|-P|--remove|--purge']),
        ...byOptions,
      },
      looks:
        '-l|--list|-L|--listfiles|-s|--status|-S|--search|-p|--print-avail|--get-selections|--print-architecture|-I|--info|-c|--contents|-V|--verify|--audit|--compare-versions []',
    },
    installer: {
      ...dpkgRow,
      does: { area: 'system-packages', ...managerOfSystemPackages(['-pkg'], []), oneDash: true },
    },
    flox: { subcommands: { activate: { options: 'd dir r remote command=script', starts: { dashes: true } } } },
    devbox: { subcommands: { run: { options: 'c config e env env-file', starts: {} } } },
  },
}

const aptSetting = /^([\w:-]*)=(.+)$/s
const runsScript = /Invoke|Run|Pager|ProxyAutoDetect|Proxy-Auto-Detect/i

/** Makes the row of all verbs of a program: the options behind them, of which none names a file that is touched. */
function verbs(options: string): Row {
  return { options, wholeNames: true }
}

/**
 * Makes the row of a program that runs a package's program. It is no mere wrapper, since it may download the package.
 * The program is assumed to have the package's name.
 *
 * @param scripts options whose value is a script to run instead
 */
export function packageRunner(valued: string, packageOptions: string, scripts = ''): Row {
  const scriptOptions = names(scripts)
  return {
    options: `${valued} ${packageOptions} ${scripts}`,
    wholeNames: true,
    operandsLast: true,
    starts(line, starts) {
      if (line.has('help', 'h', 'version', 'v', 'V')) return
      const text = line.value(...scriptOptions)
      const [first, ...others] = line.operands
      if (text !== undefined && text.value !== '') starts.script(text)
      else if (first !== undefined) starts.words([programOf(first), ...others])
    },
  }
}

/** Removes the version from a package's name: `rimraf@5` runs `rimraf`. A leading `@` is that of a scope. */
const programOf = (word: ShellWord): ShellWord => changed(word, word.value.replace(/(?<=.)(?:@|==)[^/]*$/, ''))
