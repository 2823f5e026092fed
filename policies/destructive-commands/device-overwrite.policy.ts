import { abstains, definePolicy, denies, deny, type TouchedPath } from 'hookgate/policy'
import { nameOf } from './deletions.ts'
import { mayBeDevice } from './system.ts'

const isDisk = ({ absolute, pattern, written }: TouchedPath) => mayBeDevice(pattern ?? absolute ?? written)

/** Files of the kernel that stop or change the machine as soon as they are written to. */
const isKernel = ({ absolute = '' }: TouchedPath) =>
  absolute === '/proc/sysrq-trigger' ||
  absolute === '/proc/kcore' ||
  absolute.startsWith('/proc/sys/kernel/') ||
  absolute.startsWith('/sys/power/') ||
  absolute.startsWith('/sys/firmware/efi/') ||
  /^\/sys\/(?:block|class)\/.*\/(?:delete|reset)$/.test(absolute)

export default definePolicy({
  id: 'device-overwrite',
  severity: 'critical',
  terminalOnly: true,
  description: 'Refuses to write to disks, memory and kernel switches as if they were files',
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit'],
  carried: ['machine', 'recipe', 'prompt'],
  interest: { access: ['write'] },
  decide({ tool, shell, paths, impacts }) {
    // Disk tools have a policy of their own, which knows what they do.
    const ofTools = new Set(
      impacts.flatMap(({ area, kind, by }) => (area === 'disks' && kind !== 'create' ? [by] : [])),
    )
    const touched =
      tool.kind === 'shell'
        ? shell.commands.flatMap((one, at) => (!ofTools.has(at) ? one.paths.map((path) => ({ path, at })) : []))
        : paths.map((path) => ({ path, at: undefined }))
    const one = touched.find(
      ({ path }) => path.access === 'write' && path.metadata !== true && (isDisk(path) || isKernel(path)),
    )
    if (one === undefined) return undefined
    const found = one.path
    return deny(
      isKernel(found)
        ? `this would write to ${nameOf(found)}, a switch of the kernel: have the person do it`
        : `this would overwrite device ${nameOf(found)}, with everything on it: write to a file, and let the person copy it there`,
      { at: one.at },
    )
  },
  examples: [
    denies('dd', 'dd if=/dev/zero of=/dev/sda bs=1M'),
    abstains('dd from a disk', 'dd if=/dev/sda of=disk.img'),
    denies('a redirection', 'echo > /dev/nvme0n1p2'),
    abstains('a redirection to nowhere', 'echo > /dev/null'),
    denies('cp', 'sudo cp disk.img /dev/mmcblk0'),
    abstains('cp from a device', 'cp /dev/stdin a'),
    denies('tee', 'cat disk.img | tee /dev/disk/by-id/usb-1 > /dev/null'),
    abstains('tee to the terminal', 'date | tee /dev/tty'),
    denies('the emergency switch', 'echo b > /proc/sysrq-trigger'),
    abstains('what the kernel says', 'cat /proc/sys/kernel/osrelease'),
    denies('by a file tool', { tool: 'write', input: { path: '/dev/sdb' } }),
    abstains('a file of that name', { tool: 'write', input: { path: 'dev/sdb' } }),
  ],
})
