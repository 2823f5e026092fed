import type { Family } from '../program.ts'
import type { Deeds } from '../deeds/deeds.ts'
import { hasArguments, written } from '../deeds/written.ts'

/** Programs whose operand is the path of a disk, on which everything is lost. An image in a file is no loss. */
const whole: Deeds = { kind: 'overwrite', object: 'everything on', never: [''], when: hasArguments }
const wiped: Deeds = { ...whole, kind: 'delete' }

const makesFileSystem: Deeds = { ...whole, valued: 't type L label b C E f F? i I J m N O S T U', flags: 'f F' }

/** Makes the deeds of a program that only looks at a disk unless one of these options is given. */
const onlyWith = (...patterns: readonly string[]): Deeds => ({ ...whole, never: patterns })

const firmware: Deeds = { kind: 'overwrite', thing: 'code', object: 'the firmware of the chip', names: 'none' }

/** Commands of `parted` that change a disk. */
const changesPartitions = /^(?:mklabel|mktable|mkpart\w*|rm|resizepart|resize|set|disk_set|name|rescue|toggle|move|cp)$/

const programs: Family['programs'] = {
  mkfs: { does: { ...makesFileSystem, trials: 'n N no-action dry-run' } },
  'mkfs.': { does: { ...makesFileSystem, trials: 'n N no-action dry-run' } },
  mke2fs: { does: { ...makesFileSystem, trials: 'n' } },
  mkntfs: { does: { ...makesFileSystem, trials: 'n no-action' } },
  'newfs newfs_apfs newfs_hfs newfs_msdos': { does: { ...makesFileSystem, trials: 'N' } },
  'mkswap mkdosfs mkexfatfs mkudffs mkreiserfs': { does: makesFileSystem },
  wipefs: {
    does: {
      ...onlyWith('-a|--all|-o|--offset'),
      kind: 'delete',
      flags: 'a all f force q quiet',
      trials: 'n no-act',
    },
  },
  'wipe blkdiscard sg_format sg_sanitize flash_erase flash_eraseall': { does: { ...wiped, names: 'first' } },
  fdisk: { does: { ...whole, harmless: ['-l|-s|-x|--list|--list-details|--getsz'] } },
  cfdisk: { does: { ...whole, when: () => true } },
  sfdisk: {
    does: {
      ...whole,
      harmless: [
        '-l|-d|-n|-T|-V|-F|-q|-s|--list|--list-free|--dump|--json|--no-act|--verify|--show-size|--show-geometry|--show-pt-geometry|--list-types',
      ],
    },
  },
  gdisk: { does: { ...whole, harmless: ['-l'] } },
  cgdisk: { does: whole },
  sgdisk: {
    does: {
      ...whole,
      valued: 'N v',
      harmless: ['-p|-i|-v|-L|-F|-f|-E|-O|-P|--print|--info|--verify|--pretend|--list-types|--backup'],
      when: written(/^(?!-[pivLFfEOP])./),
    },
  },
  parted: {
    does: {
      ...whole,
      names: 'first',
      when: (_, { words }) => words.slice(1).some(({ text }) => changesPartitions.test(text)),
      flags: 's script m machine',
    },
  },
  partx: { does: onlyWith('-d|--delete|-a|--add') },
  hdparm: {
    does: {
      ...whole,
      names: 'last',
      when: written(
        /(?:^| )--(?:security-|trim-sector|make-bad|write-sector|repair-sector|fwdownload|dco-|please-destroy|sanitize-)/,
      ),
    },
  },
  sdparm: { does: { ...whole, names: 'last', when: written(/(?:^| )--(?:set|command|clear|defaults)/) } },
  badblocks: { does: onlyWith('-w|-n') },
  cryptsetup: {
    does: {
      hIsNoHelp: true,
      ...whole,
      never: ['luksformat|format|erase|lukserase|lukskillslot|luksremovekey|reencrypt|luksheaderrestore|plainopen'],
    },
  },
  veracrypt: { does: onlyWith('-C|-c|--create') },
  pvcreate: { does: { ...whole, trials: 'test t' } },
  xfs_repair: { does: { ...onlyWith('-L'), kind: 'change', object: 'everything on' } },
  debugfs: { does: { ...onlyWith('-w'), kind: 'change' } },
  bcachefs: { does: { ...whole, never: ['format'] } },
  // Their operands are names of their own, so it is known that no image in a file is meant.
  nvme: {
    does: {
      thing: 'machine',
      kind: 'delete',
      object: 'data of the disk',
      names: 'first',
      never: ['format|sanitize|delete-ns|detach-ns|write|write-zeroes|write-uncor|dsm|fw-*|security-send'],
    },
  },
  dmsetup: {
    does: {
      thing: 'machine',
      kind: 'delete',
      object: 'mapping of disks',
      never: ['remove|remove_all|wipe_table|clear'],
    },
  },
  mdadm: {
    does: {
      thing: 'machine',
      flags: 'C S f r set-faulty D',
      kind: 'change',
      object: 'array of disks',
      names: 'first',
      never: ['--zero-superblock|--create|-C|--stop|-S|--fail|-f|--remove|-r|--set-faulty'],
    },
  },
  diskutil: {
    does: {
      thing: 'machine',
      kind: 'delete',
      object: 'disk or volume',
      names: 'last',
      never: [
        'erase*|partitiondisk|reformat|zerodisk|randomdisk|secureerase|mergepartitions|splitpartition|deletecontainer|deletevolume*|destroy',
        'apfs|corestorage|cs|appleraid|ar delete*|erase*|destroy|remove',
      ],
    },
  },
  gpart: {
    does: { kind: 'change', object: 'partitions of', names: 'last', never: ['destroy|delete|create|add|modify'] },
  },
  'ceph-volume': { does: { kind: 'delete', object: 'everything on', names: 'last', never: ['* zap', 'zap'] } },
  losetup: {
    does: {
      thing: 'machine',
      kind: 'stop',
      object: 'all disk images in use',
      names: 'none',
      never: ['-D|--detach-all'],
    },
  },
  flashrom: {
    does: {
      ...firmware,
      says: { '-E|--erase': { ...firmware, kind: 'delete' } },
      valued: 'programmer write',
      work: ['-E|--erase', '-w|--write'],
    },
  },
  zfs: {
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
  lvremove: {
    does: { kind: 'delete', object: 'logical volume', thing: 'data', trial: '--test', never: [''], trials: 'test t' },
  },
  vgremove: {
    does: { kind: 'delete', object: 'volume group', thing: 'data', trial: '--test', never: [''], trials: 'test t' },
  },
  pvremove: {
    does: {
      kind: 'delete',
      object: 'physical volume',
      thing: 'data',
      trial: '--test',
      never: [''],
      trials: 'test t',
    },
  },
  lvreduce: {
    does: {
      kind: 'change',
      object: 'the size of',
      names: 'last',
      thing: 'data',
      trial: '--test',
      never: [''],
      trials: 'test t',
    },
  },
  vgreduce: {
    does: {
      kind: 'change',
      object: 'volume group',
      names: 'first',
      thing: 'data',
      trial: '--test',
      never: [''],
      trials: 'test t',
    },
  },
  lvm: {
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
}

/** Programs that format, divide and wipe disks, or delete volumes and pools on them. */
export const disks: Family = {
  area: 'disks',

  programs,
  examples: {
    'mkfs.ext4 /dev/sdb1': 'overwrites everything on `/dev/sdb1`, for good',
    'mkfs.ext4 -n /dev/sdb1': '',
    'mkfs -t xfs /dev/sdb': 'overwrites everything on `/dev/sdb`, for good',
    'wipefs /dev/sda': '',
    'wipefs -a /dev/sda': 'deletes everything on `/dev/sda`, for good',
    'parted /dev/sda mklabel gpt': 'overwrites everything on `/dev/sda`, for good',
    'parted /dev/sda print': '',
    'nvme format /dev/nvme0n1': 'deletes data of the disk `/dev/nvme0n1`, for good',
    'mdadm --stop /dev/md0': 'changes array of disks `/dev/md0`',
    'losetup -D': 'stops all disk images in use',
    'flashrom -p internal --erase': 'deletes the firmware of the chip',
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
