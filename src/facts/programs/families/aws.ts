import { liveBy, type Deed, type Deeds, platformStage } from '../deeds/deeds.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { behind } from '../../../words/options.ts'
import type { EffectRecorder } from '../effects.ts'
import { type Judge, leadingWords, matchesTable, mayBeOption, readLook, type Table } from '../looks/look.ts'
import type { Family } from '../program.ts'
import type { Line } from '../row.ts'
import { surelyReads } from '../sql-reads.ts'
import { hostOf } from './http.ts'
import { isStore, onlyTries, stored } from './object-stores.ts'

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
  says: {
    'iam attach-role-policy|put-role-policy|update-assume-role-policy': { object: 'role', names: '--role-name' },
    'iam attach-group-policy|put-group-policy': { object: 'group', names: '--group-name' },
    'iam create-policy-version|set-default-policy-version': { object: 'policy', names: '--policy-arn' },
    'iam *': { object: 'user', names: '--user-name' },
    'ec2 authorize-*': { object: 'security group, to everybody', names: '--group-id|--group-name' },
    's3api *': { thing: 'data', object: 'bucket', names: '--bucket' },
    'lambda add-permission': { thing: 'deployment', object: 'function', names: '--function-name' },
    'kms *': { thing: 'secret', object: 'key', names: '--key-id' },
    'sso-admin *': { object: 'principal', names: '--principal-id' },
  },
}

/** Contracts, and what keeps bills small. */
const payments: Deed = {
  kind: 'spend',
  thing: 'money',
  work: [
    '* purchase-*',
    'savingsplans create-*',
    'route53domains register-domain|transfer-domain|renew-domain',
    'ec2 create-capacity-reservation|purchase-capacity-block',
    'support create-case',
    'budgets update-budget|delete-*',
  ],
  says: {
    'savingsplans *': { object: 'savings plan', names: 'none' },
    'route53domains *': { object: 'domain', names: '--domain-name' },
    'ec2 *capacity*': { object: 'capacity', names: 'none' },
    'support *': { object: 'support case', names: 'none' },
    'budgets *': { object: 'the limit of a budget' },
    '* purchase-*': { object: 'reservation', names: 'none' },
  },
}

const messages: Deed = {
  kind: 'send',
  thing: 'message',
  object: 'message',
  names: '--topic-arn|--target-arn|--phone-number|--destination|--to|--destination-phone-number',
  work: [
    'sns publish|publish-batch',
    'ses|sesv2 send-*',
    'pinpoint send-*',
    'pinpoint-sms-voice-v2 send-*',
    'connect start-outbound-*',
  ],
}

const amazon: Deeds = {
  shows: {
    'secretsmanager get-secret-value': 'AWS secret',
    'secretsmanager batch-get-secret-value': { object: 'AWS secrets', names: 'none' },
    'ssm get-parameter* --with-decryption': { object: 'AWS secret', names: '--name|--names|--path' },
    'configure get *secret*|*key*': { object: 'AWS key', names: 'none' },
    'configure get *token*': { object: 'AWS token', names: 'none' },
    'configure export-credentials': { object: 'the AWS keys' },
    'iam create-access-key': { object: 'AWS key', names: 'none' },
    'sts get-session-token|get-federation-token|assume-role*': { object: 'AWS token', names: 'none' },
    'ecr get-login-password|get-authorization-token': { object: 'AWS token', names: 'none' },
    'codeartifact get-authorization-token': { object: 'AWS token', names: 'none' },
    'eks get-token': { object: 'AWS token', names: 'none' },
    'rds generate-db-auth-token': { object: 'AWS token', names: 'none' },
  },
  says: {
    's3 rm --recursive': { kind: 'delete', object: 'everything in', trial: '--dryrun', thing: 'data' },
    's3 rm': { kind: 'delete', object: 'object', trial: '--dryrun' },
    's3 rb --force': { kind: 'delete', object: 'bucket, with everything in it' },
    's3 rb': { kind: 'delete', object: 'bucket' },
    's3 sync': {
      kind: 'delete',
      object: 'files that are only in',
      thing: 'data',
      trial: '--dryrun',
      names: 'last',
    },
    's3 mv': { kind: 'change', object: 'object', names: 'first', trial: '--dryrun' },
    'route53 change-resource-record-sets --change-batch~"delete"': {
      kind: 'delete',
      object: 'DNS record',
      names: 'none',
    },
    'route53 change-resource-record-sets': { kind: 'change', object: 'DNS zone', names: '--hosted-zone-id' },
    'ecs update-service': { kind: 'stop', object: 'service' },
    'autoscaling update-auto-scaling-group|set-desired-capacity': {
      kind: 'stop',
      object: 'all machines of',
      thing: 'infrastructure',
      names: '--auto-scaling-group-name',
    },
    'lambda put-function-concurrency': { kind: 'stop', object: 'function', names: '--function-name' },
    'rds modify-* --no-deletion-protection': {
      kind: 'weaken',
      object: 'the deletion protection of',
      thing: 'guard',
      names: '--db-instance-identifier|--db-cluster-identifier',
    },
    'rds modify-*': {
      kind: 'change',
      object: 'the master password of',
      thing: 'secret',
      names: '--db-instance-identifier|--db-cluster-identifier',
    },
    'dynamodb update-table': {
      kind: 'weaken',
      object: 'the deletion protection of',
      thing: 'guard',
      names: '--table-name',
    },
    'dynamodb update-continuous-backups': {
      kind: 'stop',
      object: 'the backups of',
      thing: 'backup',
      names: '--table-name',
    },
    'ec2 modify-instance-attribute': {
      kind: 'weaken',
      object: 'the termination protection of',
      thing: 'guard',
      names: '--instance-id',
    },
    '* unsubscribe': { kind: 'delete', object: 'subscription', names: '--subscription-arn' },
    '* close-account': { kind: 'delete', object: 'account', names: '--account-id' },
    '* leave-organization': { kind: 'change', object: 'the membership in the organization' },
    '* stop-logging': { kind: 'stop', object: 'trail' },
    '* decrease-stream-retention-period': {
      kind: 'delete',
      object: 'the older records of',
      thing: 'data',
      names: '--stream-name',
    },
    '* reset-*': { kind: 'change' },
    'secretsmanager update-secret|put-secret-value|rotate-secret': {
      kind: 'overwrite',
      object: 'secret',
      names: '--secret-id',
    },
    'secretsmanager cancel-rotate-secret': {
      kind: 'stop',
      object: 'the rotation of',
      thing: 'secret',
      names: '--secret-id',
    },
    'cloudformation execute-change-set': { kind: 'deploy', object: 'change set' },
    'cloudformation *rollback*': { kind: 'rollback', object: 'stack' },
    'dynamodb restore-table-*': { kind: 'create', object: 'table', names: '--target-table-name' },
    'rds restore-db-instance-*': { kind: 'create', object: 'database', names: '--db-instance-identifier' },
    'rds restore-db-cluster-*': { kind: 'create', object: 'database', names: '--db-cluster-identifier' },
    'cloudfront create-invalidation': {
      kind: 'delete',
      object: 'the cached content of',
      thing: 'network',
      names: '--distribution-id',
    },
    'iam update-access-key': { kind: 'stop', object: 'access key' },
    's3api put-bucket-lifecycle*': {
      kind: 'change',
      object: 'the lifecycle rules of',
      thing: 'data',
      names: '--bucket',
    },
    's3api put-bucket-versioning': { kind: 'change', object: 'the versioning of', thing: 'data', names: '--bucket' },
    's3api put-bucket-policy|put-bucket-acl': {
      kind: 'change',
      object: 'the access rules of',
      thing: 'account',
      names: '--bucket',
    },
    'ecr put-lifecycle-policy': {
      kind: 'change',
      object: 'the lifecycle rules of',
      thing: 'package',
      names: '--repository-name',
    },
    'ecr batch-delete-image': { kind: 'delete', object: 'images of', thing: 'package', names: '--repository-name' },
    'logs put-retention-policy': {
      kind: 'change',
      object: 'the retention of',
      thing: 'record',
      names: '--log-group-name',
    },
    'kms replicate-key': { kind: 'create', object: 'replica of a key', names: 'none' },
    'kms update-primary-region': { kind: 'change', object: 'the region of', thing: 'secret', names: '--key-id' },
  },
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

/** Parts of the names of operations that return credentials. */
const credentialNames = /credential|password|token|secret|private-key|presigned|signed/

/** Operations of AWS whose names begin like reading ones, but that return credentials or contents, or write a file. */
const awsRefused: ReadonlySet<string> = new Set(
  `batch-get-secret-value get-object get-object-torrent get-export get-sdk get-job-output get-media get-clip get-login
  get-snapshot-block get-configuration get-latest-configuration get-thing-shadow get-game-session-log get-instance-access
  get-contact-recording get-data-key get-default-key-pair get-bucket-access-keys get-media-for-fragment-list
  get-instance-access-details get-resource-api-key get-data-access get-dashboard-embed-url get-session-embed-url
  get-ssh-key get-raw-message-content get-parameters-for-import get-kms-encryption-key list-secrets-values`.split(
    /\s+/,
  ),
)

const awsOptions =
  'profile region endpoint-url output query color ca-bundle cli-read-timeout cli-connect-timeout +no-cli-pager +cli-auto-prompt +debug +no-verify-ssl +no-sign-request +no-paginate +no-cli-auto-prompt'

/** Calls of AWS that read. */
const awsLooks: Table = {
  options: awsOptions,
  lines: `
    help
    * help
    * * help
    * describe-*|list-*|search-*|lookup-*|check-*|estimate-*|simulate-*|preview-*|admin-list-*|admin-get-*|batch-get-*|batch-describe-*|batch-check-*|head-*|count-*|validate-*|get-*
    dynamodb scan|query|transact-get-items
    logs filter-log-events|tail|start-query|start-live-tail
    configure list|list-profiles
    route53 test-dns-answer
    events test-event-pattern
    sts decode-authorization-message
    servicediscovery discover-instances
    history list|show`,
}

/** Judges `aws`: operations that describe, list or get only look, unless they return secrets. */
const judgeAws: Judge = (look) => {
  const { args } = look
  const words = leadingWords(args, awsOptions)
  const [service = '', operation = ''] = words
  if (service === 's3' && operation === 'ls') return true
  if (args.some(mayBeOption) || words.includes('-')) return false
  // `--with-decryption` and `--include-values` show secrets; `--cli-input-…` reads operations from a file.
  if (args.some(({ value }) => /^--(?:with-d|include-v|cli-input)/.test(value))) return false
  if (service === 'help' || operation === 'help' || (words.length === 3 && words[2] === 'help')) return true
  if (service === 'athena' && operation === 'start-query-execution')
    return surelyReads(readLook(args, 'query-string').value('query-string')?.value, 'athena')
  const isPolicy = service === 'iam' && operation === 'get-account-password-policy'
  if (awsRefused.has(operation) || (operation.startsWith('get-') && credentialNames.test(operation) && !isPolicy))
    return false
  if (service === 'apigateway' && operation === 'get-api-key') return false
  return matchesTable(look, awsLooks)
}

function endpoint(line: Line): string {
  const url = line.value('endpoint-url')
  return (url === undefined ? undefined : hostOf(url.value)) ?? 'amazonaws.com'
}

/** Records a read of the local file in an option's value that begins with `file://` or `fileb://`. */
function prefixedFile(word: ShellWord, recorder: EffectRecorder): void {
  const prefix = /^fileb?:\/\//.exec(word.value)
  if (prefix !== null) recorder.touch(behind(word, prefix[0].length), 'read')
}

/** Calls that put a version into service, and do not say `deploy`. */
const liveVersions = liveBy(
  /^(?:lambda update-function-code|amplify start-job|elasticbeanstalk update-environment|ecs update-service\b.* --(?:force-new-deployment|task-definition))\b/,
  { verbs: ['deploy'], toNamed: true, kindFirst: true },
)

const programs: Family['programs'] = {
  aws: {
    abbreviates: true,
    obeys: { when: /\b(?:deploy|create-stack|update-stack|put-bucket-policy|create-function)\b/ },
    options:
      'region profile output query endpoint-url ca-bundle=read cli-input-json cli-input-yaml body=read acl sse storage-class exclude include content content-type content-encoding content-disposition content-language cache-control expires metadata-directive metadata function-name zip-file payload bucket key name value secret-id secret-string secret-binary parameters template-body template-file=read stack-name policy-document user-data',
    effects(line, recorder) {
      for (const { value } of line.given) prefixedFile(value, recorder)
      const [service, verb, ...places] = line.operands
      if (service?.value === 's3' && verb !== undefined && /^(?:cp|mv|sync|rm|presign|ls)$/.test(verb.value)) {
        stored(
          places,
          verb.value,
          line.has('recursive') || verb.value === 'sync',
          recorder,
          onlyTries(line),
          'amazonaws.com',
        )
        if (verb.value === 'sync' && line.has('delete'))
          for (const word of places.slice(1)) if (!isStore(word)) recorder.touch(word, 'delete', { recursive: true })
        return
      }
      const sends = line.has('body', 'zip-file', 'payload', 'secret-string', 'secret-binary', 'user-data')
      recorder.network({ kind: 'service', direction: sends ? 'both' : 'receive', host: endpoint(line) })
    },
    does: [amazon, platformStage, liveVersions],
    looks: judgeAws,
    namesSecrets: true,
    fetches: true,
    rentsMachines: true,
    sql: {
      options: 'query-string sql statement sqls query-statement',
      valued: 'database db cluster-identifier work-group secret-arn resource-arn',
      stdin: false,
    },
  },
  'aws2 awscliv2': { does: amazon },
  'aws-nuke': {
    does: {
      kind: 'delete',
      object: 'everything in the account',
      names: 'none',
      trial: 'aws-nuke run',
      never: ['--no-dry-run', 'run --no-dry-run', 'nuke --no-dry-run'],
    },
  },
  'cloud-nuke': {
    does: {
      kind: 'delete',
      object: 'everything in the account',
      names: 'none',
      trial: '--dry-run',
      never: ['aws', 'defaults-aws', 'gcp'],
    },
  },
  'ecs-cli': {
    does: [
      {
        says: {
          down: { kind: 'delete', object: 'the cluster', names: 'none' },
          'compose service stop': { kind: 'stop', object: 'service', names: '--project-name' },
          'compose service': { kind: 'delete', object: 'service', names: '--project-name' },
          'compose stop': { kind: 'stop', object: 'tasks', names: '--project-name' },
          compose: { kind: 'delete', object: 'tasks', names: '--project-name' },
          scale: { kind: 'stop', object: 'all machines of the cluster', names: 'none' },
        },
        never: ['down', 'compose service rm|delete|down', 'compose down|rm|stop'],
        work: ['compose service stop', 'scale --size=0'],
      },
      platformStage,
    ],
  },
}

export const aws: Family = {
  area: 'aws',
  programs,
  examples: {
    'aws secretsmanager get-secret-value --secret-id shop/db': 'shows AWS secret `shop/db`',
    'aws ssm get-parameters --names /shop/db --with-decryption': 'shows AWS secret `/shop/db`',
    'aws ssm get-parameters --names /shop/db': '',
    'aws configure get profile.x.aws_secret_access_key': 'shows an AWS key',
    'aws configure get region': '',
    'aws ec2 terminate-instances --instance-ids i-1 i-2': 'deletes instances `i-1` and `i-2`, for good',
    'aws dynamodb delete-table --table-name orders': 'deletes table `orders`, for good',
    'aws --profile live iam delete-role --role-name x': 'deletes role `x`, for good, in production',
    'aws sns publish --topic-arn a --message b': 'sends a message to `a`',
    'aws kms schedule-key-deletion --key-id k': 'deletes key `k`, which programs may need, for good',
    'aws s3 ls': '',
    'aws s3 sync ./empty s3://shop --delete': 'deletes files that are only in `s3://shop`, for good',
    'aws s3 rm s3://shop --recursive': 'deletes everything in `s3://shop`, for good',
    'aws s3 rb s3://shop --force': 'deletes bucket `s3://shop`, with everything in it, for good',
    'aws ecs update-service --cluster c --service web --desired-count 0': 'stops service `web`',
    'aws rds modify-db-instance --db-instance-identifier db --no-deletion-protection':
      'weakens the deletion protection of `db`',
    'aws iam attach-user-policy --user-name x --policy-arn arn:aws:iam::aws:policy/AdministratorAccess':
      'grants rights to user `x`',
    'aws ec2 authorize-security-group-ingress --group-id g --port 22 --cidr 0.0.0.0/0':
      'opens security group `g`, to everybody',
    'aws secretsmanager put-secret-value --secret-id db --secret-string x': 'overwrites secret `db`',
    'aws ecr batch-delete-image --repository-name shop --image-ids imageTag=1': 'deletes images of `shop`, for good',
    'ecs-cli compose --project-name shop service rm': 'deletes service `shop`, for good',
  },
}
