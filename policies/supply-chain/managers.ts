import { type OptionsRead, type ShellCommand, type ShellWord, onlyTries, readOptions } from 'hookgate/policy'

/** The action of a package manager's command, under one name for all managers. */
export type PackageAct =
  /** Packages come into the project, or onto the machine. */
  | 'install'
  /** Reinstalls what the project declares already. */
  | 'restore'
  /** A package is fetched and run. */
  | 'run'
  | 'publish'
  | 'unpublish'
  /** A setting is changed. */
  | 'configure'
  /** Somewhere else to get packages from. */
  | 'add-source'

export interface PackageCall {
  /** As it is known: `pip` for `python3 -m pip`. */
  readonly manager: string
  readonly act: PackageAct
  /** The words for it: `install`, `global add`. */
  readonly verb: string
  /** For the whole machine or the whole user, not for a project. */
  readonly everywhere: boolean
  /** As root. */
  readonly asRoot: boolean
  readonly options: OptionsRead
  /** The words after the verb. */
  readonly names: readonly ShellWord[]
  /** Its words from the verb on. */
  readonly words: readonly string[]
  readonly command: ShellCommand
}

interface Manager {
  /** Of each act, the verbs for it, with a comma between. */
  readonly acts: Partial<Readonly<Record<PackageAct, string>>>
  /** Options with a value, blanks between. */
  readonly valued?: string
  /** Verbs or options that make it for everybody. */
  readonly everywhere?: string
}

const node =
  'registry prefix cache userconfig globalconfig tag omit include w workspace loglevel location script-shell otp access C dir filter package p call c node-options cwd reporter save-prefix'
const pip =
  'i index-url extra-index-url f find-links r requirement c constraint t target d dest prefix root src cert client-cert proxy retries timeout trusted-host python abi platform implementation python-version only-binary no-binary w wheel-dir cache-dir log e editable index-strategy extra group report upgrade-strategy'
const uv = `${pip} index default-index keyring-provider directory project with with-requirements with-editable from p script dev-group bounds branch tag rev exclude-newer`

const npmLike: Manager = {
  acts: {
    install: 'install,i,in,ins,inst,insta,instal,isnt,isnta,isntal,isntall,add,install-test,it',
    restore: 'ci,clean-install,ic,update,up,upgrade,rebuild,dedupe,fetch',
    run: 'exec,x,dlx,create,init,innit',
    publish: 'publish',
    unpublish: 'unpublish,deprecate,owner,dist-tag,access',
    configure: 'config set,c set,set,config edit',
  },
  valued: node,
  everywhere: 'g global',
}

/** The verbs and options of each manager. */
const managers: Readonly<Record<string, Manager>> = {
  npm: npmLike,
  cnpm: npmLike,
  pnpm: npmLike,
  yarn: {
    ...npmLike,
    acts: {
      ...npmLike.acts,
      install: 'add,global add,import',
      restore: 'install,up,upgrade',
      run: 'dlx,create',
      publish: 'publish,npm publish',
    },
  },
  bun: { ...npmLike, acts: { install: 'add,a,install,i', run: 'x,create', publish: 'publish' } },
  npx: { acts: { run: '' }, valued: node },
  pnpx: { acts: { run: '' }, valued: node },
  bunx: { acts: { run: '' }, valued: node },
  pip: {
    acts: { install: 'install,download,wheel', configure: 'config set,config edit' },
    valued: pip,
    everywhere: 'break-system-packages',
  },
  pipx: { acts: { install: 'install,inject', run: 'run' }, valued: `${pip} spec suffix pip-args` },
  uv: {
    acts: {
      install: 'add,tool install,pip install',
      restore: 'sync,lock,pip sync',
      run: 'tool run',
      publish: 'publish',
    },
    valued: uv,
    everywhere: 'system break-system-packages',
  },
  uvx: { acts: { run: '' }, valued: uv },
  poetry: {
    acts: {
      install: 'add,self add',
      restore: 'install,update,lock',
      publish: 'publish',
      configure: 'config',
      'add-source': 'source add',
    },
    valued: 'G group E extras python platform source C directory P project p r repository u username',
  },
  pdm: {
    acts: { install: 'add,self add', publish: 'publish', configure: 'config' },
    valued: 'G group p project e editable r repository',
  },
  pipenv: { acts: { install: 'install' }, valued: 'i index pypi-mirror python r requirements e editable categories' },
  rye: { acts: { install: 'add,tools install,install', publish: 'publish' }, valued: 'git url path' },
  hatch: { acts: { publish: 'publish' } },
  flit: { acts: { publish: 'publish' } },
  twine: { acts: { publish: 'upload' }, valued: 'r repository u username p password repository-url' },
  conda: {
    acts: {
      install: 'install,create',
      'add-source': 'config --add,config --append,config --prepend',
      configure: 'config --set',
    },
    valued: 'c channel n name p prefix f file add append prepend set',
  },
  mamba: { acts: { install: 'install,create' }, valued: 'c channel n name p prefix f file' },
  easy_install: { acts: { install: '' }, valued: 'i index-url f find-links' },
  gem: {
    acts: {
      install: 'install,i',
      publish: 'push',
      unpublish: 'yank,owner',
      'add-source': 'sources -a,sources --add',
      run: 'exec',
    },
    valued: 'v version s source i install-dir P trust-policy p platform k key host a add r remove',
  },
  bundle: {
    acts: { install: 'add,plugin install', restore: 'install,update', configure: 'config set,config' },
    valued: 'v version g group s source git github branch path',
  },
  cargo: {
    acts: {
      install: 'add,install',
      restore: 'fetch,update',
      publish: 'publish',
      unpublish: 'yank,owner',
      run: 'binstall',
    },
    valued:
      'git branch tag rev path registry index features F target p package version vers root manifest-path profile config Z j jobs rename',
  },
  go: {
    acts: { install: 'get,install', run: 'run', configure: 'env' },
    valued: 'C mod modfile ldflags gcflags tags o p exec',
  },
  composer: {
    acts: {
      install: 'require,global require',
      restore: 'install,update',
      configure: 'config',
      run: 'create-project',
      'add-source': 'config repositories',
    },
    valued: 'd working-dir',
    everywhere: 'global',
  },
  dotnet: {
    acts: {
      install: 'add package,tool install,package add,new install',
      publish: 'nuget push',
      unpublish: 'nuget delete',
      'add-source': 'nuget add source',
    },
    valued: 'v version s source f framework add-source configfile k api-key n name',
    everywhere: 'g global',
  },
  nuget: {
    acts: { install: 'install', publish: 'push', unpublish: 'delete', 'add-source': 'sources add' },
    valued: 'source Source version',
  },
  mvn: { acts: { publish: 'deploy,deploy:deploy-file,release:perform' } },
  gradle: { acts: { publish: 'publish,uploadArchives,publishPlugins,publishToMavenCentral' } },
  sbt: { acts: { publish: 'publish,publishSigned' } },
  deno: {
    acts: { install: 'add,install', run: 'run', publish: 'publish' },
    valued: 'n name c config root',
    everywhere: 'g global',
  },
  jsr: { acts: { install: 'add,install,i', publish: 'publish' } },
  vsce: { acts: { publish: 'publish', unpublish: 'unpublish' } },
  ovsx: { acts: { publish: 'publish' } },
  lerna: { acts: { publish: 'publish', install: 'add' } },
  mix: { acts: { install: 'archive.install,escript.install', publish: 'hex.publish', unpublish: 'hex.retire' } },
  cabal: { acts: { install: 'install', publish: 'upload' } },
  opam: { acts: { install: 'install', publish: 'publish', 'add-source': 'repository add,repo add' } },
  luarocks: { acts: { install: 'install', publish: 'upload' }, valued: 'server tree' },
  cpan: { acts: { install: '' } },
  cpanm: { acts: { install: '' }, valued: 'mirror l' },
  pod: { acts: { publish: 'trunk push', 'add-source': 'repo add' } },
  dart: { acts: { install: 'pub add,pub global activate', publish: 'pub publish' } },
  flutter: { acts: { install: 'pub add', publish: 'pub publish' } },
  helm: { acts: { 'add-source': 'repo add,plugin install', publish: 'push,cm-push' } },
  docker: { acts: { publish: 'push' } },
  'ansible-galaxy': {
    acts: { install: 'install,collection install,role install', publish: 'collection publish,role import' },
    valued: 'r p s server',
  },
  kubectl: {
    acts: { install: 'krew install', 'add-source': 'krew index add' },
    valued: 'n namespace context kubeconfig',
  },
  krew: { acts: { install: 'install' } },
  // What the system's managers and templates are given by an address is run: see `packagesOf`. Their own packages are not.
  brew: { acts: { run: 'install,reinstall' } },
  rpm: { acts: { run: '-i,-U,-F,-ivh,-Uvh,--install,--upgrade' } },
  dnf: { acts: { run: 'install,localinstall,reinstall' } },
  zypper: { acts: { run: 'install,in' } },
  cookiecutter: { acts: { run: '' }, valued: 'o output-dir c checkout directory config-file replay-file' },
  copier: { acts: { run: 'copy' }, valued: 'd data r vcs-ref a answers-file data-file x exclude' },
  'pre-commit': { acts: { run: 'try-repo' }, valued: 'ref rev c config files' },
  'setup.py': { acts: { publish: 'upload' } },
  gh: { acts: { install: 'extension install,extensions install,ext install' }, valued: 'pin' },
  nix: { acts: { run: 'run,shell', install: 'profile install,profile add' }, valued: 'c command' },
  code: { acts: { install: '--install-extension' } },
}

/** Managers with the verbs of another. */
const names: Readonly<Record<string, string>> = {
  yum: 'dnf',
  microdnf: 'dnf',
  pip2: 'pip',
  pip3: 'pip',
  yarnpkg: 'yarn',
  bundler: 'bundle',
  dnx: 'npx',
  micromamba: 'mamba',
  gradlew: 'gradle',
  mvnw: 'mvn',
  rubygems: 'gem',
  cargo: 'cargo',
}

/** Programs by which package managers are started. */
export const packagePrograms: readonly string[] = [
  ...Object.keys(managers),
  ...Object.keys(names),
  'python pypy py corepack winpty',
]

/** Returns the interest of a policy about some of the acts: the programs, together with a verb for one of them. */
export const interestIn = (...acts: readonly PackageAct[]) => ({ words: packagePrograms, with: verbsFor(...acts) })

/** Returns the first words of the verbs for some acts. A program that needs no verb is its own. */
export const verbsFor = (...acts: readonly PackageAct[]): readonly string[] => [
  ...Object.entries(managers).flatMap(([name, manager]) => {
    const verbs = acts.flatMap((act) => manager.acts[act]?.split(',') ?? [])
    return verbs.map((verb) => (verb === '' ? name : (verb.split(' ')[0] ?? '')))
  }),
  ...Object.keys(names).filter((name) => managers[names[name] ?? '']?.acts.run === ''),
]

/** Returns what a command tells a package manager to do. */
export function packageCallOf(command: ShellCommand): PackageCall | undefined {
  if (command.elsewhere === true) return undefined
  const { manager: name, args } = managerOf(command)
  const manager = Object.hasOwn(managers, name) ? managers[name] : undefined
  if (manager === undefined) return undefined
  const options = readOptions(args, {
    valued: manager.valued?.split(' ') ?? [],
    flags: ['dry-run', 'help', 'global', 'ignore-scripts', 'force'],
    abbreviations: true,
    operandsLast: /^(?:npx|pnpx|bunx|uvx)$/.test(name),
  })
  const operands = options.operands.filter(({ value }) => !value.startsWith('+'))
  const end = args.findIndex(({ value }) => value === '--')
  const isTrial =
    options.surely('help', 'dry-run') || onlyTries(args.slice(0, end === -1 ? undefined : end), 'help', 'dry-run')
  const found = isTrial ? undefined : actOf(manager, operands, args)
  if (found === undefined) return undefined
  const { act, verb, taken } = found
  const start = verb === '' ? 0 : args.findIndex(({ value }) => value === verb.split(' ')[0])
  const everywhere = (manager.everywhere ?? '').split(' ')
  return {
    manager: name,
    act,
    verb,
    everywhere:
      everywhere.some((one) => one !== '' && (options.has(one) || verb.split(' ').includes(one))) ||
      options.value('location')?.value === 'global',
    asRoot: command.user === 'root',
    options,
    names: operands.slice(taken),
    words: args.slice(Math.max(0, start)).map(({ value }) => value),
    command,
  }
}

function managerOf({ program, args: written, line }: ShellCommand): {
  readonly manager: string
  readonly args: readonly ShellWord[]
} {
  const args = line?.words ?? written
  const called = program.replace(/[\d.]+$/, '')
  if (/^(?:python|pypy|py)$/.test(called)) {
    const at = args.findIndex(({ value }) => value === '-m')
    const module = args[at + 1]?.value ?? ''
    // Setuptools does one of its commands after the other.
    const uploads = /(?:^|\/)setup\.py$/.test(args[0]?.value ?? '')
      ? args.findIndex(({ value }) => value === 'upload')
      : -1
    if (uploads !== -1) return { manager: 'setup.py', args: args.slice(uploads) }
    if (at !== -1 && Object.hasOwn(managers, module)) return { manager: module, args: args.slice(at + 2) }
    return { manager: '', args }
  }
  if (program === 'corepack' || program === 'winpty') return { manager: args[0]?.value ?? '', args: args.slice(1) }
  const short = Object.hasOwn(names, program) ? names[program] : called
  return { manager: short ?? called, args }
}

/** The longest verb that stands in front. */
function actOf({ acts }: Manager, operands: readonly ShellWord[], args: readonly ShellWord[]) {
  const front = operands.slice(0, 2).map(({ value }) => value)
  const [first = ''] = front
  let best: { readonly act: PackageAct; readonly verb: string; readonly taken: number } | undefined
  for (const [act, verbs] of Object.entries(acts)) {
    for (const verb of verbs.split(',')) {
      // Most are other verbs: taking them apart as well took as long as the rest of the policy.
      if (verb !== '' && !verb.startsWith('-') && !verb.startsWith(first)) continue
      const words = verb.split(' ').filter((word) => word !== '')
      const taken = words.filter((word) => !word.startsWith('-')).length
      if (best !== undefined && best.verb.length >= verb.length) continue
      const matches = words.every((word) =>
        word.startsWith('-') ? args.some(({ value }) => value === word) : front.includes(word),
      )
      const ordered = words.filter((word) => !word.startsWith('-')).every((word, at) => front[at] === word)
      if (matches && ordered && isAct(act)) best = { act, verb, taken }
    }
  }
  return best
}

const isAct = (text: string): text is PackageAct =>
  text === 'install' ||
  text === 'restore' ||
  text === 'run' ||
  text === 'publish' ||
  text === 'unpublish' ||
  text === 'configure' ||
  text === 'add-source'
