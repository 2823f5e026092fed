import {
  abstains,
  answerTo,
  ask,
  asks,
  definePolicy,
  denies,
  type Impact,
  type PolicyAnswer,
  type ShellFacts,
  strictest,
} from 'hookgate/policy'
import { mayBeDevice } from './system.ts'

/** Returns what a program works on: a disk (`device`), a disk image (`file`), or `unknown` if it may be either. */
function targetOf({ by }: Impact, shell: ShellFacts): 'device' | 'file' | 'unknown' {
  const { args = [] } = (typeof by === 'number' ? shell.commands[by] : undefined) ?? {}
  const operands = args.map(({ value }) => value).filter((word) => !word.startsWith('-'))
  if (operands.some(mayBeDevice)) return 'device'
  const isUnknown = args.some(({ unresolved, pattern }) => unresolved === true || pattern !== undefined)
  return isUnknown || operands.length === 0 || operands.some((one) => one.startsWith('/dev/')) ? 'unknown' : 'file'
}

function answersTo(impact: Impact, shell: ShellFacts): readonly PolicyAnswer[] {
  // What can be undone loses nothing on a disk, but for a rollback and a change of firmware.
  if (impact.undo !== 'never' && impact.kind !== 'rollback' && impact.thing !== 'code') return []
  if (impact.extent !== 'all') return [answerTo(impact, 'deny')]
  switch (targetOf(impact, shell)) {
    case 'device':
      return [answerTo(impact)]
    case 'file':
      return []
    case 'unknown':
      return [
        ask(`\`${impact.words}\` would destroy what is on a disk, if it is given one: name an image file to work on`, {
          at: impact.by,
        }),
      ]
  }
}

export default definePolicy({
  id: 'disk-tools',
  severity: 'critical',
  terminalOnly: true,
  description: 'Refuses programs that format, partition and wipe disks, or delete volumes',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['disks'] },
  decide: ({ shell, impacts }) =>
    strictest(
      impacts
        .filter(({ area, kind }) => area === 'disks' && kind !== 'create')
        .flatMap((impact) => answersTo(impact, shell)),
    ),
  examples: [
    denies('a file system', 'mkfs.ext4 /dev/sdb1'),
    abstains('one in a file', 'mkfs.ext4 disk.img'),
    denies('wiping', 'wipefs -a /dev/sda'),
    abstains('looking what there is to wipe', 'wipefs /dev/sda'),
    denies('a partition table', 'parted /dev/sda mklabel gpt'),
    abstains('looking at it', 'parted /dev/sda print'),
    denies('a volume', 'sudo lvremove -f vg/data'),
    abstains('a trial', 'lvremove --test vg/data'),
    denies('a pool', 'zpool destroy tank'),
    abstains('the state of a pool', 'zpool status tank'),
    asks('a disk that is not known', 'mkfs.xfs "$DISK"'),
    abstains('help', 'mkfs.xfs --help'),
    abstains('as text', 'grep -r "mkfs.ext4 /dev/sda" docs'),
  ],
})
