import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  onlyTries,
  readOptions,
  type ShellCommand,
} from 'hookgate/policy'

interface SystemManager {
  readonly installs: readonly string[]
  readonly removes: readonly string[]
  readonly valued?: readonly string[]
}

const aptLike: SystemManager = {
  installs: ['install', 'reinstall', 'build-dep', 'upgrade', 'dist-upgrade', 'full-upgrade'],
  removes: ['remove', 'purge', 'autoremove', 'autopurge'],
  valued: ['o', 'option', 'c', 't', 'target-release', 'a'],
}
const dnfLike: SystemManager = {
  installs: ['install', 'localinstall', 'reinstall', 'groupinstall', 'upgrade', 'update', 'distro-sync', 'swap'],
  removes: ['remove', 'erase', 'autoremove', 'groupremove'],
  valued: ['c', 'enablerepo', 'disablerepo', 'x', 'exclude', 'repo'],
}
const brewLike: SystemManager = {
  installs: ['install', 'reinstall', 'upgrade'],
  removes: ['uninstall', 'remove', 'rm', 'autoremove'],
}

const managers: Readonly<Record<string, SystemManager>> = {
  apt: aptLike,
  'apt-get': aptLike,
  aptitude: aptLike,
  nala: aptLike,
  dnf: dnfLike,
  yum: dnfLike,
  microdnf: dnfLike,
  zypper: { installs: ['install', 'in', 'update', 'up', 'dup'], removes: ['remove', 'rm'] },
  apk: { installs: ['add', 'upgrade'], removes: ['del'], valued: ['X', 'repository', 't', 'virtual', 'p', 'root'] },
  xbps: { installs: [], removes: [] },
  emerge: { installs: [''], removes: [] },
  brew: brewLike,
  port: { installs: ['install', 'upgrade'], removes: ['uninstall'] },
  snap: { installs: ['install', 'refresh'], removes: ['remove'] },
  flatpak: { installs: ['install', 'update'], removes: ['uninstall', 'remove'] },
  pkg: { installs: ['install', 'add', 'upgrade'], removes: ['delete', 'remove', 'autoremove'] },
  pkg_add: { installs: [''], removes: [] },
  opkg: { installs: ['install', 'upgrade'], removes: ['remove'] },
  tdnf: dnfLike,
  winget: { installs: ['install', 'add', 'upgrade'], removes: ['uninstall', 'remove'] },
  choco: { installs: ['install', 'upgrade'], removes: ['uninstall'] },
  scoop: { installs: ['install', 'update'], removes: ['uninstall'] },
  asdf: { installs: ['install', 'plugin'], removes: ['uninstall'] },
  mas: { installs: ['install'], removes: ['uninstall'] },
  'nix-env': { installs: [], removes: [] },
}

type SystemAct = 'install' | 'remove'

/** Returns the change that a command makes to the system's programs. */
function systemActOf({ program, args }: ShellCommand): SystemAct | undefined {
  const words = args.map(({ value }) => value)
  if (onlyTries(args, 'help', 'version', 'dry-run', 'simulate', 'just-print', 'download-only', 'assumeno'))
    return undefined
  if (program === 'brew' && words.includes('-n')) return undefined
  switch (program) {
    case 'pacman':
    case 'yay':
    case 'paru': {
      const what = words.find((word) => /^-[A-Z]|^--(?:sync|remove|upgrade)$/.test(word)) ?? ''
      if (/^-S[a-z]*[sigl]/.test(what) || words.some((word) => /^(?:-p|--print)$/.test(word))) return undefined
      return /^(?:-[SU]|--sync|--upgrade)/.test(what) ? 'install' : /^(?:-R|--remove)/.test(what) ? 'remove' : undefined
    }
    case 'dpkg':
      return has(words, /^(?:-i|--install|--unpack)$/)
        ? 'install'
        : has(words, /^(?:-r|-P|--remove|--purge)$/)
          ? 'remove'
          : undefined
    case 'rpm':
      return has(words, /^(?:-[a-z]*[iUF][a-z]*|--install|--upgrade)$/) && !has(words, /^-q/)
        ? 'install'
        : has(words, /^(?:-e|--erase)$/)
          ? 'remove'
          : undefined
    case 'installer':
      return has(words, /^-pkg$/) ? 'install' : undefined
    case 'nix-env':
      return has(words, /^(?:-[a-zA-Z]*i[a-zA-Z]*|--install|-u|--upgrade)$/)
        ? 'install'
        : has(words, /^(?:-e|--uninstall)$/)
          ? 'remove'
          : undefined
  }
  const manager = Object.hasOwn(managers, program) ? managers[program] : undefined
  if (manager === undefined || has(words, /^(?:-s|-h)$/)) return undefined
  const verb = readOptions(args, { valued: manager.valued ?? [] }).operands[0]?.value ?? ''
  if (manager.installs.includes(verb) || (manager.installs.includes('') && verb !== '')) return 'install'
  return manager.removes.includes(verb) ? 'remove' : undefined
}

const has = (words: readonly string[], option: RegExp) => words.some((word) => option.test(word))

export default definePolicy({
  id: 'system-packages',
  description: 'Asks before system programs are installed or removed, and refuses it when done as root',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: [...Object.keys(managers), 'pacman yay paru dpkg rpm installer'] },
  params: {
    allowRoot: { type: 'boolean', default: false, description: 'whether managers may run as root, as in a container' },
    systemPackages: { type: 'strings', default: [], description: 'programs that may be installed, by name' },
  },
  decide({ shell, params }) {
    for (const [at, command] of shell.commands.entries()) {
      if (command.elsewhere === true) continue
      const act = systemActOf(command)
      if (act === undefined) continue
      const named = command.args
        .map(({ value }) => value)
        .filter((word) => !word.startsWith('-'))
        .slice(1)
      if (act === 'install' && named.length > 0 && named.every((word) => params.systemPackages.includes(word))) continue
      const what = `${command.program} would ${act} system-wide programs`
      if (command.user === 'root' && !params.allowRoot) {
        return deny(`${what}, as root: tell the person which ones you need, and let them do it`, { at })
      }
      return ask(`${what}: use what is there, or tell the person what you need it for`, { at })
    }
    return undefined
  },
  examples: [
    denies('as root', 'sudo apt-get install -y jq'),
    abstains('what there is, as root', 'sudo apt update'),
    asks('with brew', 'brew install jq'),
    abstains('a try of it', 'brew upgrade -n'),
    abstains('about it', 'brew info jq'),
    asks('removed', 'apt-get autoremove'),
    abstains('a try', 'apt-get install -s jq'),
    denies('with pacman', 'sudo pacman -Syu jq'),
    abstains('searched', 'pacman -Ss jq'),
    denies('a file', 'sudo dpkg -i a.deb'),
    abstains('what a file has', 'dpkg -L jq'),
    asks('in a container', 'sudo apt-get install jq', { params: { allowRoot: true } }),
    abstains('allowed', 'sudo apt-get install -y jq', { params: { systemPackages: ['jq'] } }),
  ],
})
