import { setOf, type SetOf, tableOf } from 'hookgate/policy'
import { below } from './below.ts'

/** The names a path goes through. */
export const partsOf = (absolute: string) => absolute.split('/').filter((name) => name !== '')

export const partsOfAll = (paths: readonly string[]) => paths.map(partsOf)

/** Folders that a system is made of: without any of them it, or all that its users have, is gone. */
export const systemFolders: readonly string[] = [
  ...tableOf(
    below,
    '',
    'bin boot dev etc home lib lib32 lib64 libx32 media mnt nix opt proc root run sbin snap srv sys usr var',
  ),
  ...tableOf(below, '', 'Applications Library Network System Users Volumes cores private'),
  ...tableOf(below, '/usr', 'bin include lib lib32 lib64 libexec local sbin share src'),
  ...tableOf(below, '/usr/local', 'bin etc include lib libexec sbin share'),
  ...tableOf(below, '/var', 'backups cache db lib log mail run spool www'),
  ...tableOf(below, '/private', 'etc var'),
  ...tableOf(below, '/etc', 'ssh ssl systemd pam.d cron.d init.d apt security'),
]

/** Files and folders by which a system starts, knows its users and lets them in. */
export const systemParts: SetOf<string> = setOf([
  ...tableOf(
    below,
    '/etc',
    'passwd shadow group gshadow sudoers sudoers.d hosts fstab crypttab hostname resolv.conf shells profile',
  ),
  ...tableOf(
    below,
    '/etc',
    'ld.so.conf ld.so.cache ld.so.preload nsswitch.conf environment bash.bashrc machine-id crontab exports',
  ),
  ...tableOf(
    below,
    '/etc',
    'network netplan NetworkManager nginx apache2 httpd docker kubernetes pki selinux apparmor.d default',
  ),
  ...tableOf(
    below,
    '/etc',
    'cron.daily cron.hourly cron.weekly cron.monthly rc.local rc.d modules modprobe.d sysctl.conf sysctl.d',
  ),
  ...tableOf(
    below,
    '/etc',
    'dpkg yum yum.repos.d pacman.conf pacman.d apk login.defs inittab localtime os-release udev skel',
  ),
  ...tableOf(
    below,
    '/var/lib',
    'dpkg apt rpm docker mysql postgresql mongodb redis containerd kubelet etcd pacman systemd libvirt',
  ),
  ...tableOf(below, '/var/log', 'auth.log syslog messages secure audit wtmp btmp lastlog journal kern.log faillog'),
  ...tableOf(below, '/var/spool', 'cron at mail'),
])

/** Folders of which every single file is the system's own. */
export const vitalBelow: readonly string[] = [
  '/bin',
  '/boot',
  '/dev',
  '/lib',
  '/lib64',
  '/proc',
  '/sbin',
  '/sys',
  '/System',
  '/usr/bin',
  '/usr/lib',
  '/usr/sbin',
  '/etc/pam.d',
  '/etc/sudoers.d',
  '/etc/systemd',
]

/** Folders of temporary or recreated files. */
export const temporary: readonly string[] = [
  '/tmp',
  '/var/tmp',
  '/usr/tmp',
  '/dev/shm',
  '/private/tmp',
  '/private/var/tmp',
  '/var/folders',
  '/private/var/folders',
]

const deviceNames = new RegExp(
  `^/dev/(?:${[
    'r?disk\\d+(?:s\\d+)*',
    '(?:[hsv]|xv|ub)d[a-z]+\\d*',
    'nvme\\d+(?:c\\d+)?n\\d+(?:p\\d+)?',
    'mmcblk\\d+(?:p\\d+|boot\\d+|rpmb)?',
    '(?:loop|nbd|rbd|drbd|bcache|zd|ram|zram|md|sr|fd|dm-)\\d+(?:p\\d+)?',
    'pmem\\d+(?:[.sp]\\d+)*',
    'dasd[a-z]+\\d*',
    'mtd(?:block)?\\d+(?:ro)?',
    '(?:a?da|vtbd|nvd|mmcsd)\\d+(?:p\\d+|s\\d+[a-h]?)?',
    '(?:mapper|disk|block|md|zvol|vg[^/]*|[^/]*vg|ubuntu-vg|centos|rhel|fedora)/.+',
    'k?mem',
    'port',
    'nvram',
  ].join('|')})$`,
  'i',
)

/** Like `isDevice`, for a path that may be a pattern: `/dev/sd?`, `/dev/nvme*`. */
export const mayBeDevice = (pattern: string) =>
  isDevice(pattern) || ['a', '0', '0n1'].some((one) => isDevice(pattern.replaceAll(/[*?]|\[[^\]]*\]/g, one)))

/** True if a path is a disk, a partition or memory. */
export const isDevice = (path: string) => deviceNames.test(path) || /^\\\\[.?]\\physicaldrive\d/i.test(path)
