import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'load-balancers',
  severity: 'high',
  description: 'Keeps web servers and load balancers from being stopped, and servers behind them from being taken out',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['load-balancers'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'load-balancers', given),
  examples: [
    denies('nginx -s stop'),
    denies('nginx -s quit'),
    denies('nginx -c /etc/nginx/nginx.conf -s stop'),
    denies('apachectl -k graceful-stop'),
    denies('apachectl stop'),
    denies('echo "disable server web/a" | socat stdio /run/haproxy/admin.sock'),
    denies('echo "set server web/a state maint" | nc -U /run/haproxy.sock'),
    denies('ipvsadm -C'),
    denies('caddy stop'),
    asks('haproxy -f /etc/haproxy.cfg -sf 12'),
    abstains('nginx -t'),
    abstains('nginx -s reload'),
    abstains('apachectl configtest'),
    abstains('echo "show stat" | socat stdio /run/haproxy/admin.sock'),
    abstains('echo "disable server web/a"'),
    abstains('haproxy -c -f /etc/haproxy.cfg'),
    abstains('ipvsadm -L -n'),
    abstains('caddy reload'),
    allowed('nginx -s stop', 'nginx'),
    answered('nginx -s stop', 'ask'),
  ],
})
