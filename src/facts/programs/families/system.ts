import type { ShellCommand } from '../../../model/shell.ts'
import { behind, readOptions } from '../../../words/options.ts'
import { machineStage, platformStage } from '../deeds/stages.ts'
import type { EffectRecorder } from '../effects.ts'
import { looksLikePath } from '../looks.ts'
import { startApplyPatch, startPatch } from '../patches.ts'
import type { Family } from '../program.ts'
import { type Line, type Row, setup } from '../row.ts'
import type { Starts } from '../starts.ts'
import { startVariables } from '../unwrap.ts'
import { behindDashes, joined, names } from '../words.ts'
import { access } from './defences.ts'
import { timedatectlMachine } from './machine.ts'
import { starting, task } from './schedules.ts'
import { type Judge, isKnown } from '../looks/look.ts'
import { isGuard, isVital, unguards } from './system-services.ts'

const serviceManager: Row = {
  options: 'H host M machine t type p property u unit n lines o output since until root=names',
  effects(line, recorder) {
    const [verb, ...rest] = line.operands
    if (verb !== undefined && /^(?:link|enable|start)$/.test(verb.value))
      for (const word of rest) if (word.value.startsWith('/')) recorder.touch(word, 'execute')
  },
}

const patchRow: Row = {
  obeys: { looks: 'C', stdin: (words) => !words.some((word) => /^(?:-i|--input)/.test(word)) },
  options:
    'p strip i=read input=read o=write output=write d=names directory=names r=write reject-file=write B F fuzz V D z Y +dry-run +reverse',
  starts: startPatch,
  effects(line, recorder) {
    const [original, patch] = line.operands
    recorder.touch(patch, 'read')
    if (line.surely('dry-run')) return
    if (original !== undefined) recorder.touch(original, 'edit')
    else recorder.touch(line.value('d', 'directory') ?? { value: '.' }, 'into')
  },
}

const onlyShowsOrRuns: Judge = (look) =>
  isKnown(look) &&
  (look.args[0]?.value === '-p' || ((look.starts ?? 0) > 0 && look.args.some(({ value }) => value === '/dev/null')))

/** Programs without a family of their own: keys, services, schedules and other system tools. */
export const system: Family = {
  programs: {
    uuidgen: { output: 'random', ignoresStdin: true, looks: true, prints: true },
    'pwgen apg': { output: 'random', ignoresStdin: true },

    keychain: { output: setup(/--eval\b/) },
    dircolors: { output: setup(/^/), operands: 'read' },
    lesspipe: { output: setup(/^$/), operands: 'read' },
    'zoxide starship atuin': { output: setup(/^init\b/) },
    thefuck: { output: setup(/^--alias\b/) },
    'register-python-argcomplete': { output: setup(/^[\w.-]+$/) },
    crontab: {
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
        { area: 'schedules', ...task },
        machineStage,
      ],
      looks: '[-l] ..0',
      prints: true,
    },
    at: {
      options: 'f=execute q t',
      starts: startLater,
      does: { area: 'schedules', valued: 'f q t', work: ['* !-l|-r|-c|-d', '-t !-l|-r|-c|-d'] },
    },
    batch: { options: 'f=execute q t', starts: startLater, does: { area: 'schedules', work: [''] } },
    systemctl: {
      ...serviceManager,
      variables: 'SYSTEMD_EDITOR SYSTEMD_PAGER EDITOR VISUAL PAGER',
      does: [
        {
          area: 'system-services',
          kind: 'stop',
          object: 'service',
          flags: 'now force',
          says: {
            'reboot|kexec|soft-reboot|switch-root|daemon-reexec': {
              kind: 'restart',
              object: 'this machine',
              extent: 'all',
              names: 'none',
            },
            'isolate|set-default': { kind: 'change', object: 'what this machine runs', extent: 'all', names: 'none' },
            'poweroff|halt|rescue|emergency|suspend|hibernate|hybrid-sleep|exit|default': {
              kind: 'stop',
              object: 'this machine',
              extent: 'all',
              names: 'none',
            },
            clean: { kind: 'delete', object: 'stored data of service' },
            revert: { kind: 'rollback', object: 'settings of service' },
            restart: { kind: 'restart', object: 'service' },
          },
          also: [
            { kind: 'stop', object: 'service', work: ['stop|disable|mask|kill'], neverIf: isVital },
            { ...unguards, never: ['stop|disable|mask'], when: isGuard },
          ],
          valued: 's kill-who signal',
          never: [
            'poweroff|halt|reboot|kexec|rescue|emergency|suspend|hibernate|hybrid-sleep|exit|default',
            'isolate',
            'set-default',
            'switch-root',
            'soft-reboot',
          ],
          work: ['revert', 'daemon-reexec', 'clean'],
          easily: ['restart'],
          harmless: ['stop|disable|mask|kill|clean|revert --user'],
        },
        {
          area: 'schedules',
          ...starting,
          runsAnything: true,
          flags: 'user now system global runtime quiet',
          valued: 'H M t p s root',
          work: ['enable|reenable|link|edit|preset'],
        },
        machineStage,
      ],
      looks: {
        options:
          't type state p property n lines o output root +user +system +no-pager +a +all +l +full +q +quiet +failed +no-legend +plain +r +recursive +reverse',
        never: '-H|--host|-M|--machine|--root|--image|--force|--now',
        lines: `
      status|list-units|list-unit-files|list-timers|list-sockets|list-dependencies|list-jobs|list-machines|list-paths|list-automounts|is-active|is-enabled|is-failed|is-system-running|show|cat|help|get-default
      [] ..0`,
      },
    },
    journalctl: {
      ...serviceManager,
      variables: 'SYSTEMD_PAGER PAGER',
      does: {
        area: 'machine',
        kind: 'delete',
        thing: 'record',
        object: 'logs of this machine',
        names: 'none',
        work: ['--vacuum-size|--vacuum-time|--vacuum-files'],
      },
      looks: {
        valued: 'b S U g',
        lines:
          '!--vacuum-size|--vacuum-time|--vacuum-files|--rotate|--flush|--relinquish-var|--smart-relinquish-var|--sync|--setup-keys|--update-catalog|--cursor-file',
      },
    },
    service: {
      ...serviceManager,
      does: [
        {
          area: 'system-services',
          says: { '* full-restart|restart': { kind: 'restart' } },
          kind: 'stop',
          object: 'service',
          names: 'before',
          also: [
            { kind: 'stop', object: 'service', names: 'before', work: ['* stop|force-stop'], neverIf: isVital },
            { ...unguards, names: 'before', never: ['* stop|force-stop'], when: isGuard },
          ],
          work: ['* full-restart'],
          easily: ['* restart'],
        },
        machineStage,
      ],
      looks: '* status ..0; --status-all []',
    },
    'rc-service': {
      ...serviceManager,
      does: [
        {
          area: 'system-services',
          kind: 'stop',
          object: 'service',
          names: 'before',
          work: ['* stop'],
          neverIf: isVital,
        },
        machineStage,
      ],
    },
    'rc-update': {
      ...serviceManager,
      does: { area: 'system-services', kind: 'stop', object: 'service', names: 'first', work: ['del|delete'] },
    },
    chkconfig: {
      ...serviceManager,
      does: [
        { area: 'system-services', kind: 'stop', object: 'service', names: 'first', work: ['* off', '--del'] },
        { area: 'schedules', object: 'the automatic start of a service', valued: 'level', work: ['* on'] },
      ],
    },
    initctl: {
      ...serviceManager,
      does: [{ area: 'system-services', kind: 'stop', object: 'service', work: ['stop'] }, machineStage],
    },
    sv: {
      ...serviceManager,
      does: {
        area: 'system-services',
        kind: 'stop',
        object: 'service',
        work: ['down|stop|force-stop|exit|shutdown|kill'],
      },
    },
    supervisorctl: {
      ...serviceManager,
      does: [
        {
          area: 'system-services',
          kind: 'stop',
          object: 'process',
          says: {
            shutdown: { kind: 'stop', object: 'every process and the supervisor', names: 'none' },
            remove: { kind: 'delete', object: 'process group' },
            clear: { kind: 'delete', object: 'logs of' },
          },
          work: ['stop', 'shutdown', 'remove', 'clear'],
          valued: 'c s',
        },
        machineStage,
      ],
      looks: 'status|version|avail|pid',
    },
    monit: {
      ...serviceManager,
      does: {
        area: 'system-services',
        kind: 'stop',
        object: 'service',
        says: {
          quit: { kind: 'stop', object: 'the monitor', names: 'none' },
        },
        work: ['stop', 'unmonitor', 'quit'],
      },
    },
    loginctl: {
      ...serviceManager,
      does: {
        area: 'system-services',
        kind: 'stop',
        object: 'session',
        says: {
          'poweroff|halt|suspend|hibernate': { kind: 'stop', object: 'this machine', extent: 'all', names: 'none' },
          reboot: { kind: 'restart', object: 'this machine', extent: 'all', names: 'none' },
          'terminate-user|kill-user': { kind: 'stop', object: 'everything that runs of', extent: 'all' },
        },
        never: ['poweroff|halt|suspend|hibernate|reboot', 'terminate-user|kill-user'],
        work: ['terminate-session|terminate-seat|kill-session'],
      },
      looks: `
    ..0
    list-sessions|list-users|list-seats|session-status|user-status|seat-status|show-session|show-user|show-seat`,
    },
    timedatectl: {
      ...serviceManager,
      does: { area: 'machine', ...timedatectlMachine },
      looks: '..0; status|show|list-timezones|timesync-status|show-timesync',
      prints: true,
    },
    hostnamectl: {
      ...serviceManager,
      does: { area: 'machine', ...timedatectlMachine },
      looks: '..0; status ..0',
      prints: true,
    },
    pm2: {
      ...serviceManager,
      subcommands: {
        start: {
          options: 'name n i instances o output=append e error=append l log=append cwd=folder interpreter cron',
          starts({ operands: [program] }, starts, { args }) {
            if (program !== undefined) starts.words([program, ...(behindDashes(args) ?? [])])
          },
        },
      },
      does: [
        {
          area: 'system-services',
          kind: 'stop',
          object: 'process',
          says: {
            flush: { kind: 'delete', object: 'logs of' },
            unstartup: { kind: 'stop', object: 'the start of processes at boot', names: 'none' },
            kill: { kind: 'stop', object: 'every process and the manager', names: 'none' },
            reset: { kind: 'delete', object: 'counters of' },
          },
          work: ['delete|del', 'kill', 'stop', 'unstartup', 'flush', 'reset'],
        },
        {
          area: 'schedules',
          object: 'the automatic start of every process',
          runsAnything: true,
          work: ['save|startup'],
        },
        platformStage,
      ],
      looks: 'list|ls|l|status|show|describe|info|logs|jlist|prettylist|id|pid',
    },
    // Starts a shell in another group, which reads its script from stdin.
    newgrp: {
      options: 'c=script command=script',
      operands: 'none',
      starts(line, starts, { stdin }) {
        if (stdin !== undefined && !line.has('c', 'command')) starts.script(stdin, { stdin: 'none' })
      },
    },

    sudoedit: { operands: 'none', variables: 'SUDO_EDITOR VISUAL EDITOR' },

    launchctl: {
      effects: (line, recorder) => pathsAs(line, recorder, 'execute'),
      does: [
        {
          area: 'system-services',
          kind: 'stop',
          object: 'service',
          names: 'last',
          says: {
            reboot: { kind: 'restart', object: 'this machine', extent: 'all', names: 'none' },
          },
          work: ['unload', 'bootout', 'remove', 'disable', 'stop', 'kill'],
          never: ['reboot'],
        },
        {
          area: 'schedules',
          ...starting,
          runsAnything: true,
          says: { 'config|setenv': { kind: 'change', object: 'what every program starts with', names: 'none' } },
          work: ['load|bootstrap|enable|submit|start|kickstart|config|setenv'],
        },
      ],
      looks:
        'list|print|print-cache|print-disabled|plist|procinfo|hostinfo|resolveport|blame|dumpstate|managerpid|manageruid|managername|error|variant|version|help|getenv|dumpjpcategory',
    },

    kldload: { operands: 'none', first: 'execute' },
    setenforce: { operands: 'none', does: { area: 'defences', ...access, never: ['0|permissive'] } },
    chage: { operands: 'none', looks: '-l []', prints: true },
    sestatus: { operands: 'none', looks: true, prints: true },
    ldconfig: { operands: 'none', looks: '-p|--print-cache !-C|-f|-r|-n|-l ..0', prints: true },
    'update-alternatives': {
      operands: 'none',
      looks: '--list|--display|--query|--get-selections !--set|--install|--remove|--auto|--config|--all',
    },
    'depmod groupadd groupmod chfn': { operands: 'none' },
    patch: { ...patchRow, looks: '--dry-run !-o|--output|-r' },
    gpatch: { ...patchRow },
    'apply_patch applypatch': { options: '+preserve-crlf', operands: 'none', starts: startApplyPatch },
    'bindfs encfs gocryptfs': { operands: 'names' },
    // `script [-c SCRIPT] [FILE]` of Linux, `script [FILE [COMMAND…]]` of the BSDs.
    script: {
      options:
        'c command E echo I=write log-in=write O=write log-out=write B=write log-io=write T=write log-timing=write m logging-format o output-limit t timing',
      operandsLast: true,
      operands: 'none',
      starts: startTypescript,
      effects: (line, recorder) => recorder.touch(line.operands[0], 'write'),
      looks: ['--help|--version ..0', onlyShowsOrRuns],
      prints: true,
    },
    'asciinema ttyrec': {
      options: 'o=write c command',
      effects: (line, recorder) => pathsAs(line, recorder, 'write'),
    },
    'envsubst gettext': { operands: 'none', looks: true, prints: true },
    'ts figlet toilet cowsay lolcat banner': { operands: 'none' },
    air: { options: 'c=read', operandsLast: true },
  },
}

function pathsAs(line: Line, recorder: EffectRecorder, role: 'read' | 'write' | 'execute'): void {
  for (const word of line.operands) if (looksLikePath(word.value)) recorder.touch(behind(word, 0), role)
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

function startTypescript(read: Line, starts: Starts, { stdin }: ShellCommand): void {
  const behindFile = readOptions(read.operands.slice(1), { valued: names('c command'), operandsLast: true })
  const text = read.value('c', 'command') ?? behindFile.value('c', 'command')
  // On the BSDs, a command may follow the file; on Linux, there is only the file.
  const words = read.operands.slice(1)
  if (text !== undefined) starts.script(text)
  else if (words.length > 0) starts.words(words)
  else if (stdin !== undefined) starts.script(stdin, { stdin: 'none', guessed: true })
  if (text !== undefined || words.length > 0 || read.has('help', 'version', 'V', 'h')) starts.wrapper()
}
