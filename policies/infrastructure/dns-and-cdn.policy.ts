import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'dns-and-cdn',
  severity: 'critical',
  description: 'Keeps zones, records, services of content networks and routes of API gateways from being deleted',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['dns-and-cdn'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'dns-and-cdn', given),
  examples: [
    denies('flarectl dns delete --zone example.com --id 1'),
    denies('flarectl zone delete --zone example.com'),
    denies('fastly service delete --service-id abc --force'),
    denies('fastly backend delete --version 2 --name b'),
    denies('fastly service purge --all'),
    denies('pdnsutil delete-zone example.com'),
    denies('rndc delzone example.com'),
    denies('cli53 rrdelete example.com www A'),
    denies('deck gateway reset --force'),
    denies('kong migrations reset --yes'),
    denies('samba-tool dns delete dc example.com www A 10.0.0.1'),
    asks('dnscontrol push'),
    asks('octodns-sync --config-file c.yaml --doit'),
    asks('nsupdate -k key'),
    abstains('dnscontrol preview'),
    abstains('octodns-sync --config-file c.yaml'),
    abstains('flarectl dns list --zone delete.example.com'),
    abstains('fastly service list'),
    abstains('fastly log-tail --service-id delete'),
    abstains('pdnsutil list-zone delete-zone.example.com'),
    abstains('rndc status'),
    abstains('deck gateway diff'),
    abstains('cli53 list'),
    abstains('dig delete.example.com'),
    allowed('flarectl dns delete --zone example.com --id 1', 'flarectl'),
    answered('flarectl dns delete --zone example.com --id 1', 'ask'),
  ],
})
