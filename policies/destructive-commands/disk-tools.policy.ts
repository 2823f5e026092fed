import { abstains, ask, asks, definePolicy, denies, deny, type ShellCommand } from 'hookgate/policy'
import { diskPrograms, toolOf } from './disk-tools.ts'
import { mayBeDevice } from './system.ts'

const isHelp = (word: string) => /^(?:-h|--help|--version|-\?|--usage)$/.test(word)

/** The target: `device` for a disk, `file` for a disk image, `unknown` if it may be either. */
function targetOf(words: readonly string[], command: ShellCommand): 'device' | 'file' | 'unknown' {
  const operands = words.filter((word) => !word.startsWith('-'))
  if (operands.some(mayBeDevice)) return 'device'
  const unknown = command.args.some(({ unresolved, pattern }) => unresolved === true || pattern !== undefined)
  return unknown || operands.length === 0 || operands.some((one) => one.startsWith('/dev/')) ? 'unknown' : 'file'
}

export default definePolicy({
  id: 'disk-tools',
  severity: 'critical',
  terminalOnly: true,
  description: 'Refuses programs that format, partition and wipe disks, or delete volumes',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { words: diskPrograms },
  decide({ shell }) {
    for (const [at, command] of shell.commands.entries()) {
      const tool = toolOf(command.program)
      if (tool === undefined) continue
      const words = command.args.map(({ value }) => value)
      const destroys =
        (tool.only === undefined || words.some((word) => tool.only?.test(word))) &&
        (tool.subcommands === undefined || words.some((word) => tool.subcommands?.test(word))) &&
        !words.some((word) => isHelp(word) || tool.never?.test(word) === true)
      if (!destroys || (words.length === 0 && command.program !== 'cfdisk')) continue
      const target = tool.named === true ? 'device' : targetOf(words, command)
      if (target === 'file') continue
      const message = `${command.program} would destroy what is on a disk or volume`
      return target === 'device'
        ? deny(`${message}: work on an image file, or let the person do it`, { at })
        : ask(`${message}, if it is given one: name an image file to work on`, { at })
    }
    return undefined
  },
  examples: [
    denies('a file system', 'mkfs.ext4 /dev/sdb1'),
    abstains('one in a file', 'mkfs.ext4 disk.img'),
    denies('wiping', 'wipefs -a /dev/sda'),
    abstains('looking what there is to wipe', 'wipefs /dev/sda'),
    denies('dividing', 'parted /dev/sda mklabel gpt'),
    abstains('looking how it is divided', 'parted /dev/sda print'),
    denies('a volume', 'sudo lvremove -f vg/data'),
    abstains('a try', 'lvremove --test vg/data'),
    denies('a pool', 'zpool destroy tank'),
    abstains('its state', 'zpool status tank'),
    asks('a disk that is not known', 'mkfs.xfs "$DISK"'),
    abstains('help', 'mkfs.xfs --help'),
    abstains('as text', 'grep -r "mkfs.ext4 /dev/sda" docs'),
  ],
})
