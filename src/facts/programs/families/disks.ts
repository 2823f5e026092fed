import type { Family } from '../program.ts'
import type { EffectRecorder, Role } from '../effects.ts'
import type { Line } from '../row.ts'

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

/** Programs that write to whole disks, partitions or volumes. */
export const disks: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    'mkfs mkfs. mke2fs mkdosfs mkntfs mkswap mkreiserfs newfs newfs_msdos mkexfatfs mkudffs': {
      options:
        't type L label l U uuid b block-size C E extended-options F? g G i I J m M N o O q? r s S T V? n d v? c f? K? size sectors a D h',
      effects(line, recorder) {
        const isTrial = /^(?:mkfs\.(?:ext\d|ntfs)|mke2fs|mkntfs)$/.test(line.program)
          ? line.surely('n')
          : line.surely('N', 'dry-run')
        if (isTrial && line.program !== 'mkswap') return
        devices(line, recorder, 'write')
      },
    },
    'fdisk cfdisk sfdisk gdisk cgdisk': {
      options:
        'b sector-size c? u? C cylinders H heads S sectors L? t type w wipe W wipe-partitions o output N partno X label Y part-uuid part-type part-label part-attrs disk-id d? delete? +list +dump +no-act +json',
      effects(line, recorder) {
        const looks =
          line.has('l', 'list', 'd', 'dump', 'n', 'no-act', 'J', 'json', 's', 'x', 'F', 'V', 'verify', 'g') &&
          !line.has('delete', 'wipe')
        devices(line, recorder, looks ? 'names' : 'write')
      },
    },
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
    },
    'parted partx': {
      options: 'a align',
      effects(line, recorder) {
        const [device, verb] = line.operands
        const looks =
          line.has('l', 'list') || verb === undefined || /^(?:print|p|unit|help|align-check|quit)$/.test(verb.value)
        recorder.touch(device, looks ? 'names' : 'write')
      },
    },
    wipefs: {
      options: 't types o offset O output backup?',
      shortHelp: true,
      effects: (line, recorder) =>
        devices(
          line,
          recorder,
          line.has('a', 'all', 'o', 'offset', 'f', 'force') && !line.surely('n', 'no-act') ? 'write' : 'names',
        ),
    },
    'blkdiscard zramctl blkzone': { options: 'o offset l length p step', operands: 'write', shortHelp: true },
    badblocks: {
      options: 'b c d e i=read o=write p t',
      effects: (line, recorder) => recorder.touch(line.operands[0], line.has('w', 'n') ? 'write' : 'read'),
    },
    'pvcreate pvremove vgcreate vgremove vgreduce vgextend lvremove lvreduce lvresize pvmove pvresize': {
      options: 'L l n name s size u uuid config +test +force',
      shortHelp: true,
      effects(line, recorder) {
        if (!line.has('t', 'test')) devices(line, recorder, 'write')
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
    },
    'zpool zfs btrfs bcachefs': { effects: (line, recorder) => devices(line, recorder, 'names') },
    'hdparm nvme sg_format sg_sanitize smartctl': {
      options: 's namespace-id n l lbaf security-erase security-set-pass a A d',
      effects(line, recorder) {
        const writes =
          line.program.startsWith('sg_') ||
          line.operands.some(({ value }) => /^(?:format|sanitize|write|dsm)$/.test(value)) ||
          line.given.some(({ name }) => /^(?:security-erase|trim-sector|write-sector|make-bad)/.test(name))
        devices(line, recorder, writes ? 'write' : 'names')
      },
    },
    tune2fs: {
      options: 'c C e E g i I J j? L m M o O Q r T u U z',
      effects: (line, recorder) =>
        devices(
          line,
          recorder,
          line.given.length > 0 && line.given.every(({ name }) => name === 'l') ? 'read' : 'write',
        ),
    },
    'fsck fsck. e2fsck xfs_repair ntfsfix resize2fs e2label xfs_growfs ntfsresize fatlabel dosfslabel debugfs swaplabel fstrim':
      {
        options: 't C? b B j l L i c m r u g e E I o O U T f? R w?',
        effects: (line, recorder) =>
          devices(
            line,
            recorder,
            line.surely('n', 'N', 'dry-run') || looksAt[line.program]?.(line) === true ? 'read' : 'write',
          ),
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
    },
    'umount eject losetup swapon swapoff partprobe kpartx blockdev blkid dmsetup udevadm lvs vgs pvs vgdisplay lvdisplay pvdisplay lvm':
      {
        options: 't types o offset sizelimit s n',
        effects: (line, recorder) => devices(line, recorder, 'names'),
      },
    'diskutil hdiutil asr': {
      effects(line, recorder) {
        const [verb, ...rest] = line.operands
        const writes =
          verb !== undefined &&
          /^(?:erase|partition|reformat|secureerase|zerodisk|randomdisk|restore|create)/i.test(verb.value)
        for (const word of rest) if (word.value.startsWith('/')) recorder.touch(word, writes ? 'write' : 'names')
      },
    },
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
    'flashrom fastboot esptool avrdude balena-etcher': { options: 'r=write w=read v=read p c U' },
  },
}

/** Records the operands that are paths. Sizes, verbs and names of volume groups may stand between them. */
function devices(line: Line, recorder: EffectRecorder, role: Role): void {
  for (const word of line.operands) if (/^[./~\uFDD0]|^[A-Za-z]:/.test(word.value)) recorder.touch(word, role)
  // One row has the options of several programs, so the value of a supposed option may be the disk operand.
  for (const { value } of line.given) if (value.value.startsWith('/dev/')) recorder.touch(value, role)
}
