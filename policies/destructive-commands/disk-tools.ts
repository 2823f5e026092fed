/** The effect of a program on disks, by its arguments. */
interface DiskTool {
  /** Which of its subcommands destroy something; absent: it does so without one. */
  readonly subcommands?: RegExp
  /** Options without which it destroys nothing. */
  readonly only?: RegExp
  /** Options with which it destroys nothing, besides those for help and versions. */
  readonly never?: RegExp
  /** Its operands are names of its own, not paths of devices. */
  readonly named?: true
}

const dryLvm = /^(?:-t|--test)$/

/** Programs that make, wipe and divide disks, and those that do away with volumes. */
const diskTools: Readonly<Record<string, DiskTool>> = {
  mkfs: { never: /^(?:-n|-N|--no-action|--dry-run)$/ },
  mke2fs: { never: /^-n$/ },
  mkswap: {},
  mkdosfs: {},
  mkntfs: { never: /^(?:-n|--no-action)$/ },
  mkexfatfs: {},
  mkudffs: {},
  mkreiserfs: {},
  newfs: { never: /^-N$/ },
  newfs_apfs: {},
  newfs_hfs: {},
  newfs_msdos: {},
  wipefs: { only: /^(?:-[a-z]*[ao].*|--all|--offset.*)$/, never: /^(?:-[a-z]*n[a-z]*|--no-act)$/ },
  wipe: {},
  fdisk: { never: /^(?:-[a-z]*[lsx].*|--list.*|--getsz)$/ },
  cfdisk: {},
  sfdisk: { never: /^(?:-[ldnTVFqs].*|--list.*|--dump|--json|--no-act|--verify|--show.*)$/ },
  gdisk: { never: /^-l$/ },
  cgdisk: {},
  sgdisk: { never: /^(?:-[pivLFfEOP].*|--print|--info.*|--verify|--pretend|--list-types|--backup.*)$/ },
  parted: {
    subcommands: /^(?:mklabel|mktable|mkpart\w*|rm|resizepart|resize|set|disk_set|name|rescue|toggle|move|cp)$/,
  },
  partx: { only: /^(?:-d|--delete|-a|--add)$/ },
  blkdiscard: {},
  hdparm: {
    only: /^--(?:security-|trim-sector|make-bad|write-sector|repair-sector|fwdownload|dco-|please-destroy|sanitize-)/,
  },
  nvme: {
    subcommands: /^(?:format|sanitize|delete-ns|detach-ns|write|write-zeroes|write-uncor|dsm|fw-\w+|security-send)$/,
    named: true,
  },
  sg_format: {},
  sg_sanitize: {},
  sdparm: { only: /^--(?:set|command|clear|defaults)/ },
  badblocks: { only: /^-[a-z]*[wn]/ },
  cryptsetup: {
    subcommands:
      /^(?:luksFormat|format|erase|luksErase|luksKillSlot|luksRemoveKey|reencrypt|luksHeaderRestore|plainOpen)$/i,
  },
  veracrypt: { only: /^(?:-C|--create|-c)$/ },
  lvremove: { never: dryLvm, named: true },
  vgremove: { never: dryLvm, named: true },
  pvremove: { never: dryLvm, named: true },
  lvreduce: { never: dryLvm, named: true },
  vgreduce: { never: dryLvm, named: true },
  pvcreate: { never: dryLvm },
  lvm: { subcommands: /^(?:lvremove|vgremove|pvremove|lvreduce|vgreduce|pvcreate)$/, never: dryLvm, named: true },
  dmsetup: { subcommands: /^(?:remove|remove_all|wipe_table|clear)$/, named: true },
  mdadm: { only: /^(?:--zero-superblock|--create|-C|--stop|-S|--fail|-f|--remove|-r|--set-faulty)/, named: true },
  zpool: { subcommands: /^(?:destroy|labelclear|create|remove|split|offline|detach)$/, never: /^-n$/, named: true },
  zfs: { subcommands: /^(?:destroy|rollback)$/, never: /^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/, named: true },
  btrfs: { subcommands: /^(?:delete|remove)$/, named: true },
  bcachefs: { subcommands: /^(?:format)$/ },
  diskutil: {
    subcommands:
      /^(?:erase(?:Disk|Volume|Optical|CD)|partitionDisk|reformat|zeroDisk|randomDisk|secureErase|mergePartitions|splitPartition|deleteContainer|deleteVolume|deleteVolumeGroup|destroy|ar)$/i,
    named: true,
  },
  gpart: { subcommands: /^(?:destroy|delete|create|add|modify)$/, named: true },
  'ceph-volume': { subcommands: /^zap$/, named: true },
  xfs_repair: { only: /^-[a-z]*L/ },
  debugfs: { only: /^-w$/ },
  losetup: { only: /^(?:-D|--detach-all)$/, named: true },
  flashrom: { only: /^(?:-w|--write|-E|--erase)$/, named: true },
  flash_erase: {},
  flash_eraseall: {},
  efibootmgr: { only: /^(?:-B|--delete-bootnum|-O|--delete-bootorder)$/, named: true },
}

/** `mkfs.ext4` begins with `mkfs`. */
export const diskPrograms = Object.keys(diskTools)

/** Returns the rule of a program: `mkfs.ext4` has that of `mkfs`. */
export function toolOf(program: string): DiskTool | undefined {
  const name = program.startsWith('mkfs.') ? 'mkfs' : program
  return Object.hasOwn(diskTools, name) ? diskTools[name] : undefined
}
