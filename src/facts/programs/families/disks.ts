import { hasArguments, written, type Deeds } from '../deeds/deeds.ts'
import type { Row, Line } from '../row.ts'
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

/** Programs whose operand is the path of a disk, on which everything is lost. An image in a file is no loss. */
export const whole: Deeds = {
  kind: 'overwrite',
  object: 'everything on',
  extent: 'all',
  never: [''],
  when: hasArguments,
}

export const wiped: Deeds = { ...whole, kind: 'delete' }

const controller: Deeds = {
  area: 'storage',
  kind: 'delete',
  object: 'the disks of the controller',
  names: 'none',
}

const makesFileSystem: Deeds = { ...whole, valued: 't type L label b C E f F? i I J m N O S T U', flags: 'f F' }

/** Makes the deeds of a program that only looks at a disk unless one of these options is given. */
const onlyWith = (...patterns: readonly string[]): Deeds => ({ ...whole, never: patterns })

export const mounting: Row = {
  options: 't types o offset sizelimit s n',
  effects: (line, recorder) => devices(line, recorder, 'names'),
}

const formatter: Row = {
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

const discarding: Row = { options: 'o offset l length p step', operands: 'write', shortHelp: true }

const firmwareCommand: Row = {
  options: 's namespace-id n l lbaf security-erase security-set-pass a A d',
  effects(line, recorder) {
    const writes =
      line.program.startsWith('sg_') ||
      line.operands.some(({ value }) => /^(?:format|sanitize|write|dsm)$/.test(value)) ||
      line.given.some(({ name }) => /^(?:security-erase|trim-sector|write-sector|make-bad)/.test(name))
    devices(line, recorder, writes ? 'write' : 'names')
  },
}

const partitioner: Row = {
  options:
    'b sector-size c? u? C cylinders H heads S sectors L? t type w wipe W wipe-partitions o output N partno X label Y part-uuid part-type part-label part-attrs disk-id d? delete? +list +dump +no-act +json',
  effects(line, recorder) {
    const looks =
      line.has('l', 'list', 'd', 'dump', 'n', 'no-act', 'J', 'json', 's', 'x', 'F', 'V', 'verify', 'g') &&
      !line.has('delete', 'wipe')
    devices(line, recorder, looks ? 'names' : 'write')
  },
}

const partedLike: Row = {
  options: 'a align',
  effects(line, recorder) {
    const [device, verb] = line.operands
    const looks =
      line.has('l', 'list') || verb === undefined || /^(?:print|p|unit|help|align-check|quit)$/.test(verb.value)
    recorder.touch(device, looks ? 'names' : 'write')
  },
}

/** Commands of `parted` that change a disk. */
const changesPartitions = /^(?:mklabel|mktable|mkpart\w*|rm|resizepart|resize|set|disk_set|name|rescue|toggle|move|cp)$/

const firmware: Deeds = { kind: 'overwrite', thing: 'code', object: 'the firmware of the chip', names: 'none' }

const checker: Row = {
  options: 't C? b B j l L i c m r u g e E I o O U T f? R w?',
  effects: (line, recorder) =>
    devices(
      line,
      recorder,
      line.surely('n', 'N', 'dry-run') || looksAt[line.program]?.(line) === true ? 'read' : 'write',
    ),
}

const diskutilLike: Row = {
  effects(line, recorder) {
    const [verb, ...rest] = line.operands
    const writes =
      verb !== undefined &&
      /^(?:erase|partition|reformat|secureerase|zerodisk|randomdisk|restore|create)/i.test(verb.value)
    for (const word of rest) if (word.value.startsWith('/')) recorder.touch(word, writes ? 'write' : 'names')
  },
}

/** Programs that look at disks, format, divide and wipe them, and that mount what is on them. */
export const disks: Family = {
  area: 'disks',
  rows: { saysWhatStarts: true },
  programs: {
    mkfs: { ...formatter, does: { ...makesFileSystem, trials: 'n N no-action dry-run' } },
    'mkfs.': { ...formatter, does: { ...makesFileSystem, trials: 'n N no-action dry-run' } },
    mke2fs: { ...formatter, does: { ...makesFileSystem, trials: 'n' } },
    mkntfs: { ...formatter, does: { ...makesFileSystem, trials: 'n no-action' } },
    'newfs newfs_msdos': { ...formatter, does: { ...makesFileSystem, trials: 'N' } },
    'newfs_apfs newfs_hfs': { does: { ...makesFileSystem, trials: 'N' } },
    'mkswap mkdosfs mkexfatfs mkudffs mkreiserfs': { ...formatter, does: makesFileSystem },
    fdisk: {
      ...partitioner,
      does: { ...whole, harmless: ['-l|-s|-x|--list|--list-details|--getsz'] },
      looks: '-l|--list !-w',
      prints: true,
    },
    cfdisk: { ...partitioner, does: { ...whole, when: () => true } },
    sfdisk: {
      ...partitioner,
      does: {
        ...whole,
        harmless: [
          '-l|-d|-n|-T|-V|-F|-q|-s|--list|--list-free|--dump|--json|--no-act|--verify|--show-size|--show-geometry|--show-pt-geometry|--list-types',
        ],
      },
      looks: '-l|-d|--list|--dump',
      prints: true,
    },
    gdisk: { ...partitioner, does: { ...whole, harmless: ['-l'] } },
    cgdisk: { ...partitioner, does: whole },
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
        ...whole,
        valued: 'N v',
        harmless: ['-p|-i|-v|-L|-F|-f|-E|-O|-P|--print|--info|--verify|--pretend|--list-types|--backup'],
        when: written(/^(?!-[pivLFfEOP])./),
      },
    },
    parted: {
      ...partedLike,
      does: {
        ...whole,
        names: 'first',
        when: (_, { words }) => words.slice(1).some(({ text }) => changesPartitions.test(text)),
        flags: 's script m machine',
      },
      looks: '-l|--list',
      prints: true,
    },
    partx: { ...partedLike, does: onlyWith('-d|--delete|-a|--add') },
    gpart: {
      does: { kind: 'change', object: 'partitions of', names: 'last', never: ['destroy|delete|create|add|modify'] },
    },
    // Controllers of disks, and tapes.
    'storcli storcli64 perccli perccli64': {
      does: { ...controller, never: ['* delete|erase|init|initialize', '* start initialization|erase'] },
    },
    'megacli megacli64': {
      does: {
        ...controller,
        oneDash: true,
        never: ['-CfgClr|-CfgLdDel|-LDInit|-PDClear|-cfgclr|-cfglddel|-ldinit|-pdclear'],
      },
    },
    'ssacli hpssacli hpacucli arcconf': {
      does: { ...controller, never: ['* delete', 'delete', '* modify erase'], byVerb: 'never' },
    },
    mt: {
      does: { ...controller, object: 'everything on the tape', names: 'none', valued: 'f', never: ['erase|weof|eof'] },
    },
    'ceph-volume': { does: { ...wiped, names: 'last', never: ['* zap', 'zap'] } },
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
        ...onlyWith('-a|--all|-o|--offset'),
        kind: 'delete',
        flags: 'a all f force q quiet',
        trials: 'n no-act',
      },
    },
    blkdiscard: { ...discarding, does: { ...wiped, names: 'first' } },
    'zramctl blkzone': { ...discarding },
    'flash_erase flash_eraseall': { does: { ...wiped, names: 'first' } },
    cryptsetup: {
      options:
        'c cipher s key-size h hash d=read key-file=key S key-slot header=read header-backup-file=write type iter-time',
      effects(line, recorder) {
        const [verb, ...rest] = line.operands
        const writes =
          verb !== undefined &&
          /^(?:luksformat|erase|lukserase|reencrypt|lukskillslot|luksremovekey|format|luksheaderrestore)$/i.test(
            verb.value,
          )
        for (const word of rest.slice(0, 1)) recorder.touch(word, writes ? 'write' : 'names')
      },
      does: {
        hIsNoHelp: true,
        ...whole,
        never: ['luksformat|format|erase|lukserase|lukskillslot|luksremovekey|reencrypt|luksheaderrestore|plainopen'],
      },
    },
    veracrypt: { does: onlyWith('-C|-c|--create') },
    'sg_format sg_sanitize': { ...firmwareCommand, does: { ...wiped, names: 'first' } },
    hdparm: {
      ...firmwareCommand,
      does: {
        ...whole,
        names: 'last',
        when: written(
          /(?:^| )--(?:security-|trim-sector|make-bad|write-sector|repair-sector|fwdownload|dco-|please-destroy|sanitize-)/,
        ),
      },
    },
    sdparm: { does: { ...whole, names: 'last', when: written(/(?:^| )--(?:set|command|clear|defaults)/) } },
    // Their operands are names of their own, so it is known that no image in a file is meant.
    nvme: {
      ...firmwareCommand,
      does: {
        thing: 'machine',
        kind: 'delete',
        object: 'data of the disk',
        names: 'first',
        never: ['format|sanitize|delete-ns|detach-ns|write|write-zeroes|write-uncor|dsm|fw-*|security-send'],
      },
    },
    smartctl: { ...firmwareCommand },
    badblocks: {
      options: 'b c d e i=read o=write p t',
      effects: (line, recorder) => recorder.touch(line.operands[0], line.has('w', 'n') ? 'write' : 'read'),
      does: onlyWith('-w|-n'),
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
    xfs_repair: { ...checker, does: { ...onlyWith('-L'), kind: 'change', object: 'everything on' } },
    debugfs: { ...checker, does: { ...onlyWith('-w'), kind: 'change' } },
    'fsck fsck. e2fsck ntfsfix resize2fs e2label xfs_growfs ntfsresize fatlabel dosfslabel swaplabel fstrim': {
      ...checker,
    },

    swapoff: { ...mounting, does: { area: 'machine', ...swapped } },
    swapon: {
      ...mounting,
      does: { area: 'machine', ...swapped },
      looks: '[-s|--show|--bytes|--noheadings|--raw] ..0',
      prints: true,
    },
    umount: {
      ...mounting,
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
      ...mounting,
      does: {
        thing: 'machine',
        kind: 'delete',
        object: 'mapping of disks',
        never: ['remove|remove_all|wipe_table|clear'],
      },
    },
    losetup: {
      ...mounting,
      does: {
        thing: 'machine',
        kind: 'stop',
        object: 'all disk images in use',
        names: 'none',
        never: ['-D|--detach-all'],
      },
      looks: '[-a|-l|-J|--all|--list|--json] ..0',
      prints: true,
    },
    blkid: { ...mounting, looks: '!-g|-w', prints: true },
    'eject partprobe kpartx blockdev udevadm lvs vgs pvs vgdisplay lvdisplay pvdisplay': { ...mounting },
    diskutil: {
      ...diskutilLike,
      does: {
        thing: 'machine',
        kind: 'delete',
        object: 'disk or volume',
        names: 'last',
        says: { 'partitiondisk|splitpartition': { object: 'disk or volume', names: 'first' } },
        never: [
          'erase*|partitiondisk|reformat|zerodisk|randomdisk|secureerase|mergepartitions|splitpartition|deletecontainer|deletevolume*|destroy',
          'apfs|corestorage|cs|appleraid|ar delete*|erase*|destroy|remove',
        ],
      },
      looks: 'list|info|listFilesystems',
    },
    hdiutil: {
      ...diskutilLike,
      looks: { oneDash: true, lines: 'info|imageinfo|help|verify|checksum|pmap|plugins|isencrypted|fsid' },
    },
    asr: { ...diskutilLike, looks: 'info' },
    'ddrescue dcfldd dc3dd': {
      options: 'b i=read o s L',
      effects(line, recorder) {
        const [from, to] = line.operands
        for (const word of line.operands) {
          if (word.value.startsWith('if=')) recorder.touch({ ...word, value: word.value.slice(3) }, 'read')
          else if (/^(?:h?of|h?wipe)=/.test(word.value))
            recorder.touch({ ...word, value: word.value.slice(word.value.indexOf('=') + 1) }, 'write')
        }
        if (line.program === 'ddrescue') {
          recorder.touch(from, 'read')
          recorder.touch(to, 'write')
        }
      },
    },

    mbuffer: { options: 'i=read o=write l=write I O s m b R r t P p L' },
    bmaptool: {
      subcommands: { copy: { options: 'bmap=read bmap-sig=read', operands: 'read', last: 'write' } },
    },
    caligula: { subcommands: { burn: { options: 'o=write output=write hash z s', operands: 'read' } } },
    'rpi-imager': { operands: 'read', last: 'write' },
    dd_rescue: { options: 'b B s S m e y l o', operands: 'read', last: 'write' },

    'balena-etcher': { options: 'r=write w=read v=read p c U' },
    flashrom: {
      options: 'r=write w=read v=read p c U',
      does: {
        ...firmware,
        says: { '-E|--erase': { ...firmware, kind: 'delete' } },
        valued: 'programmer write',
        work: ['-E|--erase', '-w|--write'],
      },
    },
  },
  examples: {
    'mkfs.ext4 /dev/sdb1': 'overwrites everything on `/dev/sdb1`, for good',
    'mkfs.ext4 -n /dev/sdb1': '',
    'mkfs -t xfs /dev/sdb': 'overwrites everything on `/dev/sdb`, for good',
    'wipefs /dev/sda': '',
    'wipefs -a /dev/sda': 'deletes everything on `/dev/sda`, for good',
    'parted /dev/sda mklabel gpt': 'overwrites everything on `/dev/sda`, for good',
    'parted /dev/sda print': '',
    'nvme format /dev/nvme0n1': 'deletes data of the disk `/dev/nvme0n1`, for good',
    'losetup -D': 'stops all disk images in use',
    'flashrom -p internal --erase': 'deletes the firmware of the chip',
  },
}

/** Records the operands that are paths. Sizes, verbs and names of volume groups may stand between them. */
export function devices(line: Line, recorder: EffectRecorder, role: Role): void {
  for (const word of line.operands) if (/^[./~\uFDD0]|^[A-Za-z]:/.test(word.value)) recorder.touch(word, role)
  // One row has the options of several programs, so the value of a supposed option may be the disk operand.
  for (const { value } of line.given) if (value.value.startsWith('/dev/')) recorder.touch(value, role)
}

/** Matches scripts of macOS that empty the trash. */
export const emptyingScript = /\bempty\s+(?:the\s+)?trash\b|\.emptyTrash\(|\btrash\.empty\(/i

/** Commands that empty the trash, from which a person could still restore files. */
export const trash: Family = {
  area: 'trash',

  programs: {
    'trash-empty': { silent: true, saysWhatStarts: true, does: { never: [''] } },
    gio: {
      options: 'a b s',
      operands: 'read',
      subcommands: { 'trash, remove': { operands: 'delete', recursive: true, silent: true } },
      saysWhatStarts: true,
      obeysFolder: true,
      does: { never: ['trash --empty'] },
    },
    trash: {
      operands: 'delete',
      recursive: true,
      silent: true,
      ignoresStdin: true,
      saysWhatStarts: true,
      does: { never: ['--empty|-e|-s'] },
    },
  },
  examples: {
    'trash-empty': 'deletes everything in the trash, for good',
    'trash-empty --help': '',
    'gio trash --empty': 'deletes everything in the trash, for good',
    'gio trash a.txt': '',
    'trash -e': 'deletes everything in the trash, for good',
    'trash a.txt': '',
  },
}
