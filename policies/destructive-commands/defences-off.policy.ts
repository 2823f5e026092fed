import { abstains, answerTo, definePolicy, denies, strictest } from 'hookgate/policy'

export default definePolicy({
  id: 'defences-off',
  severity: 'high',
  description: 'Refuses to switch off firewalls, access control, audit logs and virus scanners',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['defences', 'system-services'] },
  decide: ({ impacts }) =>
    strictest(
      impacts
        .filter(({ area, thing }) => area === 'defences' || (area === 'system-services' && thing === 'guard'))
        .map((impact) => answerTo(impact)),
    ),
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
