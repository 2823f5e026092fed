import { definePolicy, deny, type TouchedPath } from 'hookgate/policy'
import { nameOf } from './deletions.ts'
import { toolOf } from './disk-tools.ts'
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
  description: 'Refuses to write to disks, memory and kernel switches as if they were files',
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit'],
  decide({ tool, shell, paths }) {
    // What disk tools do with a device is told by their own words, not by its path.
    const touched =
      tool.kind === 'shell'
        ? shell.commands.flatMap((one) => (toolOf(one.program) === undefined ? one.paths : []))
        : paths
    const found = touched.find(
      (path) => path.access === 'write' && path.metadata !== true && (isDisk(path) || isKernel(path)),
    )
    if (found === undefined) return undefined
    return deny(
      `${nameOf(found)} is ${isKernel(found) ? 'a kernel switch' : 'a device, and everything on it would be lost'}: ` +
        'write to a file, and let the person copy it to the device',
    )
  },
  examples: [
    { name: 'dd', given: { input: { command: 'dd if=/dev/zero of=/dev/sda bs=1M' } }, want: 'deny' },
    { name: 'dd from a disk', given: { input: { command: 'dd if=/dev/sda of=disk.img' } }, want: 'abstain' },
    { name: 'a redirection', given: { input: { command: 'echo > /dev/nvme0n1p2' } }, want: 'deny' },
    { name: 'a redirection to nowhere', given: { input: { command: 'echo > /dev/null' } }, want: 'abstain' },
    { name: 'cp', given: { input: { command: 'sudo cp disk.img /dev/mmcblk0' } }, want: 'deny' },
    { name: 'cp from a device', given: { input: { command: 'cp /dev/stdin a' } }, want: 'abstain' },
    {
      name: 'tee',
      given: { input: { command: 'cat disk.img | tee /dev/disk/by-id/usb-1 > /dev/null' } },
      want: 'deny',
    },
    { name: 'tee to the terminal', given: { input: { command: 'date | tee /dev/tty' } }, want: 'abstain' },
    { name: 'the emergency switch', given: { input: { command: 'echo b > /proc/sysrq-trigger' } }, want: 'deny' },
    { name: 'what the kernel says', given: { input: { command: 'cat /proc/sys/kernel/osrelease' } }, want: 'abstain' },
    { name: 'by a file tool', given: { tool: 'write', input: { path: '/dev/sdb' } }, want: 'deny' },
    { name: 'a file of that name', given: { tool: 'write', input: { path: 'dev/sdb' } }, want: 'abstain' },
  ],
})
