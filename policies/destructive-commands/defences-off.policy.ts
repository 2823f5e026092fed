import { abstains, definePolicy, denies, deny } from 'hookgate/policy'
import { type Call, callIn } from './calls.ts'

const whatHappened = 'leave them, so that the person can see what happened'

const calls: readonly (Call & { readonly instead?: string })[] = [
  { programs: 'iptables ip6tables iptables-legacy iptables-nft ebtables', words: /(?:^| )(?:-[FXZ]|--flush|--delete-chain|-P \S+ ACCEPT|--policy \S+ ACCEPT)(?: |$)/, does: 'disable the firewall' },
  { programs: 'nft', words: /(?:^| )(?:flush (?:ruleset|table|chain)|delete (?:table|chain))/, does: 'disable the firewall' },
  { programs: 'ufw', words: /(?:^| )(?:disable|reset|default allow)/, does: 'disable the firewall' },
  { programs: 'pfctl', words: /(?:^| )-[a-z]*(?:d|F)/, does: 'disable the firewall' },
  { programs: 'firewall-cmd', words: /--(?:panic-off|set-default-zone=trusted|remove-)/, does: 'disable the firewall' },
  { programs: 'netsh', words: /advfirewall .*(?:state off|delete rule|reset)|firewall set opmode.*disable/i, does: 'disable the firewall' },
  { programs: 'setenforce', words: /^(?:0|permissive)$/i, does: "disable the system's access control" },
  { programs: 'aa-teardown aa-disable aa-complain apparmor_parser', words: /\S|^$/, without: /(?:^| )-[a-z]*[apQ]/, does: "disable the system's access control" },
  { programs: 'auditctl', words: /(?:^| )(?:-D|-e ?0)(?: |$)/, does: 'disable the audit log', instead: 'leave it on, so that the person can see what happened' },
  { programs: 'systemctl service', words: /(?:^| )(?:stop|disable|mask) .*(?:firewalld|ufw|nftables|iptables|auditd|apparmor|selinux|fail2ban|clamav\S*|falcon-sensor|crowdstrike|rsyslog|systemd-journald|ossec\S*|wazuh\S*)/, does: 'disable what guards the machine' },
  { programs: 'csrutil', words: /^(?:disable|clear)/, does: "disable the system's protection" },
  { programs: 'spctl', words: /--(?:master-disable|global-disable|disable)(?: |$)/, does: "disable the system's protection" },
  { programs: 'tmutil', words: /^(?:delete\w*|disable\w*)(?: |$)/, does: 'delete or disable backups', instead: 'everything else is restored from them, so let the person decide' },
  { programs: 'set-mppreference', words: /-Disable|-Exclusion/i, does: 'disable the virus scanner' },
  { programs: 'uninstall-windowsfeature remove-mppreference', does: 'disable what guards the machine' },
  { programs: 'wevtutil', words: /^(?:cl|clear-log)(?: |$)/i, does: 'empty the logs', instead: whatHappened },
  { programs: 'unset', words: /(?:^| )HISTFILE(?: |$)/, does: 'switch off the history of commands', instead: 'leave it on, so that the person can see what was run' },
  { programs: 'export', words: /(?:^| )HIST(?:FILE=(?:\/dev\/null)?|(?:FILE)?SIZE=0)(?: |$)/, does: 'switch off the history of commands', instead: 'leave it on, so that the person can see what was run' },
  { programs: 'clear-eventlog remove-eventlog', does: 'empty the logs', instead: whatHappened },
] // prettier-ignore

export default definePolicy({
  id: 'defences-off',
  severity: 'high',
  description: 'Refuses to switch off firewalls, access control, audit logs and virus scanners',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: calls.map(({ programs }) => programs) },
  decide({ shell }) {
    for (const [at, command] of shell.commands.entries()) {
      const call = callIn(command, calls)
      if (call !== undefined) {
        const { does, instead = 'say what it blocks, and let the person decide' } = call
        return deny(`${command.program} would ${does}: ${instead}`, { at })
      }
    }
    return undefined
  },
  examples: [
    denies('the firewall', 'iptables -F'),
    abstains('its rules', 'iptables -L -n'),
    denies('a simpler one', 'sudo ufw disable'),
    abstains('its state', 'sudo ufw status'),
    denies('access control', 'setenforce 0'),
    abstains('whether there is any', 'getenforce'),
    denies('the audit log', 'systemctl disable --now auditd'),
    abstains('its state, too', 'systemctl status auditd'),
  ],
})
