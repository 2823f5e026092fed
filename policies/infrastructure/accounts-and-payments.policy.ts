import { abstains, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'accounts-and-payments',
  severity: 'high',
  description:
    'Keeps users, identity providers, feature flags, payments, senders and customers from being deleted or cancelled',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['accounts-and-payments'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'accounts-and-payments', given),
  examples: [
    denies('auth0 apps delete abc --force'),
    denies('auth0 users delete "auth0|1"'),
    denies('ldcli flags delete --project p --flag f'),
    denies('unleash feature delete checkout'),
    denies('flipt flag delete checkout'),
    denies('stripe products delete prod_1'),
    denies('stripe products delete prod_1 --description=--help'),
    denies('stripe customers delete cus_1 --confirm'),
    denies('stripe subscriptions cancel sub_1'),
    denies('stripe delete /v1/customers/cus_1'),
    denies('twilio api:core:incoming-phone-numbers:remove --sid PN1'),
    denies('ldapdelete -x cn=a,dc=example,dc=com'),
    denies('kcadm.sh delete users/1 -r shop'),
    denies('sf org delete sandbox --target-org live'),
    abstains('auth0 apps list'),
    abstains('auth0 users show delete'),
    abstains('ldcli flags list --project delete'),
    abstains('stripe products list'),
    abstains('stripe customers retrieve delete'),
    abstains('stripe listen --forward-to localhost:3000'),
    abstains('stripe products delete --help'),
    abstains('stripe trigger customer.deleted'),
    abstains('twilio api:core:messages:list'),
    abstains('sf org list'),
    abstains('echo "stripe products delete prod_1"'),
    allowed('auth0 apps delete abc --force', 'auth0'),
    answered('auth0 apps delete abc --force', 'ask'),
  ],
})
