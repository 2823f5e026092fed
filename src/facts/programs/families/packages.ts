import { liveBy, taskStage } from '../deeds/deeds.ts'
import { enters } from '../looks/look.ts'
import { crateDeeds } from './code-hosting.ts'
import { manager, plainManager, removal } from '../deeds/packages.ts'
import type { Family } from '../program.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { type Row, verbs, setup } from '../row.ts'
import { behindDashes, changed, known, names, withoutDashes } from '../words.ts'
import { systemManager, systemDeeds } from './system-packages.ts'

export const plainExec: Row = { starts: {} }
/** As `plainExec`, of a program that has a shell read its words: `yarn exec 'a && b'`. */
export const shellExec: Row = {
  operandsLast: true,
  starts({ operands }, starts) {
    const words = withoutDashes(operands)
    const [first] = words
    if (first === undefined) return
    starts.wrapper()
    if (words.length === 1) starts.script(first)
    else starts.words(words)
  },
}
const nixCommand: Row = {
  // Everything after the option is the command: `nix develop -c make test`.
  starts(_, starts, { args }) {
    const at = args.findIndex(({ value }) => value === '-c' || value === '--command')
    if (at !== -1 && args.length > at + 1) starts.words(args.slice(at + 1))
  },
}
const nixOptions =
  'extra-experimental-features experimental-features option:2 I include f file override-input:2 override-flake:2 inputs-from arg:2 argstr:2 arg-from-file:2 log-format max-jobs j cores profile store expr u unset s:2 set-env-var:2 k keep-env-var'
const dashes: Row = { starts: { dashes: true } }
const nixFiles = /^(?:shell|default|flake)\.nix$/

/** Package managers: the files they read and install, and the packages' programs that they run. */
export const packages: Family = {
  area: 'packages',
  rows: { obeysFolder: true, codeOnStdin: 'settings' },
  programs: {
    'bundle bundler': {
      ...systemManager,
      obeys: { when: /^(?:install|update|exec)?\b/, files: /^Gemfile$/ },
      subcommands: { '*': verbs('v version g group s source git github branch path gemfile'), exec: plainExec },
      does: manager({
        installs: ['add', 'plugin install'],
        restores: ['install|update'],
        configures: ['config !--list'],
      }),
      looks: [
        `
    list|ls|show|info|outdated|check|platform|env|licenses|doctor|help|version
    config list|get
    config ..0`,
        enters('exec'),
      ],
      startsTools: true,
    },
    gem: {
      ...systemManager,
      options: 'v version s source i=names install-dir=names P trust-policy p platform k key host config-file=read',
      subcommands: {
        '*': verbs('v version s source i install-dir P trust-policy p platform k key host a add r remove'),
      },
      does: [
        { area: 'code-hosting', ...crateDeeds },
        manager({
          installs: ['install|i'],
          runs: ['exec'],
          publishes: ['push'],
          grants: ['owner --add|-a'],
          sources: ['sources --add|-a'],
        }),
        { area: 'programs', ...removal },
      ],
      looks: `
    list|search|info|specification|spec|dependency|environment|env|contents|which|outdated|query|check|help|stale
    sources -l|--list []
    sources [] ..0`,
    },
    rubygems: {
      does: manager({
        installs: ['install|i'],
        runs: ['exec'],
        publishes: ['push'],
        grants: ['owner --add|-a'],
        sources: ['sources --add|-a'],
      }),
    },
    nix: {
      ...systemManager,
      options: nixOptions,
      typed: /^ (?:develop|shell)(?!.* (?:-c|--command|--help)(?: |$))/,
      obeys: { when: /^(?:develop|run|build|shell)\b/, files: nixFiles },
      subcommands: {
        ...systemManager.subcommands,
        'develop, shell': nixCommand,
        run: {
          options: nixOptions,
          operandsLast: true,
          starts({ operands: [first] }, starts, { args }) {
            const program = /(?:#|^)([\w.-]+)$/.exec(first?.value ?? '')?.[1]
            if (program !== undefined) starts.words([known(program), ...(behindDashes(args) ?? [])])
          },
        },
      },
      does: manager({ installs: ['profile install|add'], runs: ['run|shell'] }),
    },
    'nix-build': { ...systemManager, obeys: { files: nixFiles } },
    'nix-shell': {
      ...systemManager,
      obeys: { files: nixFiles },
      options: 'p packages run=script command=script A attr I E expr keep',
      typed: /^(?!.* --(?:run|command|help|version)(?: |$))/,
    },
    guix: { ...systemManager, subcommands: { ...systemManager.subcommands, 'shell, environment': dashes } },
    composer: {
      tasks: true,
      ...systemManager,
      obeys: { when: /^(?:install|update|require)\b/, looks: 'no-scripts', files: /^composer\.json$/ },
      subcommands: {
        '*': verbs('d working-dir'),
        exec: packageRunner('', ''),
        config: { effects: (_, recorder) => recorder.touch(known('composer.json'), 'edit') },
      },
      does: [
        manager({
          installs: ['require', 'global require'],
          restores: ['install|update'],
          runs: ['create-project'],
          configures: ['config * *'],
          sources: ['config repositories'],
        }),
        taskStage,
      ],
      looks: `
    show|info|outdated|search|licenses|validate|diagnose|depends|why|prohibits|why-not|fund|status|audit|about|check-platform-reqs|suggests|list|help
    global show|outdated|licenses
    config -l|--list`,
    },
    flox: {
      subcommands: { activate: { options: 'd dir r remote c=script command=script', starts: { dashes: true } } },
    },
    devbox: { subcommands: { run: { ...shellExec, options: 'c config e env env-file' } } },
    dnx: { does: plainManager({ runs: ['*', '-p|--package|--from'] }) },
    cpan: { does: plainManager({ installs: ['*'] }) },
    cpanm: { does: manager({ installs: ['*'] }, { valued: 'mirror l' }) },
    pod: {
      does: [manager({ publishes: ['trunk push'], sources: ['repo add'] }), liveBy(/^(?:trunk|repo) push\b/)],
      looks: 'list|search|outdated; env',
    },
    flutter: {
      does: manager({ installs: ['pub add'], publishes: ['pub publish'] }),
      looks: `
      doctor|devices|emulators !--launch|--create|--android-licenses
      pub deps|outdated
      --version [] ..0`,
    },
    krew: { does: manager({ installs: ['install'] }) },
    cookiecutter: {
      does: manager({ runs: ['*'] }, { valued: 'o output-dir c checkout directory config-file replay-file' }),
    },
    copier: { does: manager({ runs: ['copy'] }, { valued: 'd data r vcs-ref a answers-file data-file x exclude' }) },
    rebar3: { looks: 'tree|deps|version' },
  },
  examples: {
    'cargo +stable uninstall ripgrep': 'deletes package `ripgrep`',
    'go run ./cmd/server --to a@b.example': '',
    'go env GOPATH': '',
    'helm repo add a https://a.example': 'adds a source of packages `a`',
    'brew install jq': 'installs system program `jq`',
    'docker exec web npm install a': '',
  },
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
      else if (first !== undefined) starts.words([programOf(first), ...withoutDashes(others)])
    },
  }
}

/** Removes registry and version from a package's name: `npm:rimraf@5` runs `rimraf`. A leading `@` is that of a scope. */
export const programOf = (word: ShellWord): ShellWord =>
  changed(word, word.value.replace(/^(?:npm|jsr):/, '').replace(/(?<=.)(?:@|==)[^/]*$/, ''))

const exec: Row = { starts: {} }
const behindVersion: Row = { starts: { own: 1 } }
const miseExec: Row = { options: 'c=script command=script C cd E env j jobs', starts: { dashes: true } }

const toolRunner: Row = {
  output: setup(/^(?:activate|env|hook-env)\b/),
  options: 'C cd E env',
  subcommands: { 'exec, x': miseExec },
}

/** Programs that run a command with a chosen version of a tool, an environment, or secrets. */
export const versionManagers: Family = {
  rows: { obeysFolder: true, codeOnStdin: 'settings' },
  programs: {
    asdf: {
      locates: 'which',
      subcommands: { exec, env: behindVersion },
      does: { area: 'system-packages', ...systemDeeds(['install', 'plugin add|update'], ['uninstall']) },
      looks: 'list|current|which|where|latest|info|help; plugin list',
    },
    mise: {
      locates: 'which',
      tasks: true,
      ...toolRunner,
      does: [{ area: 'programs', ...removal }, taskStage],
      looks: 'ls|list|current|which|where|latest|ls-remote|doctor|version|outdated',
    },
    rtx: { ...toolRunner, locates: 'which' },
    pyenv: {
      locates: 'which',
      output: setup(/^(?:virtualenv-)?init\b/),
      subcommands: { exec },
      looks: [
        `
    versions|version|which|whence|root|commands|prefix|help|shims|completions|latest
    local|global ..0
    install -l|--list`,
        enters('exec'),
      ],
    },
    rbenv: {
      locates: 'which',
      output: setup(/^(?:virtualenv-)?init\b/),
      subcommands: { exec },
      looks: [
        `
    versions|version|which|whence|root|commands|prefix|help|shims
    local|global ..0
    install -l|-L|--list|--list-all`,
        enters('exec'),
      ],
    },
    nodenv: {
      locates: 'which',
      output: setup(/^(?:virtualenv-)?init\b/),
      subcommands: { exec },
      looks: ['versions|version|which|whence|root|commands|prefix|help|shims; local|global ..0', enters('exec')],
    },
    'goenv jenv plenv phpenv': { locates: 'which', output: setup(/^(?:virtualenv-)?init\b/), subcommands: { exec } },
    opam: {
      output: setup(/^(?:config )?env\b/),
      subcommands: { exec },
      does: {
        area: 'packages',
        ...manager({ installs: ['install'], publishes: ['publish'], sources: ['repository|repo add'] }),
      },
      looks: 'list|show|search|info; switch list|show',
    },
    luarocks: {
      output: setup(/^path\b/),
      does: [
        {
          area: 'packages',
          ...manager({ installs: ['install'], publishes: ['upload'] }, { valued: 'server tree' }),
        },
        liveBy(/^upload\b/),
      ],
    },
    nvm: {
      locates: (words) => (words.startsWith('which') ? 'node' : undefined),
      subcommands: { 'run, exec': behindVersion },
      looks: 'ls|list|ls-remote|current|which|version|version-remote',
    },
    fnm: {
      output: setup(/^(?:env|completions)\b/),
      subcommands: { exec: { options: 'using fnm-dir', starts: {} } },
      looks: 'list|ls|list-remote|ls-remote|current',
    },
    volta: {
      locates: 'which',
      subcommands: { run: { options: 'node npm yarn env', starts: {} } },
      does: { area: 'programs', ...removal },
      looks: 'list|ls|which',
    },
    rustup: {
      locates: 'which',
      output: setup(/^completions\b/),
      subcommands: { run: behindVersion },
      looks: `
    show|check|which|completions|help
    toolchain|target|component|override list
    show *
    doc --path`,
    },
    rvm: { subcommands: { do: exec } },
    direnv: {
      obeys: { when: /^(?:allow|permit|exec)\b/, files: /^\.envrc$/ },
      output: setup(/^(?:export|hook) \w+$/),
      subcommands: { exec: { starts: { own: 1, strayed: true } } },
      looks: 'status|version',
      prints: true,
    },
  },
}
