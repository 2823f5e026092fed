import { ownNetwork } from './network.ts'
import { serviceManager } from './service-managers.ts'
import { hasArguments, written, type DeedCondition, type Deeds } from '../deeds/deeds.ts'
import { isKnown, type Judge, readLook } from '../looks/look.ts'
import type { Family } from '../program.ts'
import { names } from '../words.ts'

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

const kernelExtension: Deeds = {
  ...kernel,
  never: [''],
  when: hasArguments,
  harmless: ['showloaded*', 'inspect*', 'log*', 'print-diagnostics*'],
}

const changedUser: Deeds = {
  valued: 'u uid G groups g gid s shell d home c comment e expiredate f inactive k K p',
  flags: 'a append L lock U unlock m create-home M r system o non-unique D',
  ...account,
  object: 'user',
  names: 'first',
  also: [{ kind: 'grant', thing: 'account', object: 'user', names: 'first', never: [''], when: getsRoot }],
  work: [''],
  when: (call, line, shell) => hasArguments(call, line, shell) && !getsRoot(call, line, shell),
}

const passwords: Deeds = { ...account, object: 'the passwords of this machine', names: 'none', work: [''] }

const loginShell: Deeds = { ...account, object: 'user or group', work: [''], when: hasArguments }

const accountFiles: Deeds = {
  ...account,
  object: 'who can use this machine',
  names: 'none',
  work: [''],
  harmless: ['-c|--check'],
}

const clockAndName: Deeds = {
  kind: 'change',
  object: 'settings of this machine',
  names: 'none',
  work: ['set-*'],
}

const ipObjects = names(
  'address link route rule neighbour neighbor maddress mroute netns tunnel tuntap monitor stats token xfrm macsec vrf addrlabel ntable netconf sr tcp_metrics tcpmetrics l2tp mptcp ila fou ioam nexthop help',
)

/** Judges `ip`, whose objects and commands may be abbreviated. An object without a command is shown. */
const judgeIp: Judge = (look) => {
  const { names: given, operands } = readLook(look.args, 'f family n netns rc rcvbuf l loops', true)
  if (!isKnown(look) || given.some((name) => /^(?:b|ba|bat|batc|batch|force|a|all)$/.test(name))) return false
  const words =
    operands[0] === undefined ? [] : look.args.slice(look.args.indexOf(operands[0])).map(({ value }) => value)
  const [object = '', verb, thing] = words
  if (object === '') return true
  const whole = ipObjects.find((one) => one.startsWith(object.toLowerCase()))
  if (whole === undefined) return false
  if (whole === 'monitor' || whole === 'help') return !words.includes('file')
  if (verb === undefined) return true
  if (whole === 'netns')
    return /^(?:list|list-id|identify|pids|monitor|show|help)$/.test(verb) || 'list'.startsWith(verb)
  if (whole === 'xfrm')
    return /^(?:state|policy|monitor)$/.test(verb) && (thing === undefined || /^(?:list|show|get|count)$/.test(thing))
  if (whole === 'stats') return 'show'.startsWith(verb)
  // `ip link s` sets.
  return verb !== 's' && verb !== '' && ['show', 'list', 'lst', 'get', 'help'].some((one) => one.startsWith(verb))
}

/** Judges `ifconfig`: the name of an interface alone shows it; a further word changes it. */
const judgeIfconfig: Judge = (look) => {
  const words = look.args.map(({ value }) => value)
  return (
    isKnown(look) &&
    words.filter((word) => !word.startsWith('-')).length <= 1 &&
    words.every((word) => !word.startsWith('-') || /^-[aslvmLruC]+$/.test(word))
  )
}

/** Commands that change a machine: its kernel, how it boots, its users, network and file systems. */
export const machine: Family = {
  area: 'machine',
  programs: {
    insmod: { operands: 'none', first: 'execute', does: { ...kernel, never: [''] } },
    rmmod: { operands: 'none', does: { ...kernel, never: [''] } },
    modprobe: {
      operands: 'none',
      does: {
        ...kernel,
        never: [''],
        harmless: ['-n|--dry-run|-c|--showconfig|-D|--show-depends|--dump-modversions|-R'],
      },
    },
    kextload: { operands: 'none', first: 'execute', does: kernelExtension },
    kmutil: { does: kernelExtension, looks: 'showloaded|inspect|find' },
    kextunload: { does: kernelExtension },
    'grub-install update-grub': { operands: 'none', does: { ...boot, never: [''] } },
    'grub2-install': { does: { ...boot, never: [''] } },
    mokutil: {
      does: {
        ...boot,
        kind: 'weaken',
        object: 'the check of what this machine boots',
        never: ['--disable-validation|--reset|--import|-i|--delete|-d|--revoke-import|--ignore-db'],
      },
      looks: '--sb-state|--list-enrolled|-l|--list-new|-N',
    },
    efibootmgr: { does: { ...boot, never: [''], when: written(/^(?!-v$|--verbose$)./) } },
    bootctl: { does: { ...boot, never: [''], when: written(/^(?!(?:status|list)$)./) } },
    nvram: {
      does: { ...boot, never: ['-c|-d', '*'], when: written(/(?:^| )-[cd](?: |$)|^[\w-]+=/), oneDash: true },
      looks: { oneDash: true, lines: '-p [-x]' },
    },
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
    'useradd usermod': { operands: 'none', does: changedUser },
    adduser: { does: changedUser },
    passwd: {
      operands: 'none',
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
    chpasswd: { operands: 'none', does: passwords },
    newusers: { does: passwords },
    chsh: { operands: 'none', does: loginShell },
    gpasswd: { does: loginShell },
    visudo: { operands: 'none', variables: 'SUDO_EDITOR VISUAL EDITOR', does: accountFiles },
    vipw: { operands: 'none', variables: 'VISUAL EDITOR', does: accountFiles },
    vigr: { does: accountFiles },
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
      output: ({ has }) => (has('y', 'l') ? 'public' : undefined),
      options: 'a b C D E F f I M m N n O P R r s=read t V w Y z Z',
      effects(line, recorder) {
        const file = line.value('f')
        if (file === undefined) return
        if (line.has('F')) recorder.touch(file, 'read')
        else if (line.has('R', 'H')) recorder.touch(file, 'edit')
        else if (line.has('y', 'e', 'i')) recorder.touch(file, 'read')
        else if (line.has('l', 'B', 'L')) recorder.touch(file, 'names')
        else {
          recorder.touch(file, line.has('p', 'c') ? 'edit' : 'write')
          recorder.touch({ ...file, value: `${file.value}.pub` }, 'write')
        }
      },
      does: {
        kind: 'delete',
        thing: 'record',
        object: 'the known key of',
        names: '-R',
        never: ['-R'],
      },
      looks: '-l|-F [-v|-f=|-E=|-F=]',
    },
    ip: {
      options: 'n netns b=read batch=read',
      oneDash: true,
      operandsLast: true,
      operands: 'none',
      subcommands: { 'netns exec, vrf exec': { starts: { own: 1 } } },
      does: {
        ...network,
        never: ['route|r|ro|rule|addr|address|a|neigh flush|f', 'link set * down', 'link set dev * down'],
        work: ['route|r|ro add|replace|change|del|delete default'],
        says: { 'route|r|ro add|replace|change': ownNetwork },
        flags: '4 6 0',
      },
      looks: judgeIp,
      filtersPackets: true,
    },
    ifconfig: {
      operands: 'none',
      saysWhatStarts: true,
      does: { ...network, never: ['* down'] },
      looks: judgeIfconfig,
      filtersPackets: true,
    },
    route: {
      operands: 'none',
      saysWhatStarts: true,
      does: { ...network, never: ['flush', 'del|delete default'], work: ['add default'], says: { add: ownNetwork } },
      looks: '[-n|-e] ..0',
      prints: true,
    },

    mount: {
      options: 't types o options O L U label uuid T=read fstab=read target source',
      effects(line, recorder) {
        const [device, folder] = line.operands
        if (device !== undefined && /^[./]/.test(device.value)) recorder.touch(device, 'names')
        const isBound =
          line.has('bind', 'rbind', 'B', 'R', 'move', 'M') ||
          line.values('o', 'options').some(({ value }) => /\br?bind\b/.test(value))
        // What is mounted over a path is found there instead.
        recorder.touch(folder, isBound ? 'write' : 'names')
      },
      saysWhatStarts: true,
      does: {
        kind: 'change',
        object: 'the file systems of this machine',
        names: 'none',
        work: ['*', '-a|--all'],
        flags: 'l label',
        harmless: ['-f|--fake'],
      },
      looks: '[-l|-v|-V|-h|--help|--version] ..0',
      prints: true,
    },

    history: {
      showsPast: true,
      operands: 'none',
      saysWhatStarts: true,
      does: { kind: 'delete', thing: 'record', object: 'the record of what was done', names: 'none', work: ['-c|-w'] },
      looks: '!-a|-w|-r|-n|-c|-d|-s ..1',
      prints: true,
    },
    journalctl: {
      ...serviceManager,
      variables: 'SYSTEMD_PAGER PAGER',
      does: {
        kind: 'delete',
        thing: 'record',
        object: 'logs of this machine',
        names: 'none',
        work: ['--vacuum-size|--vacuum-time|--vacuum-files'],
      },
      looks: {
        valued: 'b S U g',
        lines:
          '!--vacuum-size|--vacuum-time|--vacuum-files|--rotate|--flush|--relinquish-var|--smart-relinquish-var|--sync|--setup-keys|--update-catalog|--cursor-file',
      },
    },
    timedatectl: {
      ...serviceManager,
      does: clockAndName,
      looks: '..0; status|show|list-timezones|timesync-status|show-timesync',
      prints: true,
    },
    hostnamectl: {
      ...serviceManager,
      does: clockAndName,
      looks: '..0; status ..0',
      prints: true,
    },
    kldload: { operands: 'none', first: 'execute' },
    chage: { operands: 'none', looks: '-l []', prints: true },
    ldconfig: { operands: 'none', looks: '-p|--print-cache !-C|-f|-r|-n|-l ..0', prints: true },
    'update-alternatives': {
      operands: 'none',
      looks: '--list|--display|--query|--get-selections !--set|--install|--remove|--auto|--config|--all',
    },
    'depmod groupadd groupmod chfn': { operands: 'none' },
  },
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
    'ssh-keygen -R host.example.com': 'deletes the known key of `host.example.com`, which people watch, for good',
    'ip link set dev eth0 down': 'stops the network of this machine',
    'ip link show': '',
    'sysctl vm.swappiness=1': 'changes settings of the kernel',
    'umount /mnt': 'stops file system `/mnt`',
    'mount -t tmpfs': '',
    'journalctl --vacuum-time=1d': 'deletes logs of this machine, which people watch',
  },
}

export const history = { kind: 'weaken', thing: 'record', object: 'the history of commands', names: 'none' } as const
const access = { kind: 'weaken', object: 'the access control of this machine', names: 'none' } as const

/** Commands that weaken what guards a machine: firewalls, access control, logs, virus scanners, its own backups. */
export const defences: Family = {
  area: 'defences',
  programs: {
    'aa-teardown aa-disable aa-complain': { does: { ...access, never: [''] } },
    apparmor_parser: { does: { ...access, never: [''], harmless: ['-a|-p|-Q|--add|--preprocess|--skip-kernel-load'] } },
    auditctl: {
      does: {
        kind: 'weaken',
        thing: 'record',
        object: 'the audit log',
        names: 'none',
        never: ['-D', '-e=0'],
        valued: 'e',
      },
      looks: '-l|-s []',
    },
    csrutil: {
      does: {
        kind: 'weaken',
        object: 'the protection of the system',
        names: 'none',
        never: ['disable*', 'authenticated-root disable', 'clear*'],
      },
      looks: 'status',
    },
    spctl: {
      does: {
        kind: 'weaken',
        object: 'the protection of the system',
        names: 'none',
        never: ['--master-disable|--global-disable|--disable'],
        work: ['--add'],
      },
      looks: {
        oneDash: true,
        options: 't type context',
        lines:
          '-a|--assess|--status|--disable-status|--list [-v|--verbose|--vv|--vvv|--vvvv|--raw|--ignore-cache|--no-cache|-t|--type|--context|--continue]',
      },
    },
    tmutil: {
      does: {
        thing: 'backup',
        says: {
          'delete|deletelocalsnapshots|deleteinprogress': { kind: 'delete', object: 'backup' },
          thinlocalsnapshots: { kind: 'delete', object: 'old backups', names: 'none' },
          removedestination: { kind: 'delete', object: 'the place of backups', names: 'none' },
          'disable*': { kind: 'stop', object: 'all backups of this machine', names: 'none' },
          stopbackup: { kind: 'stop', object: 'the running backup', names: 'none' },
          restore: { kind: 'overwrite', object: 'what is at', names: 'last' },
          addexclusion: { kind: 'stop', object: 'backups of' },
          'inheritbackup|associatedisk': { kind: 'change', object: 'backup', names: 'last' },
        },
        never: ['delete*', 'thinlocalsnapshots', 'removedestination', 'disable*'],
        work: ['stopbackup', 'restore', 'addexclusion', 'inheritbackup', 'associatedisk'],
      },
      looks:
        'help|version|listbackups|latestbackup|machinedirectory|destinationinfo|listlocalsnapshots|listlocalsnapshotdates|status|currentphase|isexcluded|compare|uniquesize|calculatedrift|verifychecksums',
    },
    'set-mppreference': {
      does: {
        windows: 'parameters',
        kind: 'weaken',
        object: 'the virus scanner',
        names: 'none',
        never: ['-disable*|-exclusion*'],
      },
    },
    'uninstall-windowsfeature remove-mppreference': {
      does: {
        kind: 'weaken',
        object: 'what guards this machine',
        names: 'none',
        never: [''],
      },
    },
    wevtutil: { does: { kind: 'delete', thing: 'record', object: 'log', never: ['cl|clear-log'] } },
    'clear-eventlog remove-eventlog': {
      does: { kind: 'delete', thing: 'record', object: 'logs', names: 'none', never: [''] },
    },
    setenforce: { operands: 'none', does: { ...access, never: ['0|permissive'] } },
    sestatus: { operands: 'none', looks: true, prints: true },
  },
  examples: {
    'setenforce 0': 'weakens the access control of this machine',
    'setenforce 1': '',
    'auditctl -e 0': 'weakens the audit log',
    'tmutil disable': 'stops all backups of this machine',
    'wevtutil cl System': 'deletes log `System`, which people watch, for good',
    'unset HISTFILE': 'weakens the history of commands',
    'export HISTSIZE=1000': '',
  },
}
