import type { Family } from '../program.ts'
import type { Deeds } from '../deeds/deeds.ts'

export const starting = { object: 'the automatic start of', names: 'last' } as const
/** Programs whose every call makes a task, unless an option lists or removes tasks. */
export const task: Deeds = { valued: 'u', work: ['* !-l|-r', '-e !-l|-r'] }

/** Commands by which something runs later, or whenever something else starts, without a person who attends. */
export const schedules: Family = {
  area: 'schedules',

  programs: {
    incrontab: { does: task },

    defaults: {
      does: {
        ...starting,
        runsAnything: true,
        work: ['write * loginhook|logouthook|autolaunchedapplicationdictionary'],
      },
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
