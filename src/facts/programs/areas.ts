import type { Impact, ImpactArea } from '../../model/impact.ts'
import type { LooseLine } from '../../words/loose-line.ts'
import { isNearby } from '../../words/request.ts'
import type { Call } from '../../words/calls.ts'
import type { Area, DeedCondition } from './deeds/deeds.ts'
import { withPackages } from './deeds/packages.ts'

/** Frameworks read of these which of their databases is meant; an address goes before them. */
const environments = /^(?:RAILS|RACK|MIX|HANAMI|APP|NODE)_ENV$/

/** True if a command names the test database, which is rebuilt for each run of the tests. */
function isForTests({ program, args, environment }: Call): boolean {
  // Rake takes variables behind its tasks as well, and these win.
  const behind = /^(?:rails|rake)$/.test(program)
    ? args.flatMap((value) => {
        const [, name] = /^([A-Z]\w*)=/.exec(value.value) ?? []
        return name === undefined ? [] : [{ name, value: { ...value, value: value.value.slice(name.length + 1) } }]
      })
    : []
  const all = [...environment, ...behind]
  const says = all.filter(({ name }) => environments.test(name))
  return (
    /^(?:rails|rake|hanami|mix|php|artisan|sequelize|sequelize-cli|knex|npm|pnpm|yarn)$/.test(program) &&
    says.length > 0 &&
    says.every(({ value }) => /^test(?:ing)?$/.test(value.value)) &&
    !all.some(({ name }) => /DATABASE|DB_|_URL$|_HOST$/.test(name))
  )
}

/** Packages whose removal removes much else, or keeps the machine from starting. */
const vital =
  /^(?:(?:lib)?systemd\w*|udev|sudo|bash|dash|coreutils|util-linux|login|passwd|base-files|glibc|musl|libc6?\w*|(?:lib)?ssl\w*|openssl\w*|ca-certificates|linux-(?:image|generic|headers|firmware)[\w.-]*|kernel[\w.-]*|grub[\w.-]*|python3?|perl(?:-base)?|openssh-server|network-?manager|netplan\.io|busybox|dpkg|apt|rpm|dnf|pacman|init|filesystem)$/i

/** True if a command names a vital package, or packages by a pattern. */
export const namesVital: DeedCondition = (_, { words, options }) =>
  [...words.map(({ text }) => text), ...[...options.values()].flat()].some(
    (name) => vital.test(name) || /[*?]/.test(name),
  )

/** Matches a host, an address with a range, or a URL, as it stands among words; a file may be named like a host. */
const target =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/@\s]*@)?((?:[a-z\d_-]+\.)+[a-z]{2,}|\d{1,3}(?:\.[\d*-]{1,7}){3}(?:\/\d{1,2})?|localhost|\[[\da-f:]+\])(?::\d+)?(?:[/?#].*)?$/i
const fileName = /\.(?:txt|lst|list|dict|json|xml|html?|csv|gz|req|ya?ml|log|py|out|nse|rc|conf|cap|pcap)$/i
/** Options that name a file of targets. */
const targetFiles = ['iL', 'l', 'list', 'r', 'm', 'M', 'targets', 'input-file']

/** Adds whom a program attacks; `undefined` if it names no machine, or only machines of the own network. */
function withTargets(impact: Impact, line: LooseLine): Impact | undefined {
  if (impact.object !== undefined) return impact
  const texts = [...line.words.map(({ text }) => text), ...[...line.options.values()].flat()]
  const hosts = texts.flatMap((text) => {
    const host = target.exec(text)?.[1]
    return host === undefined || (fileName.test(host) && !text.includes('://')) ? [] : [host.toLowerCase()]
  })
  const others = [...new Set(hosts)].filter((host) => host === '0.0.0.0/0' || !isNearby(host.replace(/\/\d+$/, '')))
  if (others.length > 0) return { ...impact, names: others, extent: others.length === 1 ? 'one' : 'some' }
  const isListed = targetFiles.some((name) => line.options.get(name)?.some((value) => /\w\.\w/.test(value)))
  const isUnknown = line.words.some(({ unknown }) => unknown)
  if (hosts.length > 0 || !(isListed || isUnknown)) return undefined
  return { ...impact, object: 'other machines', ...(!isListed && { unsure: true }) }
}

/** Kinds of systems that programs act on, with the defaults of what they do to them. */
export const areas: Readonly<Partial<Record<ImpactArea, Area>>> = {
  'accounts-and-payments': { thing: 'account' },
  aws: { thing: 'infrastructure' },
  azure: { thing: 'infrastructure' },
  backups: { thing: 'backup' },
  checks: { thing: 'guard' },
  'ci-cd': { thing: 'pipeline' },
  'cloud-providers': { thing: 'infrastructure' },
  'code-hosting': { thing: 'repository' },
  containers: { thing: 'infrastructure' },
  'data-platforms': { thing: 'data' },
  'database-servers': { thing: 'data' },
  defences: { thing: 'guard' },
  devices: { thing: 'machine' },
  disks: { thing: 'machine' },
  'dns-and-cdn': { thing: 'network' },
  'going-live': { thing: 'deployment' },
  'google-cloud': { thing: 'infrastructure' },
  hosting: { thing: 'deployment' },
  'infrastructure-as-code': { thing: 'infrastructure' },
  kubernetes: { thing: 'infrastructure' },
  'load-balancers': { thing: 'network' },
  machine: { thing: 'machine' },
  messaging: { thing: 'data' },
  migrations: { thing: 'data', when: (call) => !isForTests(call), object: 'the tables of the database', names: 'none' },
  mirrors: { thing: 'data', kind: 'delete' },
  monitoring: { thing: 'record' },
  attacks: { thing: 'machine', kind: 'attack', names: 'none', finish: withTargets },
  'opened-access': { thing: 'machine', kind: 'open', object: 'this machine to others, from outside', names: 'none' },
  'outgoing-messages': { thing: 'message', kind: 'send' },
  // In a container, nothing is installed on this machine. The program of `python -m` is a command of its own.
  packages: {
    thing: 'package',
    object: 'package',
    when: ({ args, command }) => args === command.args && command.elsewhere !== true,
    finish: withPackages,
  },
  programs: { thing: 'machine' },
  releases: { thing: 'deployment' },
  schedules: { thing: 'machine', kind: 'create', object: 'task that runs later, unattended', names: 'none' },
  'secret-stores': { thing: 'secret' },
  stages: { thing: 'deployment' },
  storage: { thing: 'data' },
  'system-packages': {
    thing: 'machine',
    object: 'system program',
    when: (call, line, shell) =>
      call.args === call.command.args && (call.command.elsewhere !== true || namesVital(call, line, shell)),
  },
  'system-services': { thing: 'machine' },
  trash: { thing: 'data', kind: 'delete', object: 'everything in the trash', names: 'none' },
  'version-control': { thing: 'repository' },
  windows: { thing: 'machine' },
}
