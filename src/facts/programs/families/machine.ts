import type { Family } from '../program.ts'
import type { DeedCondition } from '../deeds/deeds.ts'
import { hasArguments, written } from '../deeds/written.ts'

const kernel = { kind: 'change', object: 'what code the kernel runs', names: 'none' } as const
const boot = { kind: 'change', object: 'how this machine boots', names: 'none' } as const
const network = { kind: 'stop', object: 'the network of this machine', names: 'none', thing: 'network' } as const
const account = { kind: 'change', thing: 'account' } as const

/** Groups whose members can do what root can. */
const rootGroups = /^(?:sudo|wheel|root|admin|docker)$/

/** True if a user gets the rights of root: by the user id 0, or by a group. */
const getsRoot: DeedCondition = (_, { options }) =>
  ['u', 'uid'].some((name) => options.get(name)?.includes('0')) ||
  ['G', 'groups'].some((name) =>
    options.get(name)?.some((groups) => groups.split(',').some((one) => rootGroups.test(one))),
  )

/** Rights with which a program can do what root can. */
const rootCapability =
  /cap_(?:setuid|setgid|sys_admin|dac_override|sys_ptrace|sys_module|dac_read_search|chown|fowner)\b.*[+=]/i

const programs: Family['programs'] = {
  'insmod rmmod': { does: { ...kernel, never: [''] } },
  modprobe: {
    does: {
      ...kernel,
      never: [''],
      harmless: ['-n|--dry-run|-c|--showconfig|-D|--show-depends|--dump-modversions|-R'],
    },
  },
  'kextload kextunload kmutil': {
    does: {
      ...kernel,
      never: [''],
      when: hasArguments,
      harmless: ['showloaded*', 'inspect*', 'log*', 'print-diagnostics*'],
    },
  },
  'grub-install grub2-install update-grub': { does: { ...boot, never: [''] } },
  efibootmgr: { does: { ...boot, never: [''], when: written(/^(?!-v$|--verbose$)./) } },
  bootctl: { does: { ...boot, never: [''], when: written(/^(?!(?:status|list)$)./) } },
  nvram: { does: { ...boot, never: ['-c|-d', '*'], when: written(/(?:^| )-[cd](?: |$)|^[\w-]+=/), oneDash: true } },
  setcap: {
    does: {
      kind: 'grant',
      thing: 'account',
      object: 'program',
      names: 'last',
      never: ['* *'],
      when: written(rootCapability),
    },
  },
  'useradd usermod adduser': {
    does: {
      valued: 'u uid G groups g gid s shell d home c comment e expiredate f inactive k K p',
      flags: 'a append L lock U unlock m create-home M r system o non-unique D',
      ...account,
      object: 'user',
      names: 'first',
      also: [{ kind: 'grant', thing: 'account', object: 'user', names: 'first', never: [''], when: getsRoot }],
      work: [''],
      when: (call, line, shell) => hasArguments(call, line, shell) && !getsRoot(call, line, shell),
    },
  },
  passwd: {
    does: {
      ...account,
      object: 'the password of',
      flags: 'd delete l lock u unlock e expire S status',
      when: hasArguments,
      says: { '-d|--delete': { kind: 'delete' } },
      never: ['-d|--delete'],
      work: [''],
      harmless: ['-S|--status'],
    },
  },
  'chpasswd newusers': { does: { ...account, object: 'the passwords of this machine', names: 'none', work: [''] } },
  'chsh gpasswd': { does: { ...account, object: 'user or group', work: [''], when: hasArguments } },
  'visudo vipw vigr': {
    does: {
      ...account,
      object: 'who can use this machine',
      names: 'none',
      work: [''],
      harmless: ['-c|--check'],
    },
  },
  dseditgroup: {
    does: {
      ...account,
      object: 'group',
      names: 'last',
      valued: 'o a d t n u P p i g r k s S L f',
      work: ['-o=edit|-o=create|-o=delete'],
    },
  },
  'ssh-keygen': {
    does: {
      kind: 'delete',
      thing: 'record',
      object: 'the known key of',
      names: '-R',
      never: ['-R'],
    },
  },
  ip: {
    does: {
      ...network,
      never: ['route|r|ro|rule|addr|address|a|neigh flush|f', 'link set * down', 'link set dev * down'],
      flags: '4 6 0',
    },
  },
  ifconfig: { does: { ...network, never: ['* down'] } },
  route: { does: { ...network, never: ['flush', 'del|delete default'] } },
  sysctl: {
    does: {
      kind: 'change',
      object: 'settings of the kernel',
      names: 'none',
      work: ['-w|--write|-p|--load|--system'],
      also: [
        {
          kind: 'change',
          object: 'settings of the kernel',
          names: 'none',
          work: ['*'],
          when: written(/(?:^| )[\w.][\w./-]*=/),
        },
      ],
    },
  },
  'swapoff swapon': {
    does: {
      kind: 'change',
      object: 'the memory of this machine',
      names: 'none',
      work: [''],
      when: hasArguments,
      harmless: ['-s|--show|--summary'],
    },
  },
  mount: {
    does: {
      kind: 'change',
      object: 'the file systems of this machine',
      names: 'none',
      work: ['*', '-a|--all'],
      flags: 'l label',
      harmless: ['-f|--fake'],
    },
  },
  umount: {
    does: {
      kind: 'stop',
      object: 'file system',
      work: ['*', '-a|--all'],
      valued: 'O',
      flags: 'l lazy',
      harmless: ['--fake'],
    },
  },
  'timedatectl hostnamectl': {
    does: { kind: 'change', object: 'settings of this machine', names: 'none', work: ['set-*'] },
  },
  journalctl: {
    does: {
      kind: 'delete',
      thing: 'record',
      object: 'logs of this machine',
      names: 'none',
      work: ['--vacuum-size|--vacuum-time|--vacuum-files'],
    },
  },
  history: {
    does: { kind: 'delete', thing: 'record', object: 'the record of what was done', names: 'none', work: ['-c|-w'] },
  },
}

/** Commands that change a machine: its kernel, how it boots, its users, network and file systems. */
export const machine: Family = {
  area: 'machine',

  programs,
  examples: {
    'insmod x.ko': 'changes what code the kernel runs',
    'modprobe --dry-run nbd': '',
    'efibootmgr -v': '',
    'efibootmgr -o 0001,0002': 'changes how this machine boots',
    'setcap cap_setuid+ep ./x': 'grants rights to program `./x`',
    'usermod -a --groups=video,docker alice': 'grants rights to user `alice`',
    'usermod -L alice': 'changes user `alice`',
    'passwd -d alice': 'deletes the password of `alice`, for good',
    'passwd -S alice': '',
    'ssh-keygen -R host.example.com':
      'deletes the known key of `host.example.com`, by which people learn what happens, for good',
    'ip link set dev eth0 down': 'stops the network of this machine',
    'ip link show': '',
    'sysctl vm.swappiness=1': 'changes settings of the kernel',
    'umount /mnt': 'stops file system `/mnt`',
    'mount -t tmpfs': '',
    'journalctl --vacuum-time=1d': 'deletes logs of this machine, by which people learn what happens',
  },
}
