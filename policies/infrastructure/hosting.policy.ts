import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'hosting',
  severity: 'critical',
  description: 'Keeps applications, machines, domains and settings of hosting platforms from being removed',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['hosting'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'hosting', given),
  examples: [
    denies('flyctl apps destroy web --yes'),
    denies('fly volumes destroy vol_1'),
    denies('heroku apps:destroy web --confirm web'),
    denies('heroku pg:reset DATABASE_URL --confirm web'),
    denies('heroku config:unset KEY -a web'),
    denies('vercel remove web --yes'),
    denies('netlify sites:delete --force'),
    denies('railway volume delete data --yes'),
    denies('npx wrangler d1 delete shop'),
    denies('wrangler kv namespace delete --namespace-id a'),
    asks('heroku ps:scale web=0'),
    abstains('flyctl status -a destroy'),
    abstains('flyctl deploy'),
    abstains('heroku logs --tail -a remove'),
    abstains('heroku pg:info'),
    abstains('vercel env ls production'),
    abstains('vercel logs rm'),
    abstains('railway variables set KEY=delete --environment development'),
    abstains('railway logs'),
    abstains('wrangler tail delete-users'),
    abstains('wrangler d1 delete shop --help'),
    abstains('echo "vercel remove web"'),
    allowed('flyctl apps destroy web --yes', 'flyctl'),
    answered('flyctl apps destroy web --yes', 'ask'),
  ],
})
