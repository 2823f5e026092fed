import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'cloud-providers',
  severity: 'critical',
  description: 'Keeps machines, volumes, networks and buckets of cloud providers from being deleted',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['cloud-providers'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'cloud-providers', given),
  examples: [
    denies('doctl compute droplet delete web-1 --force'),
    denies('hcloud server delete web-1'),
    denies('linode-cli linodes delete 12'),
    abstains('doctl compute droplet list --tag-name delete'),
    denies('openstack server delete web-1'),
    denies('b2 delete-bucket logs'),
    asks('hcloud server poweroff web-1'),
    abstains('hcloud server list'),
    abstains('openstack server show delete'),
    abstains('b2 ls rm'),
    abstains('doctl compute droplet delete web-1 --help'),
    abstains('cloudflared tunnel list'),
    allowed('doctl compute droplet delete web-1 --force', 'doctl'),
    answered('doctl compute droplet delete web-1 --force', 'ask'),
  ],
})
