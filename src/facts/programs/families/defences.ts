import type { Family } from '../program.ts'
import { written } from '../deeds/deeds.ts'

export const history = { kind: 'weaken', thing: 'record', object: 'the history of commands', names: 'none' } as const
const access = { kind: 'weaken', object: 'the access control of this machine', names: 'none' } as const

/** Commands that weaken what guards a machine: firewalls, access control, logs, virus scanners, its own backups. */
export const defences: Family = {
  area: 'defences',
  programs: {
    pfctl: {
      does: {
        kind: 'weaken',
        object: 'the firewall of this machine',
        thing: 'guard',
        names: 'none',
        never: ['-d|-F'],
        valued: 'f F t T s',
      },
    },

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
      does: { kind: 'weaken', object: 'the protection of the system', names: 'none', never: ['disable*', 'clear*'] },
      looks: 'status',
    },
    spctl: {
      does: {
        kind: 'weaken',
        object: 'the protection of the system',
        names: 'none',
        never: ['--master-disable|--global-disable|--disable'],
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
        oneDash: true,
        kind: 'weaken',
        object: 'the virus scanner',
        names: 'none',
        never: [''],
        when: written(/-Disable|-Exclusion/i),
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
    'pfctl -d': 'weakens the firewall of this machine',
    'pfctl -sr': '',
    'tmutil disable': 'stops all backups of this machine, from which other things are restored',
    'wevtutil cl System': 'deletes log `System`, by which people learn what happens, for good',
    'unset HISTFILE': 'weakens the history of commands',
    'export HISTSIZE=1000': '',
  },
}
