import type { Deeds } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import type { Row } from '../row.ts'
import { devices, mounting, whole } from './disks.ts'

const volumeTool: Row = {
  options: 'L l n name s size u uuid config +test +force',
  shortHelp: true,
  effects(line, recorder) {
    if (!line.has('t', 'test')) devices(line, recorder, 'write')
  },
}

/** What a command of LVM does to a volume or group: it can try that first. */
const volumeDeeds = (deeds: Deeds): Deeds => ({
  ...deeds,
  thing: 'data',
  trial: '--test',
  never: [''],
  trials: 'test t',
})

/** Volumes, pools and arrays that span disks: LVM, ZFS, Btrfs, mdadm. */
export const volumes: Family = {
  area: 'disks',
  rows: { saysWhatStarts: true },
  programs: {
    pvcreate: { ...volumeTool, does: { ...whole, trials: 'test t' } },
    lvremove: { ...volumeTool, does: volumeDeeds({ kind: 'delete', object: 'logical volume' }) },
    vgremove: { ...volumeTool, does: volumeDeeds({ kind: 'delete', object: 'volume group' }) },
    pvremove: { ...volumeTool, does: volumeDeeds({ kind: 'delete', object: 'physical volume' }) },
    lvreduce: { ...volumeTool, does: volumeDeeds({ kind: 'change', object: 'the size of', names: 'last' }) },
    vgreduce: { ...volumeTool, does: volumeDeeds({ kind: 'change', object: 'volume group', names: 'first' }) },
    'vgcreate vgextend lvresize pvmove pvresize': { ...volumeTool },
    lvm: {
      ...mounting,
      does: {
        thing: 'data',
        says: {
          'lvremove|vgremove|pvremove': { kind: 'delete', object: 'volume' },
          lvreduce: { kind: 'change', object: 'the size of', names: 'last' },
        },
        never: ['lvremove|vgremove|pvremove|lvreduce|vgreduce|pvcreate'],
        trials: 'test t',
      },
    },
    mdadm: {
      options:
        'l level n raid-devices x spare-devices c=read config=read e metadata N name u uuid +zero-superblock +create +stop +fail +remove +examine +detail +assemble +query',
      effects: (line, recorder) =>
        devices(
          line,
          recorder,
          line.has('zero-superblock', 'create', 'C', 'fail', 'f', 'remove', 'r', 'stop', 'S') ? 'write' : 'names',
        ),
      does: {
        thing: 'machine',
        flags: 'C S f r set-faulty D',
        kind: 'change',
        object: 'array of disks',
        names: 'first',
        never: ['--zero-superblock|--create|-C|--stop|-S|--fail|-f|--remove|-r|--set-faulty'],
      },
    },
    bcachefs: {
      effects: (line, recorder) => devices(line, recorder, 'names'),
      does: { ...whole, never: ['format'] },
    },
    zfs: {
      effects: (line, recorder) => devices(line, recorder, 'names'),
      does: {
        thing: 'data',
        says: {
          destroy: { kind: 'delete', object: 'dataset, with everything in it', trial: '-nv' },
          rollback: { kind: 'rollback', object: 'dataset', thing: 'data' },
          'receive|recv': { kind: 'overwrite', object: 'dataset', names: 'last' },
          'change-key': { kind: 'overwrite', object: 'the key of', thing: 'secret' },
          'unload-key': { kind: 'stop', object: 'dataset' },
          'promote|rename': { kind: 'change', object: 'dataset', names: 'first' },
          release: { kind: 'weaken', object: 'the hold on', thing: 'guard', names: 'last' },
          'unallow|allow': { kind: 'change', object: 'the rights on', thing: 'account', names: 'last' },
          'unmount|unshare': { kind: 'stop', object: 'dataset' },
        },
        never: ['destroy', 'rollback -r|-R|-f', 'receive|recv -F', 'change-key', 'unload-key', 'allow --destroy'],
        work: ['rollback', 'promote', 'rename', 'unmount', 'release', 'unallow', 'unshare'],
        trials: 'n',
      },
    },
    zpool: {
      effects: (line, recorder) => devices(line, recorder, 'names'),
      does: {
        thing: 'data',
        kind: 'change',
        object: 'storage pool',
        names: 'first',
        says: {
          destroy: { kind: 'delete', object: 'storage pool, with everything in it', thing: 'data' },
          labelclear: { kind: 'delete', object: 'the label of', names: 'last' },
          create: { kind: 'overwrite', object: 'the disks of', names: 'first', thing: 'data' },
          export: { kind: 'stop', object: 'storage pool' },
        },
        never: ['destroy', 'labelclear', 'remove', 'export -f', 'detach', 'split', 'import -F', 'offline', 'create'],
        work: ['export', 'clear', 'reguid', 'replace', 'trim', 'initialize'],
        trials: 'n',
      },
    },
    btrfs: {
      effects: (line, recorder) => devices(line, recorder, 'names'),
      does: {
        thing: 'data',
        says: {
          subvolume: { kind: 'delete', object: 'subvolume', thing: 'data' },
          device: { kind: 'delete', object: 'disk of the file system', names: 'first' },
          'check|rescue': { kind: 'change', object: 'the file system on', names: 'last', thing: 'data' },
          filesystem: { kind: 'change', object: 'the size of', names: 'last', thing: 'data' },
          qgroup: { kind: 'delete', object: 'quota group', thing: 'data', names: 'first' },
          quota: { kind: 'stop', object: 'quotas of', names: 'last' },
          replace: { kind: 'overwrite', object: 'disk', names: 'last' },
          'balance|property|restore': { kind: 'change', object: 'the file system', names: 'none' },
        },
        never: [
          'subvolume delete',
          'device delete|remove',
          'check --repair',
          'rescue *',
          'filesystem resize',
          'qgroup remove',
        ],
        work: ['balance start', 'property set', 'qgroup destroy', 'quota disable', 'replace start', 'restore'],
      },
    },
  },
  examples: {
    'mdadm --stop /dev/md0': 'changes array of disks `/dev/md0`',
    'zfs destroy -r tank/home': 'deletes dataset `tank/home`, with everything in it, for good',
    'zfs destroy -nv tank/home': '',
    'zfs rollback tank/home@monday': 'rolls back dataset `tank/home@monday`',
    'zpool destroy tank': 'deletes storage pool `tank`, with everything in it, for good',
    'btrfs subvolume delete /mnt/@home': 'deletes subvolume `/mnt/@home`, for good',
    'lvremove -f vg/data': 'deletes logical volume `vg/data`, for good',
    'lvremove --test vg/data': '',
    'lvreduce -L 5G vg/data': 'changes the size of `vg/data`',
    'zfs list': '',
  },
}
