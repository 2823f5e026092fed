import type { Family } from '../program.ts'
import { namesVital } from '../areas.ts'
import type { Deed, Deeds } from '../deeds/deeds.ts'
import type { Pattern } from '../deeds/pattern.ts'

const removal = (patterns: readonly Pattern[]): readonly Deed[] => [
  { kind: 'delete', work: patterns, when: (call, line, shell) => !namesVital(call, line, shell) },
  { kind: 'delete', never: patterns, object: 'system program, with all that needs it', when: namesVital },
]

/** Makes the deeds of a system's package manager from the patterns of its commands. */
export const manager = (
  installs: readonly Pattern[],
  removes: readonly Pattern[],
  more: Partial<Deeds> = {},
): Deeds => ({
  kind: 'install',
  work: installs,
  runsAnything: true,
  also: [...(more.also ?? []), ...removal(removes)],
  trials: 'simulate just-print download-only assumeno version s n',
  says: {
    'upgrade|dist-upgrade|full-upgrade|update|distro-sync|refresh|up|dup': {
      object: 'newer versions of system programs',
    },
  },
})

/** Makes the deed of commands after which the system installs packages of other signers. */
export const trusted = (...never: readonly Pattern[]): Deed => ({
  kind: 'weaken',
  object: 'the check of who has signed packages',
  names: 'none',
  never,
})
export const trusts = (...never: readonly Pattern[]): Deeds => ({ ...trusted(...never), noSubcommands: true })
export const certificates = (...never: readonly Pattern[]): Deeds => ({
  ...trusts(...never),
  object: 'the check of who is behind a connection',
  oneDash: true,
})

export const apt = manager(
  ['install|reinstall|build-dep|upgrade|dist-upgrade|full-upgrade'],
  ['remove|purge|autoremove|autopurge'],
)
export const dnf = manager(
  ['install|localinstall|reinstall|groupinstall|upgrade|update|distro-sync|swap'],
  ['remove|erase|autoremove|groupremove'],
  { also: [trusted('config-manager|copr')] },
)
/** For managers whose options, not their words, say what is done. */
export const byOptions = { noSubcommands: true, hIsNoHelp: true } as const

export const emergeSystemPackages: Deeds = { ...manager(['* !-p !--pretend !--search'], []), noSubcommands: true }

export const pacmanSystemPackages: Deeds = {
  ...manager(
    ['-S|--sync !-s !-i !-g !-l !-p !--print !--search !--info', '-U|--upgrade !-p !--print'],
    ['-R|--remove !-p !--print'],
  ),
  ...byOptions,
  trials: 'version',
}

const programs: Family['programs'] = {
  nala: { does: apt },

  tdnf: { does: dnf },

  'pkg_add xbps-install': { does: emergeSystemPackages },

  pkg: { does: manager(['install|add|upgrade'], ['delete|remove|autoremove']) },
  opkg: { does: manager(['install|upgrade'], ['remove']) },

  mas: { does: manager(['install'], ['uninstall']) },

  'add-apt-repository apt-add-repository yum-config-manager': {
    does: { ...trusts(''), kind: 'create', object: 'source of system packages', names: 'first' },
  },
  rpmkeys: { does: trusts('-i|--import') },
  'pacman-key': { does: trusts('-a|--add|-r|--recv-keys|--lsign-key') },
  'update-ca-certificates update-ca-trust': { does: certificates('') },
  trust: { does: certificates('anchor') },
}

/** Commands that install or remove programs for all users of a machine, or change whose signatures it trusts. */
export const systemPackages: Family = {
  area: 'system-packages',

  programs,
  // On another machine and in a container, only vital packages count.

  examples: {
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
    'add-apt-repository ppa:someone/a': 'adds source of system packages `ppa:someone/a`',
    'certutil -addstore root a.crt': 'weakens the check of who is behind a connection',
    'docker exec web apt-get install jq': '',
  },
}
