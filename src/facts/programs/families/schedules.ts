import type { Family } from '../program.ts'
import type { Deeds } from '../deeds/deeds.ts'

const starting = { object: 'the automatic start of', names: 'last' } as const
/** Programs whose every call makes a task, unless an option lists or removes tasks. */
const task: Deeds = { valued: 'u', work: ['* !-l|-r', '-e !-l|-r'] }

/** Commands by which something runs later, or whenever something else starts, without a person who attends. */
export const schedules: Family = {
  area: 'schedules',

  programs: {
    'crontab incrontab': { does: task },
    at: { does: { valued: 'f q t', work: ['* !-l|-r|-c|-d', '-t !-l|-r|-c|-d'] } },
    batch: { does: { work: [''] } },
    systemctl: {
      does: {
        ...starting,
        runsAnything: true,
        flags: 'user now system global runtime quiet',
        valued: 'H M t p s root',
        work: ['enable|reenable|link|edit|preset'],
      },
    },
    launchctl: {
      does: {
        ...starting,
        runsAnything: true,
        says: { 'config|setenv': { kind: 'change', object: 'what every program starts with', names: 'none' } },
        work: ['load|bootstrap|enable|submit|start|kickstart|config|setenv'],
      },
    },
    defaults: {
      does: {
        ...starting,
        runsAnything: true,
        work: ['write * loginhook|logouthook|autolaunchedapplicationdictionary'],
      },
    },
    npm: {
      does: {
        kind: 'change',
        object: 'the shell of every script',
        runsAnything: true,
        work: ['set script-shell|script-shell=*', 'config|c set script-shell|script-shell=*'],
      },
    },
    pm2: { does: { object: 'the automatic start of every process', runsAnything: true, work: ['save|startup'] } },
    'update-rc.d': { does: { object: 'the automatic start of', names: 'first', work: ['*'] } },
    chkconfig: { does: { object: 'the automatic start of a service', valued: 'level', work: ['* on'] } },
    'systemd-run': {
      does: {
        work: [
          '--on-active|--on-boot|--on-startup|--on-unit-active|--on-unit-inactive|--on-calendar|--on-timezone-change|--on-clock-change|--timer-property',
        ],
        runsAnything: true,
      },
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
