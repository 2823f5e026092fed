import { behind } from '../../../words/options.ts'
import { looksLikePath, behindDashes } from '../words.ts'
import type { Row } from '../row.ts'
import { platformStage, machineStage, type DeedCondition } from '../deeds/deeds.ts'
import { starting } from './schedules.ts'
import type { Family } from '../program.ts'

/** Clients of systemd; managers of before and beside it read as theirs. */
export const serviceManager: Row = {
  options: 'H host M machine t type p property u unit n lines o output since until root=names',
  effects(line, recorder) {
    const [verb, ...rest] = line.operands
    if (verb !== undefined && /^(?:link|enable|start)$/.test(verb.value))
      for (const word of rest) if (word.value.startsWith('/')) recorder.touch(word, 'execute')
  },
}

/** Services without which nobody can log in again, or nothing on the machine works. */
const vital =
  /^(?:ssh|sshd|networking|network|networkmanager|systemd-[\w@-]+|dbus(?:-broker)?|docker|containerd|cri-o|crio|kubelet|k3s|firewalld|ufw|nftables|iptables|wpa_supplicant|postgresql(?:[@-].*)?|postgres|mysql|mysqld|mariadb|mongod|mongodb|redis(?:-server)?|elasticsearch|opensearch|rabbitmq-server|kafka|zookeeper|etcd|consul|vault|nomad|nginx|apache2|httpd|haproxy|traefik|caddy|envoy|varnish|cassandra|clickhouse-server|libvirtd|auditd|rsyslog|chronyd|ntpd|named|bind9|unbound|dnsmasq|sssd|nfs-server|nfs-kernel-server|smbd|cron|crond|iscsid|multipathd|zfs[\w-]*|tailscaled|fail2ban|apparmor|selinux[\w-]*|crowdstrike|falcon-sensor|osqueryd|postfix|dovecot|exim4)(?:\.(?:service|socket|target|timer))?$/

/** Services that guard the machine, or record what happens on it. */
const guard =
  /^(?:firewalld|ufw|nftables|iptables|auditd|apparmor|selinux[\w-]*|fail2ban|clamav\S*|falcon-sensor|crowdstrike|rsyslog|systemd-journald|ossec\S*|wazuh\S*)(?:\.(?:service|socket|target|timer))?$/

/** True if a command is about one of the services that guard the machine. */
const isGuard: DeedCondition = (_, { words, options }) =>
  !options.has('user') && words.some(({ text }) => guard.test(text.toLowerCase()))

/** Stops what guards the machine: nobody can see then what happened in the meantime. */
const unguards = { kind: 'weaken', thing: 'guard', object: 'service, which guards this machine' } as const

/** True if a command is about one of these services of the system. */
const isVital: DeedCondition = (_, { words, options }) =>
  !options.has('user') && words.some(({ text }) => vital.test(text.toLowerCase()))

/** What starts, stops and keeps services: systemd, the init systems before it, launchd, and managers of processes. */
export const serviceManagers: Family = {
  area: 'system-services',
  rows: { managesServices: true },
  programs: {
    systemctl: {
      ...serviceManager,
      variables: 'SYSTEMD_EDITOR SYSTEMD_PAGER EDITOR VISUAL PAGER',
      does: [
        {
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
    'service invoke-rc.d': {
      ...serviceManager,
      does: [
        {
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
      does: { kind: 'stop', object: 'service', names: 'first', work: ['del|delete'] },
    },
    chkconfig: {
      ...serviceManager,
      does: [
        { kind: 'stop', object: 'service', names: 'first', work: ['* off', '--del'] },
        { area: 'schedules', object: 'the automatic start of a service', valued: 'level', work: ['* on'] },
      ],
    },
    'initctl dinitctl rcctl': {
      ...serviceManager,
      does: [{ kind: 'stop', object: 'service', work: ['stop'], neverIf: isVital }, machineStage],
    },
    sv: {
      ...serviceManager,
      does: {
        kind: 'stop',
        object: 'service',
        work: ['down|stop|force-stop|exit|shutdown|kill'],
        neverIf: isVital,
      },
    },
    supervisorctl: {
      ...serviceManager,
      does: [
        {
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
        kind: 'stop',
        object: 'service',
        says: {
          quit: { kind: 'stop', object: 'the monitor', names: 'none' },
        },
        work: ['stop', 'unmonitor', 'quit'],
      },
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
    launchctl: {
      effects({ operands }, recorder) {
        for (const word of operands) if (looksLikePath(word.value)) recorder.touch(behind(word, 0), 'execute')
      },
      does: [
        {
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
    'update-rc.d': {
      does: [
        { kind: 'stop', object: 'service', names: 'before', work: ['* remove|disable'] },
        { area: 'schedules', object: 'the automatic start of', names: 'first', work: ['*'] },
      ],
    },
    's6-svc': { does: { kind: 'stop', object: 'service', names: 'last', work: ['-d|-D|-k'], neverIf: isVital } },
    sc: {
      does: {
        kind: 'stop',
        object: 'service',
        names: 'last',
        says: {
          delete: { kind: 'delete', object: 'service', names: 'last' },
          config: { kind: 'change', object: 'service', names: 'first' },
        },
        never: ['delete', '* delete'],
        work: ['stop', 'config'],
      },
    },
  },
  examples: {
    'systemctl stop my-app': 'stops service `my-app`',
    'systemctl stop sshd': 'stops service `sshd`',
    'systemctl status sshd': '',
    'systemctl disable --now my-app': 'stops service `my-app`',
    'systemctl poweroff': 'stops this machine',
    'systemctl isolate rescue.target': 'changes what this machine runs',
    'systemctl restart my-app': 'restarts service `my-app`',
    'service nginx stop': 'stops service `nginx`',
    'service fail2ban stop': 'stops service `fail2ban`; switches off service `fail2ban`, which guards this machine',
    'pm2 delete all': 'stops all processes',
    'supervisorctl stop all': 'stops all processes',
    'launchctl unload a.plist': 'stops service `a.plist`',
  },
}
