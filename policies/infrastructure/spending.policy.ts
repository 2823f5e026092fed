import { abstains, asks, definePolicy } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'spending',
  severity: 'medium',
  description: 'Asks before an account is bound to pay: reservations, domains, budgets, and dear or many machines',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['spend'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'spending', given),
  examples: [
    asks('aws ec2 run-instances --instance-type p5.48xlarge --count 2 --image-id ami-1'),
    asks('aws ec2 run-instances --instance-type t3.micro --count 200 --image-id ami-1'),
    abstains('aws ec2 run-instances --instance-type t3.micro --count 1 --image-id ami-1'),
    abstains('aws ec2 run-instances --instance-type p5.48xlarge --dry-run'),
    abstains('aws ec2 describe-instance-types --instance-types p5.48xlarge'),
    asks('gcloud container clusters resize main --num-nodes 300 --quiet'),
    abstains('gcloud container clusters resize main --num-nodes 3'),
    asks('aws savingsplans create-savings-plan --savings-plan-offering-id a --commitment 100'),
    abstains('aws ce get-cost-and-usage'),
    asks('gcloud billing projects unlink shop'),
    asks('vercel domains buy shop.example'),
    allowed('vercel domains buy shop.example', 'vercel domains'),
    answered('vercel domains buy shop.example', 'deny'),
  ],
})
