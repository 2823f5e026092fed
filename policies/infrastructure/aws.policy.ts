import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { cloudWords } from './cli/cloud-words.ts'
import { type Cli, type CliTable, judge, params } from './cli/judge.ts'
import { isLoopback } from './hosts.ts'

const aws: Cli = {
  valued:
    'change-batch ca-bundle cli-binary-format cli-connect-timeout cli-read-timeout color exclude include acl storage-class',
  flags: 'delete exact-timestamps size-only',
  deny: [
    's3 rm --recursive',
    's3 rb',
    'route53 change-resource-record-sets --change-batch~"delete"',
    's3 sync --delete',
    's3 mv --recursive',
    '* delete-*|batch-delete-*|bulk-delete-*|admin-delete-*|force-delete-*|hard-delete-*',
    '* terminate-*|purge-*|deregister-*|batch-deregister-*|remove-*|destroy-*|wipe-*|erase-*|release-*',
    '* unsubscribe|close-account|leave-organization|schedule-key-deletion|disable-key|stop-logging|stop-configuration-recorder',
    '* revoke-*|unregister-*|decrease-stream-retention-period|deactivate-*|forget-*|withdraw-*|batch-revoke-*|reset-*',
    'ecs update-service --desired-count=0',
    'autoscaling update-auto-scaling-group --desired-capacity=0|--max-size=0',
    'autoscaling set-desired-capacity --desired-capacity=0',
    'lambda put-function-concurrency --reserved-concurrent-executions=0',
    'rds modify-db-instance|modify-db-cluster --no-deletion-protection',
    'dynamodb update-table --no-deletion-protection-enabled',
    'dynamodb update-continuous-backups --point-in-time-recovery-specification=pointintimerecoveryenabled=false',
    'ec2 modify-instance-attribute --no-disable-api-termination',
  ],
  ask: [
    's3 rm',
    's3 mv',
    '* stop-*|reboot-*|cancel-*|detach-*|disassociate-*|disable-*|abort-*|reject-*|pause-*|suspend-*|rollback-*|failover-*|restore-*',
    '* batch-disassociate-*|batch-disable-*|admin-disable-*|admin-reset-*|admin-remove-*|batch-detach-*|untag-*',
    'ssm cancel-command',
    'secretsmanager update-secret|put-secret-value|rotate-secret|restore-secret|cancel-rotate-secret',
    'cloudformation execute-change-set|continue-update-rollback|rollback-stack',
    'route53 change-resource-record-sets',
    'cloudfront create-invalidation',
    'iam update-access-key --status=inactive',
    's3api put-bucket-lifecycle-configuration|put-bucket-lifecycle|put-bucket-versioning|put-bucket-policy|put-bucket-acl',
    'ecr put-lifecycle-policy',
    'logs put-retention-policy',
    'kms replicate-key|update-primary-region',
    'rds modify-db-instance --master-user-password',
  ],
  // They take away what the service keeps of a call, or a mark, and nothing that anybody stored.
  harmless: [
    'help',
    '* help',
    '* * help',
    '* remove-tags*|remove-tag*',
    '* untag-*',
    '* delete-tags',
    '* stop-query',
    '* cancel-query',
  ],
}

const table: CliTable = {
  aws,
  aws2: aws,
  s3cmd: {
    valued: 'c',
    deny: [
      'rb',
      'del|rm --recursive|-r',
      'sync --delete-removed|--delete-after',
      'fixbucket',
      'dellifecycle|delpolicy|delcors',
      'expire',
    ],
    ask: ['del|rm', 'mv'],
  },
  s5cmd: { deny: ['rb', 'sync --delete'], ask: ['rm', 'mv'] },
  s4cmd: { deny: ['del --recursive|-r'], ask: ['del', 'mv'] },
  mc: {
    deny: [
      'rb',
      'rm --recursive|-r|--force',
      'mirror --remove',
      'undo',
      'admin bucket delete',
      'admin user|group|policy|service-account remove|rm',
      'admin user svcacct rm|remove',
      'admin bucket remote rm',
      'ilm rm|remove',
      'ilm rule rm|remove',
      'replicate rm|remove',
      'version suspend',
      'encrypt clear',
      'event remove|rm',
      'retention clear',
      'legalhold clear',
      'admin decommission start',
      'admin kms key delete',
      'tag remove',
      'idp ldap|openid remove|disable',
    ],
    ask: ['rm', 'mv', 'admin service stop|restart', 'alias remove|rm', 'admin heal --force', 'anonymous set'],
    trials: 'fake',
  },
  'aws-nuke': { deny: ['--no-dry-run', 'run --no-dry-run', 'nuke --no-dry-run'] },
  'cloud-nuke': { deny: ['aws', 'defaults-aws', 'gcp'] },
  'ecs-cli': {
    deny: ['down', 'compose service rm|delete|down', 'compose down|rm|stop'],
    ask: ['compose service stop', 'scale --size=0'],
  },
}

export default definePolicy({
  id: 'aws',
  severity: 'critical',
  description: 'Keeps resources of AWS and compatible services from being deleted, terminated or emptied',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: Object.keys(table) },
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
  decide: ({ shell, params: given }) =>
    judge(
      shell,
      table,
      given,
      cloudWords({
        harm: "removes an account's resources, data or access, mostly for good",
        instead:
          'look first (`describe-*`, `list-*`, `--dry-run`, `--dryrun` for s3), use a sandbox account, or have the person run it',
      }),
      (line) =>
        (line.options.get('profile') ?? []).some((one) => given.allowedProfiles.includes(one)) ||
        (given.allowLocal && (line.options.get('endpoint-url') ?? []).some((url) => isLoopback(url))),
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
