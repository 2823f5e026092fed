import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  isInside,
  plainReading,
  type PolicyAnswer,
  type TouchedPath,
} from 'hookgate/policy'
import { changesIn, homeOf, isUnder, verbOf } from './touched.ts'

const folders: readonly string[] = [
  '/etc', '/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/boot', '/opt', '/var', '/srv', '/sys', '/proc', '/dev',
  '/nix', '/snap', '/System', '/Library', '/Applications', '/private/etc', '/private/var', '/cores',
] // prettier-ignore

/** By what is in these a system starts, runs programs and lets people in. */
const vital: readonly string[] = [
  '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/boot', '/usr/bin', '/usr/sbin', '/usr/lib', '/usr/lib64', '/System', '/sys',
  '/etc/passwd', '/etc/shadow', '/etc/group', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d', '/etc/pam.d', '/etc/ssh',
  '/etc/security', '/etc/fstab', '/etc/crypttab', '/etc/ld.so.preload', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/hosts',
  '/etc/resolv.conf', '/etc/nsswitch.conf', '/etc/ssl', '/etc/ca-certificates', '/etc/pki', '/etc/apt', '/etc/yum.repos.d',
  '/etc/modprobe.d', '/etc/sysctl.conf', '/etc/sysctl.d', '/etc/selinux', '/etc/apparmor.d', '/etc/audit', '/etc/polkit-1',
  '/private/etc/passwd', '/private/etc/sudoers', '/private/etc/hosts', '/private/etc/pam.d', '/private/etc/ssh',
] // prettier-ignore

/** Folders that everybody may write to. */
const open: readonly string[] = [
  '/var/tmp', '/private/var/tmp', '/var/folders', '/private/var/folders', '/usr/tmp', '/dev/shm', '/dev/fd', '/dev/pts',
  '/dev/tcp', '/dev/udp', '/proc/self/fd', '/proc/thread-self/fd', '/dev/null', '/dev/zero', '/dev/full', '/dev/random',
  '/dev/urandom', '/dev/tty', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/ptmx', '/dev/console', '/dev/clipboard',
] // prettier-ignore

const windows =
  /^[a-z]:[\\/]+(?:windows|program files(?: \(x86\))?|programdata|boot|recovery|system volume information)(?:[\\/]|$)/i

/** The place itself, not the mere folder of what is not known or of what a pattern may match. */
const isVital = ({ absolute = '', unresolved }: TouchedPath) =>
  !unresolved && (isUnder(absolute, vital) || /^[a-z]:[\\/]+windows[\\/]/i.test(absolute))

/** True if a path is in a home that is deeper in such a folder: `/var/lib/app`, and not `/var` or `/`. */
function isInHomeBelow(all: readonly string[], path: TouchedPath): boolean {
  const home = homeOf(path)
  return home !== undefined && all.some((one) => isInside(home, one))
}

export default definePolicy({
  id: 'system-files',
  severity: 'high',
  description: 'Refuses to change system files; asks about all others outside home directories',
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit'],
  interest: { access: ['write', 'delete'] },
  params: {
    systemExcept: { type: 'strings', default: [], description: 'absolute files and folders that may be changed' },
  },
  decide({ shell, paths, params }) {
    let question: PolicyAnswer | undefined
    for (const change of changesIn(shell, paths)) {
      const { path, named, at } = change
      const { root } = path
      const absolute = plainReading(path.absolute ?? '') ?? path.absolute
      if (absolute === undefined || root !== undefined) continue
      if (isUnder(absolute, open) || isUnder(absolute, params.systemExcept)) continue
      if (/^\/(?:proc\/\d+\/fd|dev\/(?:tty|pty))/.test(absolute)) continue
      if (absolute !== '/' && !isUnder(absolute, folders) && !windows.test(absolute)) continue
      const { container } = shell.commands[at ?? -1] ?? {}
      if (path.bound !== true && container !== undefined && container.open !== true) continue
      const message = `${verbOf(change)} ${named}, which belongs to the system`
      const isOfSystem = isVital({ ...path, absolute })
      if (!isOfSystem && isInHomeBelow(folders, path)) continue
      if (isOfSystem) {
        const instead =
          path.access === 'write' && path.metadata !== true
            ? 'write it in the workspace, and let the person put it there'
            : 'let the person do it'
        return deny(`this would ${message}: ${instead}`, { at })
      }
      question ??= ask(`this would ${message}: work in the workspace instead`, { at })
    }
    return question
  },
  examples: [
    denies('users', 'echo a >> /etc/passwd'),
    abstains('looking at them', 'cat /etc/passwd'),
    denies('a program', 'sudo cp x /usr/bin/x'),
    abstains('a program of the workspace', 'cp x usr/bin/x'),
    asks('another file', 'echo a > /etc/motd'),
    abstains('as text', 'echo "a > /etc/motd"'),
    abstains('nothing at all', 'ls > /dev/null 2>&1'),
    denies('by a file tool', { tool: 'write', input: { path: '/etc/hosts' } }),
    abstains('by another', { tool: 'edit', input: { path: 'etc/hosts' } }),
    asks('a log', 'rm /var/log/app.log'),
    abstains('a temporary file', 'touch /var/tmp/a'),
    denies('rights', 'chmod 777 /etc/shadow'),
    abstains('a container’s own', "docker exec web sh -c 'echo a >> /etc/hosts'"),
    denies('one that it is given', "docker run -v /etc:/etc alpine sh -c 'echo a >> /etc/sudoers'"),
    abstains('a file of a home there', 'echo a > /var/lib/app/notes', { home: '/var/lib/app', cwd: '/srv/p' }),
    asks('a neighbour of such a home', 'echo a > /var/lib/other/notes', { home: '/var/lib/app', cwd: '/srv/p' }),
    asks('a file of a home that is such a folder', 'echo a > /var/x', { home: '/var', cwd: '/srv/p' }),
    asks('a file of a home that is the root', 'echo a > /opt/x', { home: '/', cwd: '/srv/p' }),
    denies('what the system starts by, in such a home', 'echo a > /usr/lib/app/x', {
      home: '/usr/lib/app',
      cwd: '/srv/p',
    }),
    abstains('where it is allowed', 'cp x /opt/x/x', { params: { systemExcept: ['/opt/x'] } }),
    abstains('a workspace in such a folder', {
      tool: 'write',
      input: { path: 'a.ts' },
      cwd: '/usr/src/app',
      workspaceRoots: ['/usr/src/app'],
    }),
  ],
})
