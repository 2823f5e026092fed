import type { Family } from '../program.ts'
import type { Deed, Deeds } from '../deeds/deeds.ts'
import type { Pattern } from '../deeds/pattern.ts'

/** The commands of a package manager, by their effect. */
interface Manager {
  /** Commands that bring packages into the project, or onto the machine. */
  readonly installs?: readonly Pattern[]
  /** Commands that install again what the project declares. */
  readonly restores?: readonly Pattern[]
  /** Commands that fetch a package and run it. */
  readonly runs?: readonly Pattern[]
  readonly publishes?: readonly Pattern[]
  /** Commands after which others may publish a package, or get another version of it. */
  readonly grants?: readonly Pattern[]
  readonly configures?: readonly Pattern[]
  /** Commands that add a source of packages. */
  readonly sources?: readonly Pattern[]
}

/** Makes the deeds of a package manager. `withPackages` reads which packages a call names. */
function manager(verbs: Manager, more: Partial<Deeds> = {}): Deeds {
  const { installs = [], restores = [], runs = [], publishes = [], grants = [] } = verbs
  const deeds: readonly Deed[] = [
    { kind: 'install', work: installs },
    { kind: 'install', object: 'what the project declares', names: 'none', work: restores },
    { kind: 'run', work: runs },
    { kind: 'publish', names: 'none', never: publishes },
    { kind: 'grant', names: 'last', never: grants },
    { kind: 'change', object: 'setting', names: 'none', work: verbs.configures ?? [] },
    { kind: 'create', object: 'source of packages', names: 'first', work: verbs.sources ?? [] },
  ]
  return { runsAnything: true, namesAreIds: true, ownBehindDashes: true, also: deeds, ...more }
}

/** Makes the deeds of a program without subcommands, all of whose words name what it installs or runs. */
const plainManager = (verbs: Manager) => manager(verbs, { noSubcommands: true })

const npmLike: Manager = {
  installs: ['install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add|install-test|it'],
  restores: ['ci|clean-install|ic|update|up|upgrade|rebuild|dedupe|fetch'],
  runs: ['exec|x|dlx|create|init|innit'],
  publishes: ['publish'],
  grants: ['owner add', 'dist-tag|dist-tags add', 'access grant|set|public|restricted|2fa-required|2fa-not-required'],
  configures: ['config|c set|edit', 'set'],
}
const programs: Family['programs'] = {
  'npm cnpm': { does: manager(npmLike) },
  // Its `exec` fetches nothing.
  pnpm: { does: manager({ ...npmLike, runs: ['dlx|create'] }) },
  'yarn yarnpkg': {
    does: manager({
      ...npmLike,
      installs: ['add', 'global add', 'import'],
      restores: ['install|up|upgrade'],
      runs: ['dlx|create'],
      publishes: ['publish', 'npm publish'],
    }),
  },
  bun: {
    does: manager({
      installs: ['add|a|install|i'],
      runs: ['x|create'],
      publishes: ['publish'],
    }),
  },
  npx: { does: plainManager({ runs: ['* !--no-install|--no', '-p|--package|--from !--no-install|--no'] }) },
  'pnpx bunx dnx uvx': { does: plainManager({ runs: ['*', '-p|--package|--from'] }) },
  'pip pip2 pip3': {
    does: manager({
      installs: ['install|download|wheel'],
      configures: ['config set|edit'],
    }),
  },
  easy_install: { does: plainManager({ installs: ['*'] }) },
  pipx: { does: manager({ installs: ['install|inject'], runs: ['run'] }) },
  uv: {
    does: manager({
      installs: ['add', 'tool|pip install'],
      restores: ['sync|lock', 'pip sync'],
      runs: ['tool run'],
      publishes: ['publish'],
    }),
  },
  poetry: {
    does: manager({
      installs: ['add', 'self add'],
      restores: ['install|update|lock'],
      publishes: ['publish'],
      configures: ['config * *'],
      sources: ['source add'],
    }),
  },
  pdm: { does: manager({ installs: ['add', 'self add'], publishes: ['publish'], configures: ['config * *'] }) },
  pipenv: { does: manager({ installs: ['install'] }) },
  rye: { does: manager({ installs: ['add|install', 'tools install'], publishes: ['publish'] }) },
  'hatch flit': { does: manager({ publishes: ['publish'] }) },
  twine: { does: manager({ publishes: ['upload'] }, { valued: 'r repository-url p c i' }) },
  // Setuptools carries out several commands of one line.
  'python pypy py': {
    does: manager(
      { publishes: ['setup.py|./setup.py upload', 'setup.py|./setup.py * upload', 'setup.py|./setup.py * * upload'] },
      { noSubcommands: true },
    ),
  },
  conda: {
    does: manager({
      installs: ['install|create'],
      configures: ['config --set'],
      sources: ['config --add|--append|--prepend'],
    }),
  },
  'mamba micromamba': { does: manager({ installs: ['install|create'] }) },
  'gem rubygems': {
    does: manager({
      installs: ['install|i'],
      runs: ['exec'],
      publishes: ['push'],
      grants: ['owner --add|-a'],
      sources: ['sources --add|-a'],
    }),
  },
  'bundle bundler': {
    does: manager({
      installs: ['add', 'plugin install'],
      restores: ['install|update'],
      configures: ['config !--list'],
    }),
  },
  cargo: {
    does: manager(
      {
        installs: ['add|install'],
        restores: ['fetch|update'],
        runs: ['binstall'],
        publishes: ['publish'],
        grants: ['owner --add|-a'],
      },
      { trials: 'n' },
    ),
  },
  go: { does: manager({ installs: ['get|install'], runs: ['run'], configures: ['env -w'] }) },
  composer: {
    does: manager({
      installs: ['require', 'global require'],
      restores: ['install|update'],
      runs: ['create-project'],
      configures: ['config * *'],
      sources: ['config repositories'],
    }),
  },
  dotnet: {
    does: manager({
      installs: ['add|package package|add', 'tool|new install'],
      publishes: ['nuget push'],
      sources: ['nuget add source'],
    }),
  },
  nuget: { does: manager({ installs: ['install'], publishes: ['push'], sources: ['sources add'] }, { oneDash: true }) },
  'mvn mvnw': { does: manager({ publishes: ['deploy|deploy:deploy-file|release:perform'] }) },
  'gradle gradlew': { does: manager({ publishes: ['publish|uploadarchives|publishplugins|publishtomavencentral'] }) },
  sbt: { does: manager({ publishes: ['publish|publishsigned'] }) },
  deno: {
    does: manager({
      installs: ['add|install'],
      runs: ['run'],
      publishes: ['publish'],
    }),
  },
  jsr: { does: manager({ installs: ['add|install|i'], publishes: ['publish'] }) },
  'vsce ovsx': { does: manager({ publishes: ['publish'] }) },
  lerna: { does: manager({ installs: ['add'], publishes: ['publish'] }) },
  mix: { does: manager({ installs: ['archive.install|escript.install'], publishes: ['hex.publish !--revert'] }) },
  cabal: { does: manager({ installs: ['install'], publishes: ['upload'] }) },
  opam: { does: manager({ installs: ['install'], publishes: ['publish'], sources: ['repository|repo add'] }) },
  luarocks: { does: manager({ installs: ['install'], publishes: ['upload'] }, { valued: 'server tree' }) },
  cpan: { does: plainManager({ installs: ['*'] }) },
  cpanm: { does: manager({ installs: ['*'] }, { valued: 'mirror l' }) },
  pod: { does: manager({ publishes: ['trunk push'], sources: ['repo add'] }) },
  dart: { does: manager({ installs: ['pub add', 'pub global activate'], publishes: ['pub publish'] }) },
  flutter: { does: manager({ installs: ['pub add'], publishes: ['pub publish'] }) },
  helm: { does: manager({ sources: ['repo add', 'plugin install'], publishes: ['push|cm-push'] }) },
  docker: { does: manager({ publishes: ['push'] }) },
  'ansible-galaxy': {
    does: manager(
      {
        installs: ['install', 'collection|role install'],
        publishes: ['collection publish', 'role import'],
      },
      { valued: 'r p s' },
    ),
  },
  kubectl: { does: manager({ installs: ['krew install'], sources: ['krew index add'] }) },
  krew: { does: manager({ installs: ['install'] }) },
  // With these programs, only packages from an address count: see `withPackages`.
  brew: { does: manager({ runs: ['install|reinstall'], sources: ['tap *'] }) },
  rpm: {
    does: manager({ runs: ['-i|-U|-F|--install|--upgrade|--freshen !-q'] }, { noSubcommands: true, hIsNoHelp: true }),
  },
  'dnf yum microdnf': { does: manager({ runs: ['install|localinstall|reinstall'] }) },
  zypper: { does: manager({ runs: ['install|in'] }) },
  cookiecutter: {
    does: manager({ runs: ['*'] }, { valued: 'o output-dir c checkout directory config-file replay-file' }),
  },
  copier: { does: manager({ runs: ['copy'] }, { valued: 'd data r vcs-ref a answers-file data-file x exclude' }) },
  'pre-commit': { does: manager({ runs: ['try-repo'] }, { valued: 'ref rev c config files' }) },
  gh: { does: manager({ installs: ['extension|extensions|ext install'] }, { valued: 'pin' }) },
  nix: { does: manager({ installs: ['profile install|add'], runs: ['run|shell'] }) },
  'code codium cursor windsurf': { does: manager({ installs: ['--install-extension'] }, { noSubcommands: true }) },
}

/** Commands by which packages come into a project or onto a machine, run, or go to others. */
export const packages: Family = {
  area: 'packages',

  programs,

  examples: {
    'npm install left-pad': 'installs package `left-pad`',
    'npm ci': 'installs what the project declares',
    'npm install --save-dev a @b/c@1.2.3': 'installs packages `a` and `@b/c@1.2.3`',
    'npm run build': '',
    'npx -p cowsay tsc': 'runs package `cowsay`',
    'npx --no-install cowsay': '',
    'pnpm exec tsc --noEmit': '',
    'pnpm dlx cowsay': 'runs package `cowsay`',
    'npm create vite': 'runs package `create-vite`',
    'python3 -m pip install requests==2.31.0 -r r.txt': 'installs package `requests==2.31.0`',
    'pip install --dry-run requests': '',
    'uvx --from a b': 'runs package `a`',
    'go run ./cmd/server --to a@b.example': '',
    'yarn npm publish': 'publishes a package',
    'npm config set registry https://a.example': 'changes setting `registry`',
    'go env GOPATH': '',
    'poetry config --list': '',
    'helm repo add a https://a.example': 'adds source of packages `a`',
    'brew install jq': 'installs system program `jq`',
    'docker exec web npm install a': '',
  },
}
