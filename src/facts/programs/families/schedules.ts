import { joined } from '../words.ts'
import { startVariables } from '../unwrap.ts'
import type { ShellCommand } from '../../../model/shell.ts'
import type { Starts } from '../starts.ts'
import type { Line } from '../row.ts'
import { machineStage, written, type Deeds } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'

export const starting = { object: 'the automatic start of', names: 'last' } as const
/** Programs whose every call makes a task, unless an option lists or removes tasks. */
const task: Deeds = { valued: 'u', work: ['* !-l|-r', '-e !-l|-r'] }

/** Commands by which something runs later, or whenever something else starts, without a person who attends. */
export const schedules: Family = {
  area: 'schedules',

  programs: {
    'crontab fcrontab': {
      obeys: { looks: 'l' },
      options: 'u',
      starts: startCrontab,
      runsStdin: ({ operands: [file], has }) => (file === undefined || file.value === '-') && !has('l', 'e', 'r'),
      effects(line, recorder) {
        if (line.has('l', 'e', 'r')) return
        recorder.touch(line.operands[0], line.operands[0]?.value.startsWith('/dev/fd/') === true ? 'execute' : 'read')
      },
      does: [
        {
          area: 'system-services',
          kind: 'delete',
          object: 'all scheduled tasks of the user',
          names: 'none',
          never: ['-r'],
          valued: 'u',
        },
        { ...task },
        machineStage,
      ],
      looks: '[-l] ..0',
      prints: true,
    },
    at: {
      repeats: true,
      options: 'f=execute q t',
      starts: startLater,
      does: { valued: 'f q t', work: ['* !-l|-r|-c|-d', '-t !-l|-r|-c|-d'] },
    },
    batch: { repeats: true, options: 'f=execute q t', starts: startLater, does: { work: [''] } },
    incrontab: { does: task },

    defaults: {
      does: [
        {
          ...starting,
          runsAnything: true,
          work: ['write * loginhook|logouthook|autolaunchedapplicationdictionary'],
        },
        {
          area: 'defences',
          kind: 'weaken',
          thing: 'guard',
          object: 'the check of what was downloaded',
          names: 'none',
          work: ['write * lsquarantine'],
        },
        {
          area: 'defences',
          kind: 'weaken',
          thing: 'guard',
          object: 'the protection of the system',
          names: 'none',
          work: ['write|delete'],
          when: written(
            /\bcom\.apple\.(?:alf|screensaver askForPassword|SoftwareUpdate|security|loginwindow DisableScreenLock)/,
          ),
        },
      ],
      looks: { oneDash: true, options: 'host +currentHost', lines: 'read|read-type|domains|find|help' },
    },
  },
  examples: {
    'crontab jobs.txt': 'creates a task that runs later, unattended',
    'crontab -l': '',
    'crontab -u build -e': 'creates a task that runs later, unattended',
    'at -f job.sh 04:00': 'creates a task that runs later, unattended',
    'at -l': '',
    batch: 'creates a task that runs later, unattended',
    'systemctl --user enable backup.timer': 'creates the automatic start of `backup.timer`',
    'systemctl status nginx': '',
    'launchctl load a.plist': 'creates the automatic start of `a.plist`',
    'launchctl setenv PATH /tmp': 'changes what every program starts with',
    'defaults write com.apple.loginwindow LoginHook /tmp/x.sh': 'creates the automatic start of `/tmp/x.sh`',
    'defaults write com.apple.dock autohide -bool true': '',
    'npm config set script-shell /tmp/sh': 'changes setting `script-shell`; changes the shell of every script',
    'pm2 save': 'creates the automatic start of every process',
    'chkconfig httpd on': 'creates the automatic start of a service',
    'systemd-run --on-calendar=daily ./a.sh': 'creates a task that runs later, unattended',
    'systemd-run ./a.sh': '',
  },
}

/** Starts the script on stdin, which `at` and `batch` run later. */
function startLater(read: Line, starts: Starts, command: ShellCommand): void {
  if (read.has('l', 'r', 'd', 'c', 'V', 'f', 'b')) return
  if (command.stdin !== undefined) starts.script(command.stdin, { stdin: 'none' })
}

/** Starts the commands of a crontab: each line ends in one, after the five fields that say when it runs. */
function startCrontab(read: Line, starts: Starts, command: ShellCommand): void {
  const [file] = read.operands
  if (read.has('e')) startVariables(['VISUAL', 'EDITOR'], starts)
  if (read.has('l', 'r', 'e', 'V', 'n') || (file !== undefined && file.value !== '-')) return
  for (const line of command.stdin?.value.split('\n') ?? []) {
    const text = /^[\s\uFDD0]*(?:@\w+|(?:[\d*/,\-A-Za-z]+\s+){4}[\d*/,\-A-Za-z]+)\s+(\S.*)$/.exec(line)?.[1]
    if (text !== undefined)
      starts.script(joined([{ ...command.stdin, value: text }]), { cwd: undefined, stdin: 'none' })
  }
}
