import type { DeedCondition, Family } from '../deeds.ts'

/** Services without which nobody can log in again, or nothing on the machine works. */
const vital =
  /^(?:ssh|sshd|networking|network|networkmanager|systemd-[\w@-]+|dbus(?:-broker)?|docker|containerd|cri-o|crio|kubelet|k3s|firewalld|ufw|nftables|iptables|wpa_supplicant|postgresql(?:[@-].*)?|postgres|mysql|mysqld|mariadb|mongod|mongodb|redis(?:-server)?|elasticsearch|opensearch|rabbitmq-server|kafka|zookeeper|etcd|consul|vault|nomad|nginx|apache2|httpd|haproxy|traefik|caddy|envoy|varnish|cassandra|clickhouse-server|libvirtd|auditd|rsyslog|chronyd|ntpd|named|bind9|unbound|dnsmasq|sssd|nfs-server|nfs-kernel-server|smbd|cron|crond|iscsid|multipathd|zfs[\w-]*|tailscaled|fail2ban|apparmor|selinux[\w-]*|crowdstrike|falcon-sensor|osqueryd|postfix|dovecot|exim4)(?:\.(?:service|socket|target|timer))?$/

/** True if a command is about one of these services of the system. */
const isVital: DeedCondition = (_, { words, options }) =>
  !options.has('user') && words.some(({ text }) => vital.test(text.toLowerCase()))

const programs: Family['programs'] = {
  'ssh-import-id ssh-copy-id': { kind: 'grant', thing: 'account', work: ['*'] },
  systemctl: {
    also: [{ kind: 'stop', never: ['stop|disable|mask|kill'], when: isVital }],
    valued: 'H M t p s root machine kill-who signal',
    never: [
      'poweroff|halt|reboot|kexec|rescue|emergency|suspend|hibernate|hybrid-sleep|exit|default',
      'isolate',
      'set-default',
      'switch-root',
      'soft-reboot',
    ],
    work: ['stop|disable|mask|kill|revert', 'daemon-reexec', 'clean'],
    harmless: ['stop|disable|mask|kill|clean|revert --user'],
  },
  service: {
    also: [{ kind: 'stop', never: ['* stop|force-stop'], when: isVital }],
    work: ['* stop', '* force-stop', '* full-restart'],
  },
  'rc-service': {
    also: [{ kind: 'stop', never: ['* stop'], when: isVital }],
    work: ['* stop'],
  },
  'rc-update': { work: ['del|delete'] },
  'update-rc.d': { work: ['* remove|disable'] },
  chkconfig: { work: ['* off', '--del'] },
  initctl: { work: ['stop'] },
  sv: { work: ['down|stop|force-stop|exit|shutdown|kill'] },
  's6-svc': { work: ['-d|-D|-k'] },
  supervisorctl: { work: ['stop', 'shutdown', 'remove', 'clear'], valued: 'c s u p' },
  monit: { work: ['stop', 'unmonitor', 'quit'] },
  pm2: { work: ['delete|del', 'kill', 'stop', 'unstartup', 'flush', 'reset'] },
  forever: { work: ['stopall', 'stop', 'cleanlogs'] },
  launchctl: { work: ['unload', 'bootout', 'remove', 'disable', 'stop', 'kill'], never: ['reboot'] },
  sc: { never: ['delete', '* delete'], work: ['stop', 'config'] },
  net: { work: ['stop', 'user * /delete', 'share * /delete'] },
  homectl: { never: ['remove'], work: ['deactivate', 'lock'] },
  machinectl: { never: ['remove', 'clean'], work: ['poweroff', 'terminate', 'kill', 'stop'] },
  portablectl: { work: ['detach'] },
  loginctl: { work: ['terminate-session|terminate-user|terminate-seat|kill-session|kill-user'] },
  shutdown: { never: [''], hIsNoHelp: true, harmless: ['-c', '-k'] },
  poweroff: { never: [''], harmless: ['-w|--wtmp-only'] },
  reboot: { never: [''], harmless: ['-w|--wtmp-only'] },
  halt: { never: [''], harmless: ['-w|--wtmp-only'] },
  init: { never: ['0|1|6|s'] },
  telinit: { never: ['0|1|6|s'] },
  kexec: { never: ['-e|--exec'] },
  userdel: { never: [''] },
  deluser: { never: [''] },
  groupdel: { work: [''] },
  delgroup: { work: [''] },
  dscl: { never: ['* -delete', '* -deletepl'] },
  sysadminctl: { never: ['-deleteuser'], oneDash: true },
  crontab: { never: ['-r'], valued: 'u' },
  atrm: { work: [''] },
  ufw: { work: ['disable', 'reset', 'delete'] },
  'firewall-cmd': { work: ['--panic-on', '--remove-service|--remove-port|--delete-zone|--reset-to-defaults'] },
  nft: { never: ['flush ruleset', 'delete table'], work: ['flush *', 'delete *'] },
  iptables: {
    never: ['-F|--flush', '-X|--delete-chain'],
    work: ['-D|--delete', '-P|--policy'],
    valued: 't p s d j P D A I F X',
    hIsNoHelp: true,
  },
  ip6tables: {
    never: ['-F|--flush', '-X|--delete-chain'],
    work: ['-D|--delete', '-P|--policy'],
    valued: 't p s d j P D A I F X',
    hIsNoHelp: true,
  },
  ipset: { work: ['destroy|flush'] },
  wg: { work: ['set * peer'] },
  'wg-quick': { work: ['down'] },
  ifdown: { work: [''] },
  nmcli: {
    work: ['connection|con|c down|delete', 'networking off', 'device|dev|d disconnect|delete', 'radio wifi off'],
  },
  netplan: { work: ['apply'] },
}

export const systemServices: Family = { area: 'system-services', thing: 'machine', programs }
