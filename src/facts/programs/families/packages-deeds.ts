import { dnf } from './system-packages.ts'
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
export function manager(verbs: Manager, more: Partial<Deeds> = {}): Deeds {
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
export const plainManager = (verbs: Manager) => manager(verbs, { noSubcommands: true })

export const npmLike: Manager = {
  installs: ['install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add|install-test|it'],
  restores: ['ci|clean-install|ic|update|up|upgrade|rebuild|dedupe|fetch'],
  runs: ['exec|x|dlx|create|init|innit'],
  publishes: ['publish'],
  grants: ['owner add', 'dist-tag|dist-tags add', 'access grant|set|public|restricted|2fa-required|2fa-not-required'],
  configures: ['config|c set|edit', 'set'],
}
const programs: Family['programs'] = {
  yarnpkg: {
    does: manager({
      ...npmLike,
      installs: ['add', 'global add', 'import'],
      restores: ['install|up|upgrade'],
      runs: ['dlx|create'],
      publishes: ['publish', 'npm publish'],
    }),
  },

  dnx: { does: plainManager({ runs: ['*', '-p|--package|--from'] }) },

  pip2: {
    does: manager({
      installs: ['install|download|wheel'],
      configures: ['config set|edit'],
    }),
  },

  flit: { does: manager({ publishes: ['publish'] }) },
  twine: { does: manager({ publishes: ['upload'] }, { valued: 'r repository-url p c i' }) },

  rubygems: {
    does: manager({
      installs: ['install|i'],
      runs: ['exec'],
      publishes: ['push'],
      grants: ['owner --add|-a'],
      sources: ['sources --add|-a'],
    }),
  },

  jsr: { does: manager({ installs: ['add|install|i'], publishes: ['publish'] }) },

  cpan: { does: plainManager({ installs: ['*'] }) },
  cpanm: { does: manager({ installs: ['*'] }, { valued: 'mirror l' }) },
  pod: { does: manager({ publishes: ['trunk push'], sources: ['repo add'] }), looks: 'list|search|outdated; env' },

  flutter: {
    does: manager({ installs: ['pub add'], publishes: ['pub publish'] }),
    looks: `
    doctor|devices|emulators !--launch|--create|--android-licenses
    pub deps|outdated
    --version [] ..0`,
  },

  krew: { does: manager({ installs: ['install'] }) },

  microdnf: { does: [manager({ runs: ['install|localinstall|reinstall'] }), { area: 'system-packages', ...dnf }] },

  cookiecutter: {
    does: manager({ runs: ['*'] }, { valued: 'o output-dir c checkout directory config-file replay-file' }),
  },
  copier: { does: manager({ runs: ['copy'] }, { valued: 'd data r vcs-ref a answers-file data-file x exclude' }) },
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
