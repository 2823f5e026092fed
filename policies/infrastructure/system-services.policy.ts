import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { answerTo, type CliTable, isAllowed, judge, params } from './cli/judge.ts'
import { callsIn } from './cli/calls.ts'
import { lineIn } from './cli/line.ts'

const table: CliTable = {
  systemctl: {
    valued: 'H M t p s root machine kill-who signal',
    deny: [
      'poweroff|halt|reboot|kexec|rescue|emergency|suspend|hibernate|hybrid-sleep|exit|default',
      'isolate',
      'set-default',
      'switch-root',
      'soft-reboot',
    ],
    ask: ['stop|disable|mask|kill|revert', 'daemon-reexec', 'clean'],
    harmless: ['stop|disable|mask|kill|clean|revert --user'],
  },
  service: { ask: ['* stop', '* force-stop', '* full-restart'] },
  'rc-service': { ask: ['* stop'] },
  'rc-update': { ask: ['del|delete'] },
  'update-rc.d': { ask: ['* remove|disable'] },
  chkconfig: { ask: ['* off', '--del'] },
  initctl: { ask: ['stop'] },
  sv: { ask: ['down|stop|force-stop|exit|shutdown|kill'] },
  's6-svc': { ask: ['-d|-D|-k'] },
  supervisorctl: { ask: ['stop', 'shutdown', 'remove', 'clear'], valued: 'c s u p' },
  monit: { ask: ['stop', 'unmonitor', 'quit'] },
  pm2: { ask: ['delete|del', 'kill', 'stop', 'unstartup', 'flush', 'reset'] },
  forever: { ask: ['stopall', 'stop', 'cleanlogs'] },
  launchctl: { ask: ['unload', 'bootout', 'remove', 'disable', 'stop', 'kill'], deny: ['reboot'] },
  sc: { deny: ['delete', '* delete'], ask: ['stop', 'config'] },
  net: { ask: ['stop', 'user * /delete', 'share * /delete'] },
  homectl: { deny: ['remove'], ask: ['deactivate', 'lock'] },
  machinectl: { deny: ['remove', 'clean'], ask: ['poweroff', 'terminate', 'kill', 'stop'] },
  portablectl: { ask: ['detach'] },
  loginctl: { ask: ['terminate-session|terminate-user|terminate-seat|kill-session|kill-user'] },
  shutdown: { deny: [''], hIsNoHelp: true, harmless: ['-c', '-k'] },
  poweroff: { deny: [''], harmless: ['-w|--wtmp-only'] },
  reboot: { deny: [''], harmless: ['-w|--wtmp-only'] },
  halt: { deny: [''], harmless: ['-w|--wtmp-only'] },
  init: { deny: ['0|1|6|s'] },
  telinit: { deny: ['0|1|6|s'] },
  kexec: { deny: ['-e|--exec'] },
  userdel: { deny: [''] },
  deluser: { deny: [''] },
  groupdel: { ask: [''] },
  delgroup: { ask: [''] },
  dscl: { deny: ['* -delete', '* -deletepl'] },
  sysadminctl: { deny: ['-deleteuser'], oneDash: true },
  crontab: { deny: ['-r'], valued: 'u' },
  atrm: { ask: [''] },
  ufw: { ask: ['disable', 'reset', 'delete'] },
  'firewall-cmd': { ask: ['--panic-on', '--remove-service|--remove-port|--delete-zone|--reset-to-defaults'] },
  nft: { deny: ['flush ruleset', 'delete table'], ask: ['flush *', 'delete *'] },
  iptables: {
    deny: ['-F|--flush', '-X|--delete-chain'],
    ask: ['-D|--delete', '-P|--policy'],
    valued: 't p s d j P D A I F X',
    hIsNoHelp: true,
  },
  ip6tables: {
    deny: ['-F|--flush', '-X|--delete-chain'],
    ask: ['-D|--delete', '-P|--policy'],
    valued: 't p s d j P D A I F X',
    hIsNoHelp: true,
  },
  ipset: { ask: ['destroy|flush'] },
  wg: { ask: ['set * peer'] },
  'wg-quick': { ask: ['down'] },
  ifdown: { ask: [''] },
  nmcli: {
    ask: ['connection|con|c down|delete', 'networking off', 'device|dev|d disconnect|delete', 'radio wifi off'],
  },
  netplan: { ask: ['apply'] },
}

/** Services without which nobody can log in again, or nothing on the machine works. */
const vital =
  /^(?:ssh|sshd|networking|network|networkmanager|systemd-[\w@-]+|dbus(?:-broker)?|docker|containerd|cri-o|crio|kubelet|k3s|firewalld|ufw|nftables|iptables|wpa_supplicant|postgresql(?:[@-].*)?|postgres|mysql|mysqld|mariadb|mongod|mongodb|redis(?:-server)?|elasticsearch|opensearch|rabbitmq-server|kafka|zookeeper|etcd|consul|vault|nomad|nginx|apache2|httpd|haproxy|traefik|caddy|envoy|varnish|cassandra|clickhouse-server|libvirtd|auditd|rsyslog|chronyd|ntpd|named|bind9|unbound|dnsmasq|sssd|nfs-server|nfs-kernel-server|smbd|cron|crond|iscsid|multipathd|zfs[\w-]*|tailscaled|fail2ban|apparmor|selinux[\w-]*|crowdstrike|falcon-sensor|osqueryd|postfix|dovecot|exim4)(?:\.(?:service|socket|target|timer))?$/

/** Commands that stop a service, and the position of its name in the command line. */
const takingAway: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  systemctl: ([verb, ...units]) => (/^(?:stop|disable|mask|kill)$/.test(verb ?? '') ? units : []),
  service: ([unit, verb]) => (verb === 'stop' || verb === 'force-stop' ? [unit ?? ''] : []),
  'rc-service': ([unit, verb]) => (verb === 'stop' ? [unit ?? ''] : []),
}

const words = {
  harm: 'stops, disables or removes what this machine runs or what keeps it reachable',
  instead: 'look at its `status`, reload or restart it if that is enough, or have the person do it',
}

export default definePolicy({
  id: 'system-services',
  severity: 'high',
  description: 'Keeps machines from being shut down and services that others depend on from being stopped',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: [...Object.keys(table), ...Object.keys(takingAway)] },
  params,
  decide({ shell, params: given }) {
    for (const call of callsIn(shell)) {
      const named = Object.hasOwn(takingAway, call.program) ? takingAway[call.program] : undefined
      if (named === undefined) continue
      const line = lineIn(call, table[call.program] ?? {})
      if (line.options.has('user') || line.options.has('help') || isAllowed(call, given.allowed, line)) continue
      const service = named(line.words.map((word) => word.text.toLowerCase())).find((unit) => vital.test(unit))
      if (service === undefined) continue
      const text = line.words.map((word) => word.text).join(' ')
      return answerTo({ effect: 'deny', words: text }, call, given, words)
    }
    return judge(shell, table, given, words)
  },
  examples: [
    denies('systemctl stop sshd'),
    denies('systemctl disable --now docker.service'),
    denies('sudo systemctl mask postgresql'),
    denies('service nginx stop'),
    denies('systemctl isolate rescue.target'),
    denies('systemctl poweroff'),
    denies('shutdown -h now'),
    denies('reboot'),
    denies('init 0'),
    denies('userdel -r alice'),
    denies('crontab -r'),
    asks('systemctl stop my-app'),
    asks('pm2 delete all'),
    asks('supervisorctl stop all'),
    abstains('systemctl status stop'),
    abstains('systemctl list-units --state failed'),
    abstains('systemctl --user stop my-app'),
    abstains('systemctl is-active sshd'),
    abstains('systemctl restart my-app'),
    abstains('service nginx status'),
    abstains('shutdown -c'),
    abstains('crontab -l'),
    abstains('pm2 list'),
    abstains('echo "shutdown -h now"'),
    allowed('systemctl stop sshd', 'systemctl'),
    answered('systemctl stop sshd', 'ask'),
  ],
})
