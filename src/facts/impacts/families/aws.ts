import type { Deed, Deeds, Family } from '../deeds.ts'

const grants: Deed = {
  kind: 'grant',
  thing: 'account',
  never: ['iam attach-user-policy|attach-role-policy|attach-group-policy --policy-arn~administratoraccess'],
  work: [
    'iam attach-*',
    'ec2 import-key-pair',
    'lightsail import-key-pair',
    'iam put-user-policy|put-role-policy|put-group-policy|add-user-to-group|create-access-key|create-login-profile',
    'iam update-assume-role-policy|create-policy-version|set-default-policy-version|update-login-profile',
    'ec2 authorize-security-group-ingress --cidr=0.0.0.0/0|--ip-permissions~0.0.0.0/0|--cidr=::/0',
    's3api put-bucket-policy|put-public-access-block|delete-public-access-block',
    'lambda add-permission',
    'kms create-grant|put-key-policy',
    'sso-admin create-account-assignment',
  ],
}

/** Contracts, and what keeps bills small. */
const payments: Deed = {
  kind: 'pay',
  thing: 'money',
  work: [
    '* purchase-*',
    'savingsplans create-*',
    'route53domains register-domain|transfer-domain|renew-domain',
    'ec2 create-capacity-reservation|purchase-capacity-block',
    'support create-case',
    'budgets update-budget|delete-*',
  ],
}

const messages: Deed = {
  kind: 'send',
  thing: 'message',
  object: 'message',
  work: [
    'sns publish|publish-batch',
    'ses|sesv2 send-*',
    'pinpoint send-*',
    'pinpoint-sms-voice-v2 send-*',
    'connect start-outbound-*',
  ],
}

const amazon: Deeds = {
  valued:
    'change-batch ca-bundle cli-binary-format cli-connect-timeout cli-read-timeout color exclude include acl storage-class ' +
    'policy-arn policy-name policy-document user-name role-name group-name cidr protocol group-id ip-permissions',
  also: [grants, payments, messages],
  flags: 'delete exact-timestamps size-only',
  never: [
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
  work: [
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

const programs: Family['programs'] = {
  'aws aws2': amazon,
  s3cmd: {
    valued: 'c',
    never: [
      'rb',
      'del|rm --recursive|-r',
      'sync --delete-removed|--delete-after',
      'fixbucket',
      'dellifecycle|delpolicy|delcors',
      'expire',
    ],
    work: ['del|rm', 'mv'],
  },
  s5cmd: { never: ['rb', 'sync --delete'], work: ['rm', 'mv'] },
  s4cmd: { never: ['del --recursive|-r'], work: ['del', 'mv'] },
  mc: {
    never: [
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
    work: ['rm', 'mv', 'admin service stop|restart', 'alias remove|rm', 'admin heal --force', 'anonymous set'],
    trials: 'fake',
  },
  'aws-nuke': { never: ['--no-dry-run', 'run --no-dry-run', 'nuke --no-dry-run'] },
  'cloud-nuke': { never: ['aws', 'defaults-aws', 'gcp'] },
  'ecs-cli': {
    never: ['down', 'compose service rm|delete|down', 'compose down|rm|stop'],
    work: ['compose service stop', 'scale --size=0'],
  },
}

export const aws: Family = {
  area: 'aws',
  thing: 'infrastructure',
  programs,
  examples: {
    'aws ec2 terminate-instances --instance-ids i-1 i-2': 'deletes instances `i-1` and `i-2`, for good',
    'aws dynamodb delete-table --table-name orders': 'deletes table `orders`, for good',
    'aws --profile live iam delete-role --role-name x': 'deletes role `x`, for good, in production',
    'aws sns publish --topic-arn a --message b': 'sends a message to `a`',
    'aws kms schedule-key-deletion --key-id k': 'deletes key `k`, which other things may need, for good',
    'aws s3 ls': '',
  },
}
