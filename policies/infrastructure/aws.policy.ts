import { abstains, asks, definePolicy, denies, isLoopback } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'aws',
  severity: 'critical',
  description: 'Keeps resources of AWS and compatible services from being deleted, terminated or emptied',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['aws'] },
  params: {
    ...params,
    allowedProfiles: {
      type: 'strings',
      default: [],
      description: 'profiles that may be changed if the command names one with `--profile`',
    },
    allowLocal: {
      type: 'boolean',
      default: false,
      description: 'whether an `--endpoint-url` on this machine, such as an emulator, may be changed',
    },
  },
  decide: ({ impacts, params: given }) =>
    judge(
      impacts,
      'aws',
      given,
      ({ targets }) =>
        (targets['profile'] ?? []).some((one) => given.allowedProfiles.includes(one)) ||
        (given.allowLocal && (targets['endpoint-url'] ?? []).some((url) => isLoopback(url))),
    ),
  examples: [
    denies('aws s3 rb s3://shop-logs --force'),
    denies('aws s3 rm s3://shop-logs --recursive'),
    denies('aws --profile live s3 sync ./empty s3://shop-logs --delete'),
    denies('aws ec2 terminate-instances --instance-ids i-1'),
    denies('aws dynamodb delete-table --table-name orders'),
    denies('aws rds delete-db-instance --db-instance-identifier db --skip-final-snapshot'),
    denies('aws ecr batch-delete-image --repository-name shop --image-ids imageTag=1'),
    denies('aws kms schedule-key-deletion --key-id k'),
    denies('aws iam delete-role --role-name x > --help'),
    denies('aws ecs update-service --service web --desired-count 0'),
    asks('aws ec2 stop-instances --instance-ids i-1'),
    asks('aws s3 rm s3://shop-logs/one.txt'),
    asks('aws s3 $OPERATION s3://shop-logs'),
    asks('aws ec2 delete-volume --client-token --help'),
    denies('mc rb --force local/shop'),
    abstains('aws s3 rm s3://shop-logs --recursive --dryrun'),
    abstains('aws s3 sync ./site s3://shop-site --delete --dryrun'),
    abstains('aws ec2 terminate-instances --instance-ids i-1 --dry-run'),
    abstains('aws ec2 terminate-instances help --help'),
    abstains('aws dynamodb delete-table --generate-cli-skeleton'),
    abstains('aws s3 rm help'),
    abstains('aws s3 ls s3://delete-me'),
    abstains('aws s3 cp ./delete.txt s3://shop-logs/'),
    abstains('aws s3 sync ./site s3://shop-site'),
    abstains('aws lambda get-function --function-name delete-users'),
    abstains('aws logs filter-log-events --log-group-name x --filter-pattern terminate-instances'),
    abstains('echo aws s3 rb s3://shop-logs'),
    abstains('a profile that is allowed', 'aws --profile sandbox dynamodb delete-table --table-name t', {
      params: { allowedProfiles: ['sandbox'] },
    }),
    abstains(
      'an emulator on this machine, where that is allowed',
      'aws --endpoint-url http://localhost:4566 s3 rb s3://t',
      { params: { allowLocal: true } },
    ),
    allowed('aws s3 rb s3://shop-logs --force', 'aws'),
    answered('aws s3 rb s3://shop-logs --force', 'ask'),
  ],
})
