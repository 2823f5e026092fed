import { ask, definePolicy, deny, type ShellCommand } from 'hookgate/policy'
import { toolOf } from './disk-tools.ts'
import { mayBeDevice } from './system.ts'

const isHelp = (word: string) => /^(?:-h|--help|--version|-\?|--usage)$/.test(word)

/** What it works on: `device` for a disk, `file` for an image of one, `unknown` for what may be either. */
function targetOf(words: readonly string[], command: ShellCommand): 'device' | 'file' | 'unknown' {
  const operands = words.filter((word) => !word.startsWith('-'))
  if (operands.some(mayBeDevice)) return 'device'
  const unknown = command.args.some(({ unresolved, pattern }) => unresolved === true || pattern !== undefined)
  return unknown || operands.length === 0 || operands.some((one) => one.startsWith('/dev/')) ? 'unknown' : 'file'
}

export default definePolicy({
  id: 'disk-tools',
  severity: 'critical',
  description: 'Refuses programs that format, partition and wipe disks, or delete volumes',
  on: 'PreToolUse',
  tool: 'shell',
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
      const said = `${command.program} would destroy what is on a disk or volume`
      return target === 'device'
        ? deny(`${said}: work on an image file, or let the person do it`, { at })
        : ask(`${said}, if it is given one: name an image file to work on`)
    }
    return undefined
  },
  examples: [
    { name: 'a file system', given: { input: { command: 'mkfs.ext4 /dev/sdb1' } }, want: 'deny' },
    { name: 'one in a file', given: { input: { command: 'mkfs.ext4 disk.img' } }, want: 'abstain' },
    { name: 'wiping', given: { input: { command: 'wipefs -a /dev/sda' } }, want: 'deny' },
    { name: 'looking what there is to wipe', given: { input: { command: 'wipefs /dev/sda' } }, want: 'abstain' },
    { name: 'dividing', given: { input: { command: 'parted /dev/sda mklabel gpt' } }, want: 'deny' },
    { name: 'looking how it is divided', given: { input: { command: 'parted /dev/sda print' } }, want: 'abstain' },
    { name: 'a volume', given: { input: { command: 'sudo lvremove -f vg/data' } }, want: 'deny' },
    { name: 'a try', given: { input: { command: 'lvremove --test vg/data' } }, want: 'abstain' },
    { name: 'a pool', given: { input: { command: 'zpool destroy tank' } }, want: 'deny' },
    { name: 'its state', given: { input: { command: 'zpool status tank' } }, want: 'abstain' },
    { name: 'a disk that is not known', given: { input: { command: 'mkfs.xfs "$DISK"' } }, want: 'ask' },
    { name: 'help', given: { input: { command: 'mkfs.xfs --help' } }, want: 'abstain' },
    { name: 'as text', given: { input: { command: 'grep -r "mkfs.ext4 /dev/sda" docs' } }, want: 'abstain' },
  ],
})
