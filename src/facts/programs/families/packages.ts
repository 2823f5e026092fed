import type { Family } from '../program.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { readPrepared, wholeAmong } from '../../../words/options.ts'
import { type CommandView, type Obeys, optionsOf, type Row, setup } from '../row.ts'
import { behindDashes, changed, joined, known, names } from '../words.ts'

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

/** Package managers: the files they read and install, and the packages' programs that they run. */
export const packages: Family = {
  rows: { obeysFolder: true, codeOnStdin: 'settings' },
  programs: {
    pip,
    easy_install: { ...pythonManager, subcommands: {} },
    pipx: {
      ...pythonManager,
      subcommands: { ...pythonManager.subcommands, run: packageRunner('python pip-args index-url', 'spec') },
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
          starts: {},
          idle: 'h m module',
        },
        'tool run': uvx,
      },
    },
    uvx,
    poetry: {
      ...pythonManager,
      output: setup(/^env activate$/),
      options: `${pythonOptions} C P`,
      subcommands: { ...pythonManager.subcommands, run: plainExec },
    },
    pipenv: { ...pythonManager, subcommands: { ...pythonManager.subcommands, run: plainExec } },
    pdm: {
      ...pythonManager,
      subcommands: { ...pythonManager.subcommands, run: { options: 's site-packages p project', starts: {} } },
    },
    'conda mamba micromamba': {
      ...pythonManager,
      obeys: { when: /(?:^| )(?:create|update|install)\b/, files: /^environment\.ya?ml$/ },
      output: setup(/^shell(?:\.\w+)? (?:hook|activate)\b/),
      subcommands: { ...pythonManager.subcommands, run: condaRun },
    },
    'rye hatch': { options: 'e env p project', subcommands: { ...pythonManager.subcommands, run: plainExec } },
    pixi: {
      subcommands: {
        run: { options: 'e environment manifest-path', starts: {} },
        exec: { options: 's spec c channel', starts: {} },
      },
    },

    'npx pnpx': { ...nodeManager, ...npx, subcommands: {} },
    bunx: { ...nodeManager, ...dlx, subcommands: {} },
    npm: {
      ...nodeManager,
      output: setup(/^completion$/),
      obeys: packageFileObeyed,
      words: inFull,
      subcommands: { '*': npmVerbs, 'exec, x': npx, 'pkg, set-script': packageFile },
    },
    cnpm: { ...nodeManager, subcommands: { '*': npmVerbs } },
    pnpm: {
      ...nodeManager,
      obeys: packageFileObeyed,
      subcommands: {
        '*': npmVerbs,
        'exec, exe': pnpmExec,
        'pkg, set-script': packageFile,
        dlx: packageRunner('', 'package'),
      },
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
    },
    'lerna nx turbo': nodeManager,
    // `corepack pnpm add x` starts pnpm, `corepack enable` nothing.
    corepack: {
      ...nodeManager,
      starts({ operands: [first, ...others] }, starts) {
        if (first !== undefined && /^(?:npm|npx|pnpm|pnpx|yarn)(?:@|$)/.test(first.value))
          starts.words([programOf(first), ...others])
      },
    },
    // Also the name of a shell.
    rush: { ...nodeManager, options: `${nodeOptions} p package c=script call` },

    'apt apt-get': {
      ...systemManager,
      // `apt -o DPkg::Pre-Invoke::=SCRIPT` runs a script.
      starts(line, starts) {
        for (const { value } of line.values('o')) {
          const [, name = '', script = ''] = aptSetting.exec(value) ?? []
          if (runsScript.test(name)) starts.script(known(script.replace(/^\{?"?|"?;?\}?$/g, '')))
        }
      },
    },
    'bundle bundler': {
      ...systemManager,
      obeys: { when: /^(?:install|update|exec)?\b/, files: /^Gemfile$/ },
      subcommands: { '*': verbs('v version g group s source git github branch path gemfile'), exec: plainExec },
    },
    gem: {
      ...systemManager,
      options: 'v version s source i=names install-dir=names P trust-policy p platform k key host config-file=read',
      subcommands: {
        '*': verbs('v version s source i install-dir P trust-policy p platform k key host a add r remove'),
      },
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
    },
    brew: {
      ...systemManager,
      output: setup(/^shellenv\b/),
      obeys: { when: /^bundle\b(?! (?:check|list|dump|cleanup)\b)/, files: /^\.?Brewfile$/ },
    },
    'port aptitude apt-cache apt-key dnf yum zypper apk choco scoop winget': systemManager,
    // Their options say what they do.
    'pacman yay paru emerge nix-env': { ...systemManager, subcommands: {} },
    'dpkg rpm installer': {
      options: 'root=names target pipe=script',
      effects(line, recorder) {
        for (const word of line.operands) if (/\.(?:deb|rpm|pkg)$/.test(word.value)) recorder.touch(word, 'execute')
      },
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
