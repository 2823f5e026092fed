import { serviceManager } from './service-managers.ts'
import { inside } from './containers.ts'
import { endStage } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'

export const systemServices: Family = {
  area: 'system-services',
  programs: {
    'ssh-import-id': { options: 'f=read t T p a', does: { kind: 'grant', thing: 'account', work: ['*'] } },

    forever: {
      does: {
        kind: 'stop',
        object: 'process',
        says: {
          cleanlogs: { kind: 'delete', object: 'all logs', names: 'none' },
          stopall: { kind: 'stop', object: 'all processes', names: 'none' },
        },
        work: ['stopall', 'stop', 'cleanlogs'],
      },
    },
    net: {
      does: {
        windows: 'slashes',
        valued: 'active',
        kind: 'stop',
        object: 'service',
        says: {
          user: { kind: 'delete', object: 'user', names: 'first' },
          share: { kind: 'delete', object: 'shared folder', names: 'first' },
          localgroup: { kind: 'revoke', thing: 'account', object: 'membership of group', names: 'first' },
        },
        also: [
          {
            kind: 'change',
            object: 'users of this machine',
            names: 'none',
            thing: 'account',
            work: ['user|localgroup /add|/active'],
          },
        ],
        work: ['stop', 'user * /delete', 'share * /delete', 'localgroup * * /delete'],
      },
    },
    homectl: {
      does: {
        says: {
          remove: { kind: 'delete', object: 'user, with the home folder', thing: 'account' },
          'deactivate|lock': { kind: 'stop', object: 'home folder' },
        },
        never: ['remove'],
        work: ['deactivate', 'lock'],
      },
    },

    // Telephone exchanges, by a command in an option.
    'asterisk fs_cli': {
      options: 'x C H host P port p password',
      does: {
        kind: 'stop',
        object: 'calls and lines of the telephone exchange',
        names: 'none',
        never: ['-x~stop|-x~restart|-x~shutdown|-x~hupall|-x~hangup'],
      },
    },

    portablectl: { does: { kind: 'stop', object: 'service image', work: ['detach'] } },

    'shutdown openrc-shutdown': {
      operands: 'none',
      does: [
        {
          kind: 'stop',
          object: 'this machine',
          extent: 'all',
          names: 'none',
          says: {
            '-r|--reboot': { kind: 'restart', object: 'this machine', extent: 'all' },
          },
          never: [''],
          hIsNoHelp: true,
          harmless: ['-c', '-k', '--show'],
        },
        endStage,
      ],
      noHelp: true,
    },
    'poweroff halt': {
      operands: 'none',
      does: [
        {
          kind: 'stop',
          object: 'this machine',
          extent: 'all',
          names: 'none',
          never: [''],
          harmless: ['-w|--wtmp-only'],
        },
        endStage,
      ],
      noHelp: true,
    },
    reboot: {
      operands: 'none',
      does: [
        {
          kind: 'restart',
          object: 'this machine',
          extent: 'all',
          names: 'none',
          never: [''],
          harmless: ['-w|--wtmp-only'],
        },
        endStage,
      ],
      noHelp: true,
    },
    'init telinit': {
      operands: 'none',
      does: {
        kind: 'stop',
        object: 'this machine',
        extent: 'all',
        names: 'none',
        says: {
          '6': { kind: 'restart', object: 'this machine', extent: 'all' },
          q: { kind: 'restart', object: 'the first process of this machine', extent: 'all' },
        },
        never: ['0|1|5|6|s|q'],
      },
      noHelp: true,
    },
    kexec: { does: { kind: 'restart', object: 'this machine', extent: 'all', names: 'none', never: [''] } },
    'pm-suspend pm-hibernate stop-computer': {
      does: { kind: 'stop', object: 'this machine', extent: 'all', names: 'none', never: [''] },
    },
    'restart-computer': {
      does: { kind: 'restart', object: 'this machine', extent: 'all', names: 'none', never: [''] },
    },
    'userdel luserdel': {
      operands: 'none',
      does: {
        kind: 'delete',
        object: 'user',
        thing: 'account',
        says: { '--remove|-r': { object: 'user, with the home directory' } },
        never: ['--remove|-r', ''],
      },
    },
    'deluser rmuser': { does: { kind: 'delete', object: 'user', thing: 'account', never: [''] } },
    groupdel: { operands: 'none', does: { kind: 'delete', object: 'group', thing: 'account', work: [''] } },
    delgroup: { does: { kind: 'delete', object: 'group', thing: 'account', work: [''] } },
    dscl: {
      does: {
        kind: 'delete',
        object: 'entry of the directory',
        thing: 'account',
        names: 'last',
        says: { '* -create|-append|-change|-passwd|-merge': { kind: 'change' } },
        never: ['* -delete', '* -deletepl'],
        work: ['* -create|-append|-change|-passwd|-merge'],
      },
      looks: {
        oneDash: true,
        options: 'u P f +q +raw +plist +url +p',
        lines: `
      * --read|--readall|--readpl|--readpli|--list|--search|--diff !--create|--createpl|--createpli|--append|--merge|--delete|--deletepl|--deletepli|--change|--changei|--passwd
      * read|readall|list|search|diff
      --list []`,
      },
    },
    sysadminctl: {
      does: {
        kind: 'delete',
        object: 'user',
        thing: 'account',
        names: '-deleteUser|-addUser|-resetPasswordFor',
        says: {
          '-addUser': { kind: 'create' },
          '-resetPasswordFor|-newPassword|-secureTokenOn': { kind: 'change' },
        },
        never: ['-deleteUser'],
        work: ['-addUser|-resetPasswordFor|-newPassword|-secureTokenOn'],
        oneDash: true,
      },
    },

    atrm: { does: { kind: 'delete', object: 'scheduled task', work: [''] } },
    ipset: { does: { kind: 'delete', object: 'set of addresses', thing: 'network', work: ['destroy|flush'] } },
    wg: {
      does: { kind: 'change', object: 'peer of the tunnel', names: 'none', thing: 'network', work: ['set * peer'] },
    },
    'wg-quick': { does: { kind: 'stop', object: 'tunnel', thing: 'network', work: ['down'] } },
    ifdown: { does: { kind: 'stop', object: 'network interface', thing: 'network', work: [''] } },
    nmcli: {
      does: {
        shows: { '-s|--show-secrets': { object: 'network passwords', thing: 'secret', names: 'none' } },
        says: {
          'networking|radio': { kind: 'stop', object: 'the network of this machine', names: 'none' },
          'connection|con|c': { kind: 'stop', object: 'network connection', names: 'last' },
          'connection|con|c modify|mod': {
            kind: 'change',
            object: 'how this machine reaches others',
            thing: 'network',
            names: 'none',
          },
          'device|dev|d': { kind: 'stop', object: 'network device', names: 'last' },
        },
        work: [
          'connection|con|c down|delete',
          'connection|con|c modify|mod * ipv4.dns|ipv6.dns|ipv4.gateway|802-11-wireless-security.psk',
          'networking off',
          'device|dev|d disconnect|delete',
          'radio wifi off',
        ],
      },
      looks: `
    ..0
    general|connection|device|con|dev|g|c|d ..0
    general|g status|hostname ..0
    connection|con|c|device|dev|d show|status !-s|--show-secrets`,
    },
    netplan: { does: { kind: 'change', object: 'the network of this machine', names: 'none', work: ['apply'] } },
    machinectl: {
      typed: /^(?: -\S+)* login(?: |$)/,
      subcommands: { shell: inside },
      does: {
        kind: 'stop',
        object: 'container',
        says: {
          remove: { kind: 'delete', object: 'machine image', thing: 'data' },
          clean: { kind: 'delete', object: 'unused machine images', names: 'none' },
        },
        never: ['remove', 'clean'],
        work: ['poweroff', 'terminate', 'kill', 'stop'],
      },
    },
    loginctl: {
      managesServices: true,
      ...serviceManager,
      does: {
        kind: 'stop',
        object: 'session',
        says: {
          'poweroff|halt|suspend|hibernate': { kind: 'stop', object: 'this machine', extent: 'all', names: 'none' },
          reboot: { kind: 'restart', object: 'this machine', extent: 'all', names: 'none' },
          'terminate-user|kill-user': { kind: 'stop', object: 'everything that runs of', extent: 'all' },
        },
        never: ['poweroff|halt|suspend|hibernate|reboot', 'terminate-user|kill-user'],
        work: ['terminate-session|terminate-seat|kill-session'],
      },
      looks: `
    ..0
    list-sessions|list-users|list-seats|session-status|user-status|seat-status|show-session|show-user|show-seat`,
    },
  },
  examples: {
    'nmcli -s connection show home': 'shows network passwords',
    'shutdown -h now': 'stops this machine',
    'shutdown -c': '',
    reboot: 'restarts this machine',
    'init 6': 'restarts this machine',
    'userdel -r alice': 'deletes user `alice`, with the home directory, for good',
    'crontab -r': 'deletes all scheduled tasks of the user, for good',
    'loginctl terminate-user alice': 'stops everything that runs of `alice`',
    'Stop-Computer -Force': 'stops this machine',
    'telinit q': 'restarts the first process of this machine',
    'nmcli networking off': 'stops the network of this machine',
    'wg-quick down wg0': 'stops tunnel `wg0`',
  },
}
