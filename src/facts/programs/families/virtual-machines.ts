import { sshOption } from '../row.ts'
import { inside, onlyExec } from './containers.ts'
import type { Family } from '../program.ts'

/** Virtual machines, and the Linux of Windows. */
export const virtualMachines: Family = {
  area: 'containers',
  programs: {
    virsh: {
      does: {
        says: {
          undefine: { kind: 'delete', object: 'virtual machine' },
          'vol-*': { kind: 'delete', object: 'volume', names: 'first' },
          'pool-delete|pool-undefine': { kind: 'delete', object: 'storage pool' },
          'pool-destroy': { kind: 'stop', object: 'storage pool' },
          'net-destroy': { kind: 'stop', object: 'network' },
          'net-undefine': { kind: 'delete', object: 'network' },
          'snapshot-delete|checkpoint-delete': { kind: 'delete', object: 'snapshot', names: 'last' },
          'secret-undefine': { kind: 'delete', object: 'secret' },
          'managedsave-remove': { kind: 'delete', object: 'the saved state of', thing: 'data' },
          reset: { kind: 'restart', object: 'virtual machine' },
          destroy: { kind: 'stop', object: 'virtual machine' },
        },
        valued: 'c',
        never: [
          'undefine',
          'vol-delete',
          'vol-wipe',
          'pool-delete',
          'net-undefine',
          'snapshot-delete',
          'checkpoint-delete',
          'secret-undefine',
        ],
        work: ['destroy', 'pool-destroy', 'net-destroy', 'pool-undefine', 'reset', 'managedsave-remove'],
      },
    },
    vboxmanage: {
      does: {
        says: {
          closemedium: { kind: 'delete', object: 'disk', names: 'last' },
          snapshot: { kind: 'delete', object: 'snapshot', names: 'last' },
          'hostonlyif|natnetwork': { kind: 'delete', object: 'network', names: 'last' },
          controlvm: { kind: 'stop', object: 'virtual machine', names: 'none' },
          unregistervm: { kind: 'delete', object: 'virtual machine' },
        },
        never: [
          'unregistervm --delete',
          'closemedium --delete',
          'snapshot * delete',
          'hostonlyif remove',
          'natnetwork remove',
        ],
        work: ['controlvm * poweroff|reset', 'unregistervm'],
      },
    },
    prlctl: {
      does: {
        kind: 'delete',
        object: 'virtual machine',
        names: 'first',
        says: {
          'snapshot-delete': { kind: 'delete', object: 'snapshot of', names: 'first' },
        },
        never: ['delete', 'snapshot-delete', 'unregister'],
      },
    },
    qm: {
      does: {
        says: {
          destroy: { kind: 'delete', object: 'virtual machine, with its disks', thing: 'data', names: 'first' },
          delsnapshot: { kind: 'delete', object: 'snapshot', names: 'last' },
          rollback: { kind: 'rollback', object: 'virtual machine', names: 'first' },
          stop: { kind: 'stop', object: 'virtual machine' },
          reset: { kind: 'restart', object: 'virtual machine' },
          'template|unlink': { kind: 'change', object: 'virtual machine', names: 'first' },
        },
        never: ['destroy', 'delsnapshot', 'template'],
        work: ['stop', 'reset', 'rollback', 'unlink'],
      },
    },
    colima: {
      subcommands: { ssh: { starts: { dashes: true, elsewhere: true } } },
      does: {
        says: {
          delete: { kind: 'delete', object: 'the virtual machine of containers, with its data', names: 'none' },
          prune: { kind: 'delete', object: 'the cache of images', names: 'none' },
        },
        work: ['delete', 'prune'],
      },
    },
    // The shell of the distribution gets the words.
    wsl: {
      options: 'd distribution u user cd shell-type system',
      wholeNames: true,
      starts: { joined: 'e exec' },
      does: {
        kind: 'delete',
        object: 'Linux distribution, with its files',
        names: '--unregister',
        thing: 'data',
        never: ['--unregister'],
      },
    },
    govc: {
      does: {
        kind: 'delete',
        names: 'last',
        says: {
          'vm.power': { kind: 'stop', object: 'virtual machine', names: 'last' },
          'host.maintenance.enter|host.shutdown': { kind: 'stop', object: 'host', names: 'last' },
          'datastore.rm': { kind: 'delete', object: 'file of a datastore', thing: 'data', names: 'last' },
        },
        oneDash: true,
        never: [
          'vm.destroy|datastore.rm|pool.destroy|folder.destroy|object.destroy|snapshot.remove|cluster.rule.remove|disk.rm|library.rm|host.remove',
        ],
        work: ['vm.power --off', 'host.maintenance.enter', 'host.shutdown'],
      },
    },
    multipass: {
      ...onlyExec,
      does: {
        says: {
          purge: { kind: 'delete', object: 'all deleted virtual machines', names: 'none' },
          delete: { kind: 'delete', object: 'virtual machine' },
        },
        work: ['delete', 'purge'],
      },
    },
    vagrant: {
      obeys: { when: /^(?:up|provision|reload)\b/, files: /^Vagrantfile$/ },
      subcommands: { ssh: sshOption('p', 'c command') },
      does: {
        area: 'infrastructure-as-code',
        says: {
          destroy: { kind: 'delete', object: 'virtual machine' },
          'box remove': { kind: 'delete', object: 'box' },
          'box prune': { kind: 'delete', object: 'old boxes', names: 'none' },
          'snapshot restore': { kind: 'rollback', object: 'virtual machine', names: 'none' },
          snapshot: { kind: 'delete', object: 'snapshot', names: 'last' },
          plugin: { kind: 'delete', object: 'plugins', names: 'none' },
          'global-status': { kind: 'delete', object: 'stale entries', names: 'none' },
        },
        work: [
          'destroy',
          'box remove|prune',
          'snapshot delete',
          'snapshot restore',
          'plugin uninstall|expunge',
          'global-status --prune',
        ],
      },
      looks: 'status|global-status|port|ssh-config|version|validate; box|plugin|snapshot list',
    },
    limactl: {
      subcommands: { shell: inside },
      does: {
        says: {
          'delete|remove|rm': { kind: 'delete', object: 'virtual machine' },
          'factory-reset': { kind: 'overwrite', object: 'virtual machine' },
          prune: { kind: 'delete', object: 'the cache of images', names: 'none' },
          snapshot: { kind: 'delete', object: 'snapshot of', names: 'first' },
        },
        work: ['delete|remove|rm', 'factory-reset', 'prune', 'snapshot delete', 'disk delete'],
      },
    },
  },
  examples: {
    'virsh undefine db --remove-all-storage': 'deletes virtual machine `db`, for good',
    'virsh destroy db': 'stops a virtual machine',
    'qm destroy 100': 'deletes virtual machine `100`, with its disks, for good',
    'multipass delete dev': 'deletes virtual machine `dev`',
    'wsl --unregister Ubuntu': 'deletes Linux distribution `Ubuntu`, with its files, for good',
    'vboxmanage controlvm web poweroff': 'stops a virtual machine',
    'limactl factory-reset dev': 'overwrites virtual machine `dev`',
    'govc vm.destroy web': 'deletes virtual machine `web`, for good',
    'colima delete': 'deletes the virtual machine of containers, with its data',
    'prlctl delete web': 'deletes virtual machine `web`, for good',
    'virsh list': '',
  },
}
