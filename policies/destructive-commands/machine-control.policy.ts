import { abstains, ask, asks, definePolicy, denies, deny, type PolicyAnswer } from 'hookgate/policy'
import { type Call, callIn } from './calls.ts'

const refused: readonly Call[] = [
  { programs: 'shutdown', without: /(?:^| )(?:-c|-k|--show)(?: |$)/, does: 'stop the machine' },
  { programs: 'reboot halt poweroff kexec pm-suspend pm-hibernate', without: /(?:^| )(?:-w|--wtmp-only)(?: |$)/, does: 'stop the machine' },
  { programs: 'init telinit', words: /^(?:[0156sS])$/, does: 'stop the machine' },
  { programs: 'systemctl', words: /(?:^| )(?:poweroff|reboot|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|rescue|emergency|isolate)(?: |$)/, does: 'stop the machine' },
  { programs: 'loginctl', words: /(?:^| )(?:poweroff|reboot|halt|suspend|hibernate|kill-user|terminate-user)(?: |$)/, does: 'stop the machine or log its users out' },
  { programs: 'insmod', does: 'load code into the kernel' },
  { programs: 'modprobe', without: /(?:^| )(?:-n|--dry-run|-c|--showconfig|-D|--show-depends|--dump-modversions|-R)(?: |$)/, does: 'change what code the kernel runs' },
  { programs: 'rmmod', does: 'remove code from the kernel' },
  { programs: 'kextload kextunload kmutil', words: /\S/, without: /^(?:showloaded|inspect|log|print-diagnostics)/, does: 'change what code the kernel runs' },
  { programs: 'grub-install grub2-install efibootmgr update-grub bootctl', words: /^(?!(?:status|list|-v|)$)/, does: 'change how the machine boots' },
  { programs: 'telinit', words: /^[qQ]$/, does: 'restart the first process' },
  { programs: 'setcap', words: /cap_(?:setuid|setgid|sys_admin|dac_override|sys_ptrace|sys_module|dac_read_search|chown|fowner)\b.*[+=]/i, does: 'give a program root rights' },
  { programs: 'useradd usermod', words: /(?:^| )(?:-o .*-u|-u) ?0(?: |$)|(?:^| )-[a-zA-Z]*G ?(?:\S*,)?(?:sudo|wheel|root|admin|docker)(?:,|\b)/, does: 'give a user root rights' },
  { programs: 'passwd', words: /(?:^| )(?:-d|--delete)(?: |$)/, does: 'leave a user without a password' },
  { programs: 'sysadminctl', words: /-deleteUser\b/i, does: 'delete a user' },
  { programs: 'ssh-add', words: /(?:^| )-[a-z]*[dD]/, does: 'drop keys that the person has unlocked' },
  { programs: 'ssh-keygen', words: /(?:^| )-R(?: |$)/, does: 'forget known machines' },
  { programs: 'nvram', words: /(?:^| )(?:-c|-d)(?: |$)|^[\w-]+=/, does: 'change how the machine boots' },
  { programs: 'ip', words: /(?:^| )(?:route|r|ro|rule|addr|address|a|neigh) (?:flush|f)(?: |$)|(?:^| )link set (?:dev )?\S+ down(?: |$)/, does: 'take the machine off its network' },
  { programs: 'ifconfig', words: / down(?: |$)/, does: 'take the machine off its network' },
  { programs: 'route', words: /(?:^| )(?:flush|del(?:ete)? default)(?: |$)/, does: 'take the machine off its network' },
  { programs: 'stop-computer restart-computer', does: 'stop the machine' },
] // prettier-ignore

const askedAbout: readonly Call[] = [
  { programs: 'sysctl', words: /(?:^| )(?:-w|--write|-p\S*|--load\S*|--system|[\w./-]+=\S*)(?: |$)/, does: 'change a setting of the kernel' },
  { programs: 'swapoff swapon', words: /\S/, without: /^(?:-s|--show\S*|--summary)/, does: "change the machine's memory" },
  { programs: 'mount umount', words: /^(?!-l$|-t \w+$)\S/, without: /(?:^| )(?:--fake|-f)(?: |$)/, does: 'change the file systems' },
  { programs: 'systemctl', words: /(?:^| )(?:stop|disable|mask|kill|restart|set-default|daemon-reexec)(?: |$)/, does: 'change which services run' },
  { programs: 'service', words: / (?:stop|restart)$/, does: 'change which services run' },
  { programs: 'launchctl', words: /^(?:bootout|unload|remove|disable|kill|stop|reboot)(?: |$)/, does: 'change which services run' },
  { programs: 'timedatectl hostnamectl', words: /^set-/, does: "change the machine's settings" },
  { programs: 'userdel groupdel deluser delgroup usermod chpasswd passwd chsh gpasswd useradd adduser', words: /\S/, without: /^(?:-c|-S|--status|-cf)/, does: 'change who can use the machine' },
  { programs: 'visudo vipw vigr', without: /(?:^| )-[a-z]*c/, does: 'change who can use the machine' },
  { programs: 'chpasswd newusers', without: /(?:^| )(?:-h|--help)(?: |$)/, does: 'change passwords of this machine' },
  { programs: 'sysadminctl', words: /-(?:addUser|resetPasswordFor|newPassword|secureTokenOn)\b/i, does: 'change who can use the machine' },
  { programs: 'dseditgroup', words: /(?:^| )-o (?:edit|create|delete)(?: |$)/, does: 'change who can use the machine' },
  { programs: 'dscl', words: /(?:^| )-(?:create|delete|append|change|passwd|merge)(?: |$)/, does: 'change who can use the machine' },
  { programs: 'journalctl', words: /--vacuum-/, does: 'delete logs' },
  { programs: 'history', words: /(?:^| )-[a-z]*[cw]/, does: 'delete the record of what was done' },
  { programs: 'crontab', words: /(?:^| )-[a-z]*r/, does: 'delete all scheduled commands' },
] // prettier-ignore

/** Files in which shells and clients keep what was typed. */
const histories =
  /^(?:\.(?:bash|zsh|sh|ksh|python|psql|mysql|sqlite|node_repl)_history|\.history|\.zhistory|\.local\/share\/fish\/fish_history)$/

/** The bit of setuid in a call of code that changes rights: `os.chmod(a, 0o4755)`, `chmod 04755, "a"`, `S_ISUID`. */
const setuid =
  /\bf?chmod(?:Sync)?\b[\s(]*(?:[^\n;]{0,200}?[,\s(])?(?:["']?0?o?[4567][0-7]{3}\b|[^\n;]{0,80}S_ISUID|["'][ug]\+s\b)/

export default definePolicy({
  id: 'machine-control',
  severity: 'high',
  description: 'Refuses to stop the machine and to change its kernel; asks about services, users and mounts',
  on: 'PreToolUse',
  tool: 'shell',
  interest: {
    words: [...refused, ...askedAbout].map(({ programs }) => programs),
    code: true,
    access: ['write', 'delete'],
  },
  decide({ shell }) {
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const call = callIn(command, refused)
      if (call !== undefined) {
        return deny(
          `${command.program} would ${call.does}: tell the person what it is needed for, and let them do it`,
          { at },
        )
      }
      const setsUser =
        command.code?.text !== undefined && command.code.language !== 'shell' && setuid.test(command.code.text)
      if (setsUser)
        question ??= ask('this code would let whoever runs a file run it as its owner: have the person do it', { at })
      // A shell adds to its history itself.
      const wiped = command.paths.some(
        ({ access, metadata, inHome = '' }) =>
          (access === 'write' || access === 'delete') && metadata !== true && histories.test(inHome),
      )
      if (wiped) question ??= ask('this would delete the record of what was done: leave it to the person', { at })
      const less = callIn(command, askedAbout)
      if (less !== undefined)
        question ??= ask(`${command.program} would ${less.does}, for everybody on this machine`, { at })
    }
    return question
  },
  examples: [
    denies('stopping', 'sudo shutdown -h now'),
    abstains('not stopping after all', 'shutdown -c'),
    denies('by systemd', 'systemctl reboot'),
    abstains('the state of a service', 'systemctl status nginx'),
    asks('the record of what was typed', 'rm ~/.bash_history'),
    asks('all of that record', 'cat /dev/null > ~/.zsh_history'),
    abstains('a look at that record’s age', 'ls -l ~/.bash_history'),
    denies('by the first process', 'init 0'),
    abstains('a project', 'npm init -y'),
    denies('a module', 'insmod x.ko'),
    abstains('the modules there are', 'lsmod'),
    asks('a setting', 'sysctl -w vm.swappiness=1'),
    abstains('what it is', 'sysctl vm.swappiness'),
    asks('a service', 'sudo systemctl stop nginx'),
    denies('a right of root', 'setcap cap_setuid+ep ./x'),
    abstains('a right to listen', 'setcap cap_net_bind_service+ep ./x'),
    denies('the network', 'ip link set dev eth0 down'),
    abstains('how the network is', 'ip link show dev eth0'),
    denies('keys in use', 'ssh-add -D'),
    abstains('which keys are in use', 'ssh-add -l'),
    asks('a user', 'userdel -r me'),
    abstains('in a message', 'git commit -m "reboot the server"'),
  ],
})
