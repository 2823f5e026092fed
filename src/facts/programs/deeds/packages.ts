import type { Impact } from '../../../model/impact.ts'
import type { LooseLine } from '../../../words/loose-line.ts'
import { onlyTries } from '../../../words/options.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { Pattern } from './pattern.ts'
import type { Deeds, Deed } from './deeds.ts'

/** How a program's options and words name packages. */
interface Naming {
  /** Options whose values are the packages, in place of the words; separated by blanks. */
  readonly instead?: string
  /** Options whose values are further packages. */
  readonly also?: string
  /** Options whose value is a repository, in place of the words. */
  readonly repository?: string
  /** Words that a program fetches if it runs them. Absent if it fetches any. */
  readonly fetched?: RegExp
  /** Options that install a package for every project of the machine. */
  readonly everywhere?: string
  /** Short options that name a registry, blanks between. */
  readonly index?: string
}

const address = /^(?:\w+\+)?\w+:\/\/|^git@/
const nodeRunner: Naming = { instead: 'package p', everywhere: 'g global' }
const repositories: Naming = { repository: 'git url github' }
const pip: Naming = { also: 'e editable', index: 'i f', everywhere: 'break-system-packages' }
const byAddress: Naming = { fetched: address }

const naming: Readonly<Record<string, Naming>> = {
  npx: nodeRunner,
  pnpx: nodeRunner,
  bunx: nodeRunner,
  npm: nodeRunner,
  pnpm: nodeRunner,
  yarn: nodeRunner,
  bun: nodeRunner,
  uvx: { instead: 'from', also: 'with git with-editable', index: 'i f' },
  uv: { instead: 'from', also: 'with git with-editable', index: 'i f', everywhere: 'system break-system-packages' },
  pip,
  pip2: pip,
  pip3: pip,
  pdm: pip,
  easy_install: { index: 'i f' },
  pipenv: { also: 'e editable', index: 'i' },
  pipx: { instead: 'spec', index: 'i f' },
  cargo: repositories,
  bundle: repositories,
  rye: repositories,
  gem: { index: 's' },
  dotnet: { index: 's', everywhere: 'g global' },
  nuget: { index: 's' },
  'ansible-galaxy': { index: 's' },
  // A word without version and scheme is a file, or a package of the project.
  go: { fetched: /@/ },
  deno: { fetched: /^(?:npm|jsr):/, everywhere: 'g global' },
  nix: { fetched: /^(?!nixpkgs(?:#|\/)|#)/ },
  brew: byAddress,
  rpm: byAddress,
  dnf: byAddress,
  yum: byAddress,
  microdnf: byAddress,
  zypper: byAddress,
  cookiecutter: byAddress,
  copier: byAddress,
  'pre-commit': byAddress,
}

const wordsOf = (texts: readonly string[]): readonly ShellWord[] => texts.map((value) => ({ value }))

const valuesOf = ({ options }: LooseLine, names: string | undefined): readonly string[] =>
  (names ?? '').split(' ').flatMap((name) => options.get(name) ?? [])

/** Long options that name a registry, in all managers. */
const indexes =
  'index-url extra-index-url find-links default-index index pypi-mirror registry source server mirror channel repository-url'

/** Matches options with which a manager checks neither the registry nor the packages. */
export const uncheckedOption =
  /^--(?:trusted-host|no-verify-ssl|no-check-certificate|allow-insecure-host|no-strict-ssl|strict-ssl=false|allow-unauthenticated|allow-insecure-repositories|allow-downgrade-to-insecure-repositories|no-gpg-checks?|nogpgcheck|no-?gpg-?check|allow-untrusted|force-yes|insecure|skip-integrity-check|disable-integrity-check|no-verify-checksums|dangerously-allow-all-builds|no-secure-http|disable-tls|trust-policy=nosecurity|ignore-existing-gpg)(?:=|$)/i

const uncheckedIn = (program: string, { options }: LooseLine): readonly string[] =>
  [...options]
    .flatMap(([name, values]) => values.map((value) => `--${name}${value === '' ? '' : `=${value}`}`))
    .map((text) => (program === 'gem' ? text.replace(/^--P=/, '--trust-policy=') : text))
    .filter((text) => uncheckedOption.test(text))

/** Packages that every environment of Python has from the start. Upgrading these is no new package. */
const pythonsOwn = /^(?:pip|setuptools|wheel)$/
const npmLike = /^c?npm$|^p(?:npm|npx)$|^yarn|^bunx?$|^npx$/

/**
 * Completes an impact of a package manager with the packages. `names` are the known packages. `targets` has:
 *
 * - `address`, `repository`, `archive`, `folder`, `alias`: packages that come from no registry, by their source
 * - `module`: modules of Go, whose names begin with a host
 * - `unknown`: packages that are known only at run time
 * - `list`: files with lists of packages
 * - `index`: registries that the line names
 * - `setting`: settings that are changed
 * - `unchecked`: options that turn checks off
 *
 * @param count number of words of the subcommand
 */
export function withPackages(impact: Impact, line: LooseLine, count: number): Impact | undefined {
  const [program = ''] = impact.words.split(' ', 1)
  const words = line.words.slice(count).map(({ text }) => text)
  const way = naming[program] ?? {}
  // `helm push a.tgz oci://HOST/charts`
  const host = impact.kind === 'publish' ? words.filter((text) => address.test(text)) : []
  const index = [...valuesOf(line, indexes), ...valuesOf(line, way.index)].filter((value) => value !== '')
  const unchecked = uncheckedIn(program, line)
  const common = {
    ...(host.length > 0 && { host }),
    ...(index.length > 0 && { index }),
    ...(unchecked.length > 0 && { unchecked }),
  }
  if (impact.thing === 'setting') {
    const names = words.slice(0, 1).map((word) => word.replace(/^-+|=[^]*$/g, ''))
    return { ...impact, names, targets: { setting: settingsIn(line, words) } }
  }
  const isNaming = impact.kind === 'run' || (impact.kind === 'install' && impact.undo !== 'easily')
  if (!isNaming) return { ...impact, targets: common }
  const all = packagesIn(program, impact, line, words).filter((text) => text !== '')
  // A package that is run only for its help or a trial counts as harmless, as an installed program does.
  if (impact.kind === 'run' && (all.length === 0 || onlyTries(wordsOf(words), 'help', 'dry-run'))) return undefined
  const isRepository = program === 'gh' || valuesOf(line, way.repository).length > 0
  const targets: Record<string, readonly string[]> = { ...common }
  const put = (name: string, text: string) => {
    targets[name] = (targets[name] ?? []).concat(text)
  }
  for (const list of valuesOf(line, 'r requirement requirements file')) put('list', list)
  for (const text of all) {
    const from = isRepository
      ? 'repository'
      : (sourceOf(text) ?? (isShorthand(program, text) ? 'repository' : undefined))
    if (from !== undefined) put(from, text)
    if (program === 'go' && text.includes('@')) put('module', text)
    if (text.includes(unknownPart)) put('unknown', text)
  }
  const isEverywhere =
    line.has(...(way.everywhere ?? '').split(' ')) ||
    line.options.get('location')?.includes('global') === true ||
    /^\S+ global\b/.test(impact.words)
  return {
    ...impact,
    ...(isEverywhere && impact.kind === 'install' && { thing: 'machine' as const }),
    names: all.filter((text) => !text.includes(unknownPart)),
    targets,
  }
}

function packagesIn(program: string, impact: Impact, line: LooseLine, words: readonly string[]): readonly string[] {
  // An editor names its extensions so.
  const { instead = 'install-extension', also, repository, fetched } = naming[program] ?? {}
  const isRun = impact.kind === 'run'
  // `npm create x` runs the package `create-x`.
  if (npmLike.test(program) && /^\S+ (?:create|init|innit)\b/.test(impact.words))
    return words.slice(0, 1).map(creatorOf)
  const places = valuesOf(line, repository)
  if (places.length > 0) return places
  if (repository !== undefined && line.has('path')) return []
  const replacing = instead === 'package p' && !isRun ? [] : valuesOf(line, instead)
  const named = replacing.length > 0 ? replacing : isRun ? words.slice(0, 1) : words
  const fetches = isRun && fetched !== undefined ? named.filter((text) => fetched.test(text)) : named
  // A list of packages at an address may name any package.
  const lists = valuesOf(line, 'r requirement').filter((text) => address.test(text))
  return [...fetches, ...valuesOf(line, also), ...lists]
    .map((text) => (program === 'deno' ? text.replace(/^(?:npm|jsr):\/?/, '') : text))
    .filter((text) => !(/^(?:pip[23]?|uv)$/.test(program) && pythonsOwn.test(text)))
}

const creatorOf = (name: string): string =>
  /^(?:@[^/]*\/|[a-z]+:|\.)/.test(name) ? name.replace(/^(@[^/]*\/)(?!create)/, '$1create-') : `create-${name}`

/** True for `user/project`, which npm takes for a repository of GitHub. With an `@` it is a package of a scope. */
const isShorthand = (program: string, text: string): boolean =>
  npmLike.test(program) && /^[\w.-]+\/[\w.-]+(?:#.*)?$/.test(text)

/** Returns the kind of source of a package; `undefined` if it comes from a registry. */
function sourceOf(text: string): string | undefined {
  // `name @ https://…` of Python, `name@https://…` of npm.
  const behind = /^@?[^@:/]+(?:\/[^@:/]+)?@\s*([^]*)$/.exec(text)?.[1]
  const from = (behind === undefined ? undefined : placeOf(behind)) ?? placeOf(text)
  return from ?? (behind?.startsWith('npm:') === true ? 'alias' : undefined)
}

function placeOf(text: string): string | undefined {
  if (/^(?:git|hg|svn|bzr)\+|^git(?:@|:\/\/)|^ssh:\/\/|\.git(?:#|$)/i.test(text)) return 'repository'
  if (/^(?:github|gitlab|bitbucket|gist):/i.test(text)) return 'repository'
  if (/^https?:\/\/|^ftp:/i.test(text)) return 'address'
  if (/\.(?:tgz|tar\.(?:gz|bz2|xz)|whl|zip|gem|crate|nupkg|egg)$/i.test(text)) return 'archive'
  if (/^(?:file|link|portal|workspace|patch):|^\.{0,2}(?:\/|\[|$)|^~\/|^[a-z]:\\/i.test(text)) return 'folder'
  return undefined
}

/** Returns settings as `name=value`. Any word may be a name, so each is taken for one, with the next word as its value. */
function settingsIn({ options }: LooseLine, words: readonly string[]): readonly string[] {
  const given = [...options].flatMap(([name, values]) => values.map((value) => `${name}=${value}`))
  const named = words.map((word, at) => {
    const plain = word.replace(/^-+/, '')
    return plain.includes('=') ? plain : `${plain}=${words[at + 1] ?? ''}`
  })
  return [...named, ...given]
}

/** The commands of a package manager, by their effect. */
export interface Manager {
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
    { kind: 'install', object: 'what the project declares', names: 'none', easily: restores },
    { kind: 'run', work: runs },
    { kind: 'publish', names: 'none', never: publishes },
    { kind: 'grant', names: 'last', never: grants },
    { kind: 'change', thing: 'setting', object: 'setting', names: 'none', work: verbs.configures ?? [] },
    { kind: 'create', object: 'source of packages', names: 'first', work: verbs.sources ?? [] },
  ]
  return { runsAnything: true, namesAreIds: true, ownBehindDashes: true, also: deeds, ...more }
}

/** Makes the deeds of a program without subcommands, all of whose words name what it installs or runs. */
export const plainManager = (verbs: Manager) => manager(verbs, { noSubcommands: true })

export const removal: Deeds = {
  kind: 'delete',
  object: 'package',
  flags: 'g global D S P save-dev purge zap',
  work: ['uninstall|un|remove|rm|r|unlink', 'global|tool|pip|self|plugins|plugin uninstall|remove|rm|unlink'],
}
