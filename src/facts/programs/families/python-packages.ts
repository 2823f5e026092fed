import type { Family } from '../program.ts'
import { type Row, setup, verbs } from '../row.ts'
import { plainExec, packageRunner } from './packages.ts'
import { manager, removal, plainManager } from '../deeds/packages.ts'
import { hooks } from './checkers.ts'
import { written, type Deeds } from '../deeds/deeds.ts'
import { known } from '../words.ts'
import { enters, type LookRule } from '../looks/look.ts'

const pythonOptions =
  'r=read requirement=read c=read constraint=read e=read editable=read t=into target=into i index-url extra-index-url f find-links=none prefix root d=into dest=into w=into wheel-dir=into log=write cache-dir python n name p file=read env-file=variables cert=key proxy timeout platform no-binary only-binary directory=names project=names'
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

const condaRun: Row = { options: 'n name p prefix cwd=folder +no-capture-output +live-stream', starts: {} }
const projectManager: Row = {
  options: 'e env p project',
  subcommands: { ...pythonManager.subcommands, run: plainExec },
}

const environmentManager: Row = {
  ...pythonManager,
  obeys: { when: /(?:^| )(?:create|update|install)\b/, files: /^environment\.ya?ml$/ },
  output: setup(/^shell(?:\.\w+)? (?:hook|activate)\b/),
  subcommands: { ...pythonManager.subcommands, run: condaRun },
}

const uvx = packageRunner(
  'p python with with-editable with-requirements env-file=variables index default-index i index-url extra-index-url f find-links color cache-dir directory project c constraints b build-constraints overrides python-platform link-mode',
  'from',
)
const lostPythonChecks: Deeds = {
  ...hooks,
  work: [''],
  when: written(/^(?=.*\b(?:uninstall|remove) ).*\bpre-commit\b/),
}

const pipLooks: LookRule = {
  options:
    'python log proxy cache-dir +q +quiet +v +verbose +no-color +isolated +require-virtualenv +disable-pip-version-check +no-input',
  never: '--log',
  lines: `
      list|show|freeze|check|search|hash|inspect|help|debug|completion|version
      index versions
      cache dir|info|list
      config list|get|debug`,
}

/** Managers of packages and environments of Python. */
export const pythonPackages: Family = {
  area: 'packages',
  rows: { obeysFolder: true, codeOnStdin: 'settings' },
  programs: {
    pip: {
      ...pip,
      does: [
        { area: 'checks', ...lostPythonChecks },
        manager({
          installs: ['install|download|wheel'],
          configures: ['config set|edit'],
        }),
        { area: 'programs', ...removal },
      ],
      looks: pipLooks,
      namesSecrets: true,
    },
    pip2: {
      does: manager({
        installs: ['install|download|wheel'],
        configures: ['config set|edit'],
      }),
    },
    pip3: {
      does: [
        { area: 'checks', ...lostPythonChecks },
        manager({
          installs: ['install|download|wheel'],
          configures: ['config set|edit'],
        }),
        { area: 'programs', ...removal },
      ],
      looks: pipLooks,
      namesSecrets: true,
    },
    easy_install: {
      ...pythonManager,
      subcommands: {},
      does: plainManager({ installs: ['*'] }),
    },
    pipx: {
      ...pythonManager,
      subcommands: { ...pythonManager.subcommands, run: packageRunner('python pip-args index-url', 'spec') },
      does: [
        { area: 'checks', ...lostPythonChecks },
        manager({ installs: ['install|inject'], runs: ['run'] }),
        { area: 'programs', ...removal },
      ],
      looks: 'list|environment; interpreter list',
      noHelp: true,
    },
    uv: {
      triesPublishing: true,
      locates: (words) => (words.startsWith('python find') ? 'python3' : undefined),
      shared: true,
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
        { area: 'checks', ...lostPythonChecks },
        manager({
          installs: ['add', 'tool|pip install'],
          restores: ['sync|lock', 'pip sync'],
          runs: ['tool run'],
          publishes: ['publish'],
        }),
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
      namesSecrets: true,
    },
    uvx: {
      ...uvx,
      does: plainManager({ runs: ['*', '-p|--package|--from'] }),
      looks: '--version|-V [] ..0',
      noHelp: true,
    },
    poetry: {
      triesPublishing: true,
      ...pythonManager,
      output: setup(/^env activate$/),
      options: `${pythonOptions} C P`,
      subcommands: { ...pythonManager.subcommands, run: plainExec },
      does: manager({
        installs: ['add', 'self add'],
        restores: ['install|update|lock'],
        publishes: ['publish'],
        configures: ['config * *'],
        sources: ['source add'],
      }),
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
      locates: (words) => (words === '--py' ? 'python' : undefined),
      ...pythonManager,
      subcommands: { ...pythonManager.subcommands, run: plainExec },
      does: manager({ installs: ['install'] }),
      looks: 'graph|verify; --venv|--where|--py []',
    },
    pdm: {
      ...pythonManager,
      subcommands: { ...pythonManager.subcommands, run: { options: 's site-packages p project', starts: {} } },
      does: manager({ installs: ['add', 'self add'], publishes: ['publish'], configures: ['config * *'] }),
      looks: 'list|show|info|search|outdated; config ..1',
    },
    conda: {
      ...environmentManager,
      does: manager({
        installs: ['install|create'],
        configures: ['config --set'],
        sources: ['config --add|--append|--prepend'],
      }),
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
      ...environmentManager,
      does: manager({ installs: ['install|create'] }),
      looks: ['list|info|search; env list; repoquery', enters('run')],
    },
    rye: {
      ...projectManager,
      does: manager({ installs: ['add|install', 'tools install'], publishes: ['publish'] }),
      looks: 'list|show|version; toolchain list',
    },
    hatch: {
      ...projectManager,
      does: manager({ publishes: ['publish'] }),
      looks: 'version ..0; env|dep|config|python show|find; status',
    },
    pixi: {
      subcommands: {
        run: { options: 'e environment manifest-path', starts: {} },
        exec: { options: 's spec c channel', starts: {} },
      },
    },
    flit: { does: manager({ publishes: ['publish'] }) },
    maturin: { does: manager({ publishes: ['publish|upload'] }) },
    twine: { does: manager({ publishes: ['upload'] }, { valued: 'r repository-url p c i' }) },
  },
  examples: {
    'uv tool uninstall ruff': 'deletes package `ruff`',
    'python3 -m pip install requests==2.31.0 -r r.txt': 'installs package `requests==2.31.0`',
    'pip install --dry-run requests': '',
    'uvx --from a b': 'runs package `a`',
    'poetry config --list': '',
    'pip list': '',
  },
}
