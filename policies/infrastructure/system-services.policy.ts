import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'system-services',
  severity: 'high',
  description: 'Keeps machines from being shut down and services that others depend on from being stopped',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['system-services'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'system-services', given),
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
