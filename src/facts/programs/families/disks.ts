import { hasArguments, written } from '../deeds/written.ts'
import type { Deeds } from '../deeds/deeds.ts'
import type { Row, Line } from '../row.ts'
import { makesFileSystem, onlyWith, wiped, whole, changesPartitions } from './disks-deeds.ts'
import type { Family } from '../program.ts'
import type { EffectRecorder, Role } from '../effects.ts'

const swapped: Deeds = {
  kind: 'change',
  object: 'the memory of this machine',
  names: 'none',
  work: [''],
  when: hasArguments,
  harmless: ['-s|--show|--summary'],
}

const onlyNames = ({ operands }: Line) => operands.length === 1

/** Programs that change a file system, or only look at it: by an option, without one, or with one operand. */
const looksAt: Readonly<Record<string, (line: Line) => boolean>> = {
  resize2fs: ({ given }) => given.some(({ name }) => name === 'P'),
  debugfs: ({ given }) => !given.some(({ name }) => name === 'w'),
  ntfsresize: ({ given }) => given.some(({ name }) => /^(?:i|m|info|info-mb-only|check)$/.test(name)),
  e2label: onlyNames,
  fatlabel: onlyNames,
  dosfslabel: onlyNames,
  swaplabel: ({ given }) => given.length === 0,
}

const umountRow: Row = {
  options: 't types o offset sizelimit s n',
  effects: (line, recorder) => devices(line, recorder, 'names'),
}

const mkfsRow: Row = {
  options:
    't type L label l U uuid b block-size C E extended-options F? g G i I J m M N o O q? r s S T V? n d v? c f? K? size sectors a D h',
  effects(line, recorder) {
    const isTrial = /^(?:mkfs\.(?:ext\d|ntfs)|mke2fs|mkntfs)$/.test(line.program)
      ? line.surely('n')
      : line.surely('N', 'dry-run')
    if (isTrial && line.program !== 'mkswap') return
    devices(line, recorder, 'write')
  },
}

const blkdiscardRow: Row = { options: 'o offset l length p step', operands: 'write', shortHelp: true }

const hdparmRow: Row = {
  options: 's namespace-id n l lbaf security-erase security-set-pass a A d',
  effects(line, recorder) {
    const writes =
      line.program.startsWith('sg_') ||
      line.operands.some(({ value }) => /^(?:format|sanitize|write|dsm)$/.test(value)) ||
      line.given.some(({ name }) => /^(?:security-erase|trim-sector|write-sector|make-bad)/.test(name))
    devices(line, recorder, writes ? 'write' : 'names')
  },
}

const fdiskRow: Row = {
  options:
    'b sector-size c? u? C cylinders H heads S sectors L? t type w wipe W wipe-partitions o output N partno X label Y part-uuid part-type part-label part-attrs disk-id d? delete? +list +dump +no-act +json',
  effects(line, recorder) {
    const looks =
      line.has('l', 'list', 'd', 'dump', 'n', 'no-act', 'J', 'json', 's', 'x', 'F', 'V', 'verify', 'g') &&
      !line.has('delete', 'wipe')
    devices(line, recorder, looks ? 'names' : 'write')
  },
}

const partedRow: Row = {
  options: 'a align',
  effects(line, recorder) {
    const [device, verb] = line.operands
    const looks =
      line.has('l', 'list') || verb === undefined || /^(?:print|p|unit|help|align-check|quit)$/.test(verb.value)
    recorder.touch(device, looks ? 'names' : 'write')
  },
}

const pvcreateRow: Row = {
  options: 'L l n name s size u uuid config +test +force',
  shortHelp: true,
  effects(line, recorder) {
    if (!line.has('t', 'test')) devices(line, recorder, 'write')
  },
}

const fsckRow: Row = {
  options: 't C? b B j l L i c m r u g e E I o O U T f? R w?',
  effects: (line, recorder) =>
    devices(
      line,
      recorder,
      line.surely('n', 'N', 'dry-run') || looksAt[line.program]?.(line) === true ? 'read' : 'write',
    ),
}

const diskutilRow: Row = {
  effects(line, recorder) {
    const [verb, ...rest] = line.operands
    const writes =
      verb !== undefined &&
      /^(?:erase|partition|reformat|secureerase|zerodisk|randomdisk|restore|create)/i.test(verb.value)
    for (const word of rest) if (word.value.startsWith('/')) recorder.touch(word, writes ? 'write' : 'names')
  },
}

/** Programs that write to whole disks, partitions or volumes. */
export const disks: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    mkfs: { ...mkfsRow, does: { area: 'disks', ...makesFileSystem, trials: 'n N no-action dry-run' } },
    'mkfs.': { ...mkfsRow, does: { area: 'disks', ...makesFileSystem, trials: 'n N no-action dry-run' } },
    mke2fs: { ...mkfsRow, does: { area: 'disks', ...makesFileSystem, trials: 'n' } },
    mkntfs: { ...mkfsRow, does: { area: 'disks', ...makesFileSystem, trials: 'n no-action' } },
    'newfs newfs_msdos': { ...mkfsRow, does: { area: 'disks', ...makesFileSystem, trials: 'N' } },
    'mkswap mkdosfs mkexfatfs mkudffs mkreiserfs': { ...mkfsRow, does: { area: 'disks', ...makesFileSystem } },
    fdisk: {
      ...fdiskRow,
      does: { area: 'disks', ...whole, harmless: ['-l|-s|-x|--list|--list-details|--getsz'] },
      looks: '-l|--list !-w',
      prints: true,
    },
    cfdisk: { ...fdiskRow, does: { area: 'disks', ...whole, when: () => true } },
    sfdisk: {
      ...fdiskRow,
      does: {
        area: 'disks',
        ...whole,
        harmless: [
          '-l|-d|-n|-T|-V|-F|-q|-s|--list|--list-free|--dump|--json|--no-act|--verify|--show-size|--show-geometry|--show-pt-geometry|--list-types',
        ],
      },
      looks: '-l|-d|--list|--dump',
      prints: true,
    },
    gdisk: { ...fdiskRow, does: { area: 'disks', ...whole, harmless: ['-l'] } },
    cgdisk: { ...fdiskRow, does: { area: 'disks', ...whole } },
    sgdisk: {
      options:
        'n new d delete t typecode c change-name a set-alignment b=write backup=write l=read load-backup=read r replicate u U i info A attributes R=write',
      effects: (line, recorder) =>
        devices(
          line,
          recorder,
          line.surely('P', 'pretend') ||
            (line.has('p', 'print', 'i', 'info', 'v', 'verify', 'L', 'D', 'E', 'F', 'S') &&
              !line.has('Z', 'z', 'zap', 'zap-all', 'd', 'n', 'o', 'clear'))
            ? 'names'
            : 'write',
        ),
      does: {
        area: 'disks',
        ...whole,
        valued: 'N v',
        harmless: ['-p|-i|-v|-L|-F|-f|-E|-O|-P|--print|--info|--verify|--pretend|--list-types|--backup'],
        when: written(/^(?!-[pivLFfEOP])./),
      },
    },
    parted: {
      ...partedRow,
      does: {
        area: 'disks',
        ...whole,
        names: 'first',
        when: (_, { words }) => words.slice(1).some(({ text }) => changesPartitions.test(text)),
        flags: 's script m machine',
      },
      looks: '-l|--list',
      prints: true,
    },
    partx: { ...partedRow, does: { area: 'disks', ...onlyWith('-d|--delete|-a|--add') } },
    wipefs: {
      options: 't types o offset O output backup?',
      shortHelp: true,
      effects: (line, recorder) =>
        devices(
          line,
          recorder,
          line.has('a', 'all', 'o', 'offset', 'f', 'force') && !line.surely('n', 'no-act') ? 'write' : 'names',
        ),
      does: {
        area: 'disks',
        ...onlyWith('-a|--all|-o|--offset'),
        kind: 'delete',
        flags: 'a all f force q quiet',
        trials: 'n no-act',
      },
    },
    blkdiscard: { ...blkdiscardRow, does: { area: 'disks', ...wiped, names: 'first' } },
    'zramctl blkzone': { ...blkdiscardRow },

    pvcreate: { ...pvcreateRow, does: { area: 'disks', ...whole, trials: 'test t' } },
    lvremove: {
      ...pvcreateRow,
      does: {
        area: 'disks',
        kind: 'delete',
        object: 'logical volume',
        thing: 'data',
        trial: '--test',
        never: [''],
        trials: 'test t',
      },
    },
    vgremove: {
      ...pvcreateRow,
      does: {
        area: 'disks',
        kind: 'delete',
        object: 'volume group',
        thing: 'data',
        trial: '--test',
        never: [''],
        trials: 'test t',
      },
    },
    pvremove: {
      ...pvcreateRow,
      does: {
        area: 'disks',
        kind: 'delete',
        object: 'physical volume',
        thing: 'data',
        trial: '--test',
        never: [''],
        trials: 'test t',
      },
    },
    lvreduce: {
      ...pvcreateRow,
      does: {
        area: 'disks',
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
      ...pvcreateRow,
      does: {
        area: 'disks',
        kind: 'change',
        object: 'volume group',
        names: 'first',
        thing: 'data',
        trial: '--test',
        never: [''],
        trials: 'test t',
      },
    },
    'vgcreate vgextend lvresize pvmove pvresize': { ...pvcreateRow },
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
        area: 'disks',
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
      does: { area: 'disks', ...whole, never: ['format'] },
    },
    zfs: {
      effects: (line, recorder) => devices(line, recorder, 'names'),
      does: {
        area: 'disks',
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
        area: 'disks',
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
        area: 'disks',
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
    'sg_format sg_sanitize': { ...hdparmRow, does: { area: 'disks', ...wiped, names: 'first' } },
    hdparm: {
      ...hdparmRow,
      does: {
        area: 'disks',
        ...whole,
        names: 'last',
        when: written(
          /(?:^| )--(?:security-|trim-sector|make-bad|write-sector|repair-sector|fwdownload|dco-|please-destroy|sanitize-)/,
        ),
      },
    },
    // Their operands are names of their own, so it is known that no image in a file is meant.
    nvme: {
      ...hdparmRow,
      does: {
        area: 'disks',
        thing: 'machine',
        kind: 'delete',
        object: 'data of the disk',
        names: 'first',
        never: ['format|sanitize|delete-ns|detach-ns|write|write-zeroes|write-uncor|dsm|fw-*|security-send'],
      },
    },
    smartctl: { ...hdparmRow },
    tune2fs: {
      options: 'c C e E g i I J j? L m M o O Q r T u U z',
      effects: (line, recorder) =>
        devices(
          line,
          recorder,
          line.given.length > 0 && line.given.every(({ name }) => name === 'l') ? 'read' : 'write',
        ),
    },
    xfs_repair: { ...fsckRow, does: { area: 'disks', ...onlyWith('-L'), kind: 'change', object: 'everything on' } },
    debugfs: { ...fsckRow, does: { area: 'disks', ...onlyWith('-w'), kind: 'change' } },
    'fsck fsck. e2fsck ntfsfix resize2fs e2label xfs_growfs ntfsresize fatlabel dosfslabel swaplabel fstrim': {
      ...fsckRow,
    },

    swapoff: { ...umountRow, does: { area: 'machine', ...swapped } },
    swapon: {
      ...umountRow,
      does: { area: 'machine', ...swapped },
      looks: '[-s|--show|--bytes|--noheadings|--raw] ..0',
      prints: true,
    },
    umount: {
      ...umountRow,
      does: {
        area: 'machine',
        kind: 'stop',
        object: 'file system',
        work: ['*', '-a|--all'],
        valued: 'O',
        flags: 'l lazy',
        harmless: ['--fake'],
      },
    },
    dmsetup: {
      ...umountRow,
      does: {
        area: 'disks',
        thing: 'machine',
        kind: 'delete',
        object: 'mapping of disks',
        never: ['remove|remove_all|wipe_table|clear'],
      },
    },
    losetup: {
      ...umountRow,
      does: {
        area: 'disks',
        thing: 'machine',
        kind: 'stop',
        object: 'all disk images in use',
        names: 'none',
        never: ['-D|--detach-all'],
      },
      looks: '[-a|-l|-J|--all|--list|--json] ..0',
      prints: true,
    },
    lvm: {
      ...umountRow,
      does: {
        area: 'disks',
        thing: 'data',
        says: {
          'lvremove|vgremove|pvremove': { kind: 'delete', object: 'volume' },
          lvreduce: { kind: 'change', object: 'the size of', names: 'last' },
        },
        never: ['lvremove|vgremove|pvremove|lvreduce|vgreduce|pvcreate'],
        trials: 'test t',
      },
    },
    blkid: { ...umountRow, looks: '!-g|-w', prints: true },
    'eject partprobe kpartx blockdev udevadm lvs vgs pvs vgdisplay lvdisplay pvdisplay': { ...umountRow },
    diskutil: {
      ...diskutilRow,
      does: {
        area: 'disks',
        thing: 'machine',
        kind: 'delete',
        object: 'disk or volume',
        names: 'last',
        never: [
          'erase*|partitiondisk|reformat|zerodisk|randomdisk|secureerase|mergepartitions|splitpartition|deletecontainer|deletevolume*|destroy',
          'apfs|corestorage|cs|appleraid|ar delete*|erase*|destroy|remove',
        ],
      },
      looks: 'list|info|listFilesystems',
    },
    hdiutil: {
      ...diskutilRow,
      looks: { oneDash: true, lines: 'info|imageinfo|help|verify|checksum|pmap|plugins|isencrypted|fsid' },
    },
    asr: { ...diskutilRow, looks: 'info' },
    'ddrescue dcfldd dc3dd': {
      options: 'b i=read o s L',
      effects(line, recorder) {
        const [from, to] = line.operands
        for (const word of line.operands) {
          if (word.value.startsWith('if=')) recorder.touch({ ...word, value: word.value.slice(3) }, 'read')
          else if (/^(?:of|hof)=/.test(word.value))
            recorder.touch({ ...word, value: word.value.slice(word.value.indexOf('=') + 1) }, 'write')
        }
        if (line.program === 'ddrescue') {
          recorder.touch(from, 'read')
          recorder.touch(to, 'write')
        }
      },
    },

    'balena-etcher': { options: 'r=write w=read v=read p c U' },
  },
}

/** Records the operands that are paths. Sizes, verbs and names of volume groups may stand between them. */
function devices(line: Line, recorder: EffectRecorder, role: Role): void {
  for (const word of line.operands) if (/^[./~\uFDD0]|^[A-Za-z]:/.test(word.value)) recorder.touch(word, role)
  // One row has the options of several programs, so the value of a supposed option may be the disk operand.
  for (const { value } of line.given) if (value.value.startsWith('/dev/')) recorder.touch(value, role)
}
