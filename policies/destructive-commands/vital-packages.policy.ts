import { abstains, ask, asks, definePolicy, onlyTries, type ShellCommand } from 'hookgate/policy'
import { containerOf } from './containers.ts'

/** Programs that remove what a system is made of, and the words by which they do. */
const removes: Readonly<Record<string, RegExp>> = {
  apt: /^(?:remove|purge|autopurge)$/,
  'apt-get': /^(?:remove|purge|autopurge)$/,
  aptitude: /^(?:remove|purge)$/,
  dpkg: /^(?:-r|-P|--remove|--purge)$/,
  dnf: /^(?:remove|erase)$/,
  yum: /^(?:remove|erase)$/,
  zypper: /^(?:remove|rm)$/,
  pacman: /^-R\w*$/,
  rpm: /^(?:-e|--erase)$/,
  apk: /^del$/,
}
/** Packages without which much else goes, or the machine does not start. */
const vital =
  /^(?:(?:lib)?systemd\w*|udev|sudo|bash|dash|coreutils|util-linux|login|passwd|base-files|glibc|musl|libc6?\w*|(?:lib)?ssl\w*|openssl\w*|ca-certificates|linux-(?:image|generic|headers|firmware)[\w.-]*|kernel[\w.-]*|grub[\w.-]*|python3?|perl(?:-base)?|openssh-server|network-?manager|netplan\.io|busybox|dpkg|apt|rpm|dnf|pacman|init|filesystem)$/i

/** Returns the package that a command would remove, if the system depends on it, or if it is a pattern. */
function vitalIn({ program, args }: ShellCommand): string | undefined {
  const removing = Object.hasOwn(removes, program) ? removes[program] : undefined
  const words = args.map(({ value }) => value)
  if (removing === undefined || !words.some((word) => removing.test(word))) return undefined
  if (onlyTries(args, 's', 'simulate', 'dry-run', 'just-print', 'assumeno', 'p', 'print', 'test')) return undefined
  return words.find((word) => !word.startsWith('-') && !removing.test(word) && (vital.test(word) || /[*?]/.test(word)))
}

export default definePolicy({
  id: 'vital-packages',
  severity: 'high',
  description: 'Asks before packages are removed by a pattern, or packages that the system depends on',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: Object.keys(removes) },
  decide({ shell }) {
    for (const [at, command] of shell.commands.entries()) {
      // A container has a system of its own.
      const name = containerOf(command, shell) === undefined ? vitalIn(command) : undefined
      if (name !== undefined)
        return ask(`removing ${name} may take much of the system with it: have the person do it`, { at })
    }
    return undefined
  },
  examples: [
    asks('by a pattern', "sudo apt-get purge -y 'python3*'"),
    abstains('one package', 'sudo apt-get remove -y nodejs'),
    asks('what starts the machine', 'sudo apt remove systemd'),
    abstains('a dry run', 'apt-get remove -s systemd'),
    asks('with dnf', "dnf remove 'openssl*'"),
    abstains('installing', 'sudo dnf install openssl-devel'),
    asks('with pacman', 'sudo pacman -Rdd glibc'),
    abstains('another with pacman', 'sudo pacman -Rs htop'),
    abstains('in a container', `docker run --rm debian sh -c "apt-get purge -y 'python3*'"`),
    asks('on another machine', "ssh web-1 sudo apt-get purge -y 'python3*'"),
  ],
})
