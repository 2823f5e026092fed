import type { Rows } from './row.ts'

/** What the shell does itself, and programs that do no more than print, wait and tell. */
export const builtins: Rows = {
  'echo printf print true false : yes seq sleep usleep expr date cal bc dc factor whoami logname id groups users who w uptime hostname uname arch nproc tty pwd':
    {
      deaf: true,
    },
  'export declare typeset local readonly unset set shift return exit break continue let alias unalias umask ulimit times wait jobs fg bg disown kill killall pkill pgrep renice history hash getopts read mapfile readarray shopt enable builtin type which whence where command compgen complete bind help caller logout suspend fc':
    {},
  'man info apropos whatis tldr clear reset tput stty ps top htop free vmstat iostat lscpu lsblk lspci lsusb lsmod env printenv locale getconf getent ipcs ip ifconfig route netstat ss arp last lastlog dmesg sysctl':
    {},
  'cd pushd popd': { operands: 'names' },
  'test [ [[': {
    also(line, doing) {
      // The words stand in no order that getopt knows: everything behind `-e` and its kin is a path.
      for (const word of line.operands) if (word.value.includes('/')) doing.touch(word, 'names')
    },
  },
  'source .': {
    operandsLast: true,
    first: 'execute',
    deaf: true,
  },
  exec: { operandsLast: true },
  'sudo doas env nohup time timeout nice ionice chrt stdbuf setsid watch script flock xargs parallel busybox toybox eval trap su runuser unshare nsenter faketime proot firejail bwrap strace ltrace gdb valgrind perf caffeinate chronic unbuffer setarch taskset numactl systemd-run dbus-run-session xvfb-run':
    {},
}
