import { abstains, asks, definePolicy } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { hostsAllowed, judge } from './impacts.ts'

export default definePolicy({
  id: 'payments-and-pipelines',
  severity: 'high',
  description:
    'Asks before requests that move money, and before variables and secrets of pipelines are set or a change is merged by request',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['change', 'pay', 'request'] },
  params: {
    ...params,
    allowedHosts: {
      type: 'strings',
      default: [],
      description: 'hosts that may be asked for such changes, without port: `api.test`',
    },
  },
  decide: ({ impacts, params: given }) =>
    judge(impacts, 'payments-and-pipelines', given, hostsAllowed(given.allowedHosts)),
  examples: [
    asks('gh secret set NPM_TOKEN --body x'),
    asks('gh variable set REGION -b eu'),
    abstains('gh secret list'),
    asks('glab variable set REGION eu'),
    abstains('glab variable list'),
    asks('curl -X PUT https://gitlab.com/api/v4/projects/3/variables/TOKEN --form value=x'),
    asks('curl https://gitlab.example.com/api/v4/groups/3/variables -d key=A -d value=x'),
    abstains('curl https://gitlab.com/api/v4/projects/3/variables'),
    asks("curl -X PUT https://api.github.com/repos/a/b/actions/secrets/X -d '{}'"),
    asks('curl -X PUT https://api.github.com/repos/a/b/pulls/3/merge'),
    abstains('curl https://api.github.com/repos/a/b/pulls/3/merge'),
    asks('gh api repos/a/b/merges -f base=main -f head=x'),
    abstains('gh api repos/a/b/pulls/3/merge'),
    asks('glab api -X PUT projects/3/merge_requests/4/merge'),
    asks(
      'gh api graphql -f query=\'mutation { mergePullRequest(input: { pullRequestId: "a" }) { clientMutationId } }\'',
    ),
    abstains('gh api graphql -f query=\'{ repository(owner: "a", name: "b") { mergeCommitAllowed } }\''),
    asks('curl https://api.stripe.com/v1/refunds -u k: -d charge=ch_1'),
    abstains('curl -X POST https://api.stripe.com/v1/subscriptions/sub_1/cancel'),
    asks('curl -X POST https://shop.example.com/api/payouts -d amount=5'),
    abstains('curl https://api.stripe.com/v1/charges?limit=3 -u k:'),
    abstains('curl https://api.stripe.com/v1/customers -u k: -d email=a@b.example'),
    abstains('curl -X POST http://localhost:3000/refunds -d charge=ch_1'),
    abstains('a host that is allowed', 'curl -X POST https://pay.test/refunds -d a=b', {
      params: { allowedHosts: ['pay.test'] },
    }),
    asks('stripe refunds create --charge ch_1'),
    asks('stripe payouts create --amount 100'),
    abstains('stripe refunds list'),
    asks('bundle exec rake "payroll:close[2026-03]"'),
    asks('bin/ebics upload out/pain001.xml --live'),
    abstains('bundle exec rspec spec/payroll'),
    abstains('npm run payouts:preview'),
    abstains('rg payroll app/'),
    abstains('echo gh secret set A'),
    allowed('gh secret set NPM_TOKEN --body x', 'gh secret set'),
    answered('gh secret set NPM_TOKEN --body x', 'deny'),
  ],
})
