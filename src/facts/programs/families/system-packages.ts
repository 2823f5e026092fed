import type { Family } from '../program.ts'
import { namesVital } from '../areas.ts'
import type { Pattern } from '../deeds/pattern.ts'
import { verbs, type Row, setup } from '../row.ts'
import { known } from '../words.ts'
import { type Judge, matchesTable, type Table } from '../looks/look.ts'
import { machineStage, type Deed, type Deeds } from '../deeds/deeds.ts'
import { manager } from '../deeds/packages.ts'

const removesSystemPackages = (patterns: readonly Pattern[]): readonly Deed[] => [
  { kind: 'delete', work: patterns, when: (call, line, shell) => !namesVital(call, line, shell) },
  { kind: 'delete', never: patterns, object: 'system program, with all that needs it', when: namesVital },
]

/** Makes the deeds of a system's package manager from the patterns of its commands. */
export const systemDeeds = (
  installs: readonly Pattern[],
  removes: readonly Pattern[],
  more: Partial<Deeds> = {},
): Deeds => ({
  kind: 'install',
  work: installs,
  runsAnything: true,
  also: [...(more.also ?? []), ...removesSystemPackages(removes)],
  trials: 'simulate just-print download-only assumeno version s n',
  says: {
    'upgrade|dist-upgrade|full-upgrade|update|distro-sync|refresh|up|dup': {
      object: 'newer versions of system programs',
    },
  },
})

/** Makes the deed of commands after which the system installs packages of other signers. */
const trusted = (...never: readonly Pattern[]): Deed => ({
  kind: 'weaken',
  object: 'the check of who has signed packages',
  names: 'none',
  never,
})
const trusts = (...never: readonly Pattern[]): Deeds => ({ ...trusted(...never), noSubcommands: true })
export const certificates = (...never: readonly Pattern[]): Deeds => ({
  ...trusts(...never),
  object: 'the check of who is behind a connection',
  oneDash: true,
})

const apt = systemDeeds(
  ['install|reinstall|build-dep|upgrade|dist-upgrade|full-upgrade'],
  ['remove|purge|autoremove|autopurge'],
)
const dnf = systemDeeds(
  ['install|localinstall|reinstall|groupinstall|upgrade|update|distro-sync|swap'],
  ['remove|erase|autoremove|groupremove'],
  { also: [trusted('config-manager|copr')] },
)
/** For managers whose options, not their words, say what is done. */
const byOptions = { noSubcommands: true, hIsNoHelp: true } as const

const emergeSystemPackages: Deeds = { ...systemDeeds(['* !-p !--pretend !--search'], []), noSubcommands: true }

const pacmanSystemPackages: Deeds = {
  ...systemDeeds(
    ['-S|--sync !-s !-i !-g !-l !-p !--print !--search !--info', '-U|--upgrade !-p !--print'],
    ['-R|--remove !-p !--print'],
  ),
  ...byOptions,
  trials: 'version',
}

const systemVerbs = verbs(
  'c C gemfile path t target-release o option file working-dir a default-release enablerepo disablerepo x exclude repo X repository virtual p root',
)
export const systemManager: Row = {
  options: 'c C=names gemfile=read path=names t target-release o option file=read working-dir=names',
  effects(line, recorder) {
    for (const word of line.operands) if (/^[./~]./.test(word.value)) recorder.touch(word, 'execute')
  },
  subcommands: { '*': systemVerbs },
}

const aptSetting = /^([\w:-]*)=(.+)$/s
const runsScript = /Invoke|Run|Pager|ProxyAutoDetect|Proxy-Auto-Detect/i

const aptTool: Row = {
  ...systemManager, // `apt -o DPkg::Pre-Invoke::=SCRIPT` runs a script.
  starts(line, starts) {
    for (const { value } of line.values('o')) {
      const [, name = '', script = ''] = aptSetting.exec(value) ?? []
      if (runsScript.test(name)) starts.script(known(script.replace(/^\{?"?|"?;?\}?$/g, '')))
    }
  },
}

const dpkgTool: Row = {
  options: 'root=names target pipe=script',
  effects(line, recorder) {
    for (const word of line.operands) if (/\.(?:deb|rpm|pkg)$/.test(word.value)) recorder.touch(word, 'execute')
  },
}

const asOption = /^(?:--(?:prefix|cellar|cache|caskroom|repository|repo|env|config|version|taps)|-v|-S)$/

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

/** Judges Homebrew, some of whose commands are written like options: `brew --prefix`. */
const brewOnlyLooks: Judge = (look) => {
  const [first, ...rest] = look.args
  if (!asOption.test(first?.value ?? '')) return matchesTable(look, brewTable)
  return (
    !rest.some(({ value }) => asOption.test(value)) &&
    look.args.every((word) => word.several !== true && word.unresolved !== true) &&
    (first?.value !== '-v' || rest.length === 0)
  )
}

const programs: Family['programs'] = {
  nala: { does: apt },

  tdnf: { does: dnf },

  'pkg_add xbps-install': { does: emergeSystemPackages },

  pkg: { does: systemDeeds(['install|add|upgrade'], ['delete|remove|autoremove']) },
  opkg: { does: systemDeeds(['install|upgrade'], ['remove']) },

  mas: { does: systemDeeds(['install'], ['uninstall']) },

  'add-apt-repository apt-add-repository yum-config-manager': {
    does: { ...trusts(''), kind: 'create', object: 'source of system packages', names: 'first' },
  },
  rpmkeys: { does: trusts('-i|--import') },
  'pacman-key': { does: trusts('-a|--add|-r|--recv-keys|--lsign-key') },
  'update-ca-certificates update-ca-trust': { does: certificates('') },
  trust: { does: certificates('anchor') },
  apt: {
    ...aptTool,
    does: [apt, machineStage],
    looks: 'list|show|search|policy|depends|rdepends|madison|showsrc|changelog|help !-o|--option|-c|--config-file',
  },
  'apt-get apt-fast': { ...aptTool, does: [apt, machineStage] },
  'apt-cache': {
    ...systemManager,
    looks:
      'show|search|policy|depends|rdepends|madison|showpkg|showsrc|stats|dump|unmet|pkgnames|dotty !-o|--option|-c|--config-file',
  },
  'apt-key': { ...systemManager, does: trusts('add|adv') },
  aptitude: {
    ...systemManager,
    does: apt,
    looks: 'search|show|why|why-not|versions',
    prints: true,
  },
  dpkg: {
    ...dpkgTool,
    does: {
      ...systemDeeds(['-i|--install|--unpack'], ['-r|-P|--remove|--purge']),
      ...byOptions,
    },
    looks:
      '-l|--list|-L|--listfiles|-s|--status|-S|--search|-p|--print-avail|--get-selections|--print-architecture|-I|--info|-c|--contents|-V|--verify|--audit|--compare-versions []',
  },
  dnf: {
    ...systemManager,
    does: [{ area: 'packages', ...manager({ runs: ['install|localinstall|reinstall'] }) }, dnf, machineStage],
    looks: `
  list|info|search|provides|repolist|repoquery|deplist|check-update|updateinfo !--setopt|-c|--config|-y
  history ..0
  history list|info`,
  },
  yum: {
    ...systemManager,
    does: [{ area: 'packages', ...manager({ runs: ['install|localinstall|reinstall'] }) }, dnf, machineStage],
    looks: 'list|info|search|provides|repolist|repoquery|deplist|check-update|updateinfo !--setopt|-c|--config|-y',
  },
  rpm: {
    ...dpkgTool,
    does: [
      {
        area: 'packages',
        ...manager({ runs: ['-i|-U|-F|--install|--upgrade|--freshen !-q'] }, { noSubcommands: true, hIsNoHelp: true }),
      },
      {
        ...systemDeeds(['-i|-U|-F|--install|--upgrade|--freshen !-q'], ['-e|--erase'], {
          also: [trusted('--import')],
        }),
        ...byOptions,
        trials: 'test version',
      },
    ],
    looks:
      '-q|--query [-a|--all|-i|--info|-l|--list|-f|--file|-c|-d|-R|--requires|--provides|--changelog|--last|-p|--qf|--queryformat]',
  },
  zypper: {
    ...systemManager,
    does: [
      { area: 'packages', ...manager({ runs: ['install|in'] }) },
      systemDeeds(['install|in|update|up|dup'], ['remove|rm'], { also: [trusted('addrepo|ar')] }),
    ],
    looks: 'search|se|info|if|repos|lr|packages|pa|patches|pch|list-updates|lu|services|ls|what-provides|wp',
  },
  apk: {
    ...systemManager,
    does: [systemDeeds(['add|upgrade'], ['del']), machineStage],
    looks: 'info|list|search|policy|version|dot|stats',
    prints: true,
  },
  // Their options say what they do.
  emerge: { ...systemManager, subcommands: {}, does: emergeSystemPackages },
  pacman: {
    ...systemManager,
    subcommands: {},
    does: pacmanSystemPackages,
    looks: '-Q|--query !-R|-S|-U|-D|--hookdir|--config; -S !-y|-u|-c|-w|--hookdir|--config [-s|-i]',
    prints: true,
  },
  'yay paru pikaur trizen powerpill pacaur aura': { ...systemManager, subcommands: {}, does: pacmanSystemPackages },
  'nix-env': {
    ...systemManager,
    subcommands: {},
    does: {
      ...systemDeeds(['-i|--install|-u|--upgrade'], ['-e|--uninstall']),
      ...byOptions,
      trials: 'dry-run',
    },
    looks: '-q|--query !-i|-e|-u|--install|--uninstall|--upgrade|-f|-G|-S',
    prints: true,
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
    does: systemDeeds(['install|update'], ['uninstall|remove'], { also: [trusted('remote-add')] }),
    looks: 'list|info|search|remotes|remote-ls|history|ps',
    prints: true,
  },
  snap: {
    encloses: true,
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
    does: [systemDeeds(['install|refresh'], ['remove'], { also: [trusted('ack')] }), machineStage],
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
      systemDeeds(['install|reinstall|upgrade'], ['uninstall|remove|rm|autoremove']),
      { area: 'programs', kind: 'stop', object: 'service', work: ['services stop|kill'] },
    ],
    looks: brewOnlyLooks,
    namesSecrets: true,
  },
  port: {
    ...systemManager,
    does: systemDeeds(['install|upgrade'], ['uninstall']),
    looks: 'list|info|search|installed|outdated|contents|deps|dependents|provides|variants',
    prints: true,
  },
  installer: {
    ...dpkgTool,
    does: { ...systemDeeds(['-pkg'], []), oneDash: true },
  },
  winget: {
    ...systemManager,
    does: systemDeeds(['install|add|upgrade'], ['uninstall']),
    looks: 'list|search|show',
  },
  choco: {
    ...systemManager,
    does: systemDeeds(['install|upgrade'], ['uninstall']),
    looks: 'list|search|info|outdated',
  },
  scoop: {
    ...systemManager,
    does: systemDeeds(['install|update'], ['uninstall']),
    looks: 'list|search|info|status',
  },
  microdnf: {
    does: [
      { area: 'packages', ...manager({ runs: ['install|localinstall|reinstall'] }) },
      { area: 'system-packages', ...dnf },
    ],
  },
}

/** Commands that install or remove programs for all users of a machine, or change whose signatures it trusts. */
export const systemPackages: Family = {
  area: 'system-packages',
  rows: { obeysFolder: true, codeOnStdin: 'settings' },

  // On another machine and in a container, only vital packages count.
  programs,

  examples: {
    'brew services stop redis': 'stops service `redis`',
    'apt-get install -y jq': 'installs system program `jq`',
    'apt-get install -s jq': '',
    'apt-get autoremove': 'deletes a system program',
    'apt-get purge systemd': 'deletes system program `systemd`, with all that needs it, for good',
    'apt-get purge -s systemd': '',
    'pacman -Syu jq': 'installs system program `jq`',
    'pacman -Ss jq': '',
    'dpkg -i a.deb': 'installs system program `a.deb`',
    'dpkg -L jq': '',
    'rpm -ivh a.rpm': 'installs system program `a.rpm`',
    'rpm -qi bash': '',
    'brew upgrade': 'installs newer versions of system programs',
    'brew info jq': '',
    'apt-key add a.asc': 'weakens the check of who has signed packages',
    'add-apt-repository ppa:someone/a': 'adds a source of system packages `ppa:someone/a`',
    'certutil -addstore root a.crt': 'weakens the check of who is behind a connection',
    'docker exec web apt-get install jq': '',
  },
}
