import type { Family } from '../program.ts'
import type { Deeds } from '../deeds/deeds.ts'
import { hasArguments, written } from '../deeds/written.ts'

/** Programs whose operand is the path of a disk, on which everything is lost. An image in a file is no loss. */
export const whole: Deeds = { kind: 'overwrite', object: 'everything on', never: [''], when: hasArguments }
export const wiped: Deeds = { ...whole, kind: 'delete' }

export const makesFileSystem: Deeds = { ...whole, valued: 't type L label b C E f F? i I J m N O S T U', flags: 'f F' }

/** Makes the deeds of a program that only looks at a disk unless one of these options is given. */
export const onlyWith = (...patterns: readonly string[]): Deeds => ({ ...whole, never: patterns })

const firmware: Deeds = { kind: 'overwrite', thing: 'code', object: 'the firmware of the chip', names: 'none' }

/** Commands of `parted` that change a disk. */
export const changesPartitions =
  /^(?:mklabel|mktable|mkpart\w*|rm|resizepart|resize|set|disk_set|name|rescue|toggle|move|cp)$/

const programs: Family['programs'] = {
  'newfs_apfs newfs_hfs': { does: { ...makesFileSystem, trials: 'N' } },

  'flash_erase flash_eraseall': { does: { ...wiped, names: 'first' } },

  sdparm: { does: { ...whole, names: 'last', when: written(/(?:^| )--(?:set|command|clear|defaults)/) } },
  badblocks: {
    options: 'b c d e i=read o=write p t',
    effects: (line, recorder) => recorder.touch(line.operands[0], line.has('w', 'n') ? 'write' : 'read'),
    saysWhatStarts: true,
    does: onlyWith('-w|-n'),
  },
  cryptsetup: {
    options:
      'c cipher s key-size h hash d=read key-file=read S key-slot header=read header-backup-file=write type iter-time',
    effects(line, recorder) {
      const [verb, ...rest] = line.operands
      const writes =
        verb !== undefined &&
        /^(?:luksformat|erase|lukserase|reencrypt|lukskillslot|luksremovekey|format|luksheaderrestore)$/i.test(
          verb.value,
        )
      for (const word of rest.slice(0, 1)) recorder.touch(word, writes ? 'write' : 'names')
    },
    saysWhatStarts: true,
    does: {
      hIsNoHelp: true,
      ...whole,
      never: ['luksformat|format|erase|lukserase|lukskillslot|luksremovekey|reencrypt|luksheaderrestore|plainopen'],
    },
  },
  veracrypt: { does: onlyWith('-C|-c|--create') },

  gpart: {
    does: { kind: 'change', object: 'partitions of', names: 'last', never: ['destroy|delete|create|add|modify'] },
  },
  'ceph-volume': { does: { kind: 'delete', object: 'everything on', names: 'last', never: ['* zap', 'zap'] } },

  flashrom: {
    options: 'r=write w=read v=read p c U',
    saysWhatStarts: true,
    does: {
      ...firmware,
      says: { '-E|--erase': { ...firmware, kind: 'delete' } },
      valued: 'programmer write',
      work: ['-E|--erase', '-w|--write'],
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
