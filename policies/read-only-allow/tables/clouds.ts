import { isHarmlessSql } from '../code/sql.ts'
import { type Judge, has, leadingWords, mayBeOption } from '../call.ts'
import { optionsOf } from '../table.ts'

/** The words of a command line behind the options that may stand before them. */
function wordsBehind(
  args: Parameters<typeof leadingWords>[0],
  valued: readonly string[],
  flags: readonly string[],
): readonly string[] | undefined {
  let at = 0
  for (;;) {
    const value = args[at]?.value ?? ''
    if (!value.startsWith('-')) return leadingWords(args.slice(at))
    if (flags.includes(value) || /^--[\w-]+=/.test(value)) at++
    else if (valued.includes(value)) at += 2
    else return undefined
  }
}

const asText = (args: Parameters<typeof leadingWords>[0]) => args.map((word) => word.value)
const list = (text: string) => text.trim().split(/\s+/)

const awsValued =
  '--profile --region --endpoint-url --output --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout'
const awsFlags =
  '--no-cli-pager --cli-auto-prompt --debug --no-verify-ssl --no-sign-request --no-paginate --no-cli-auto-prompt'

/** Operations of AWS that begin like those that read, but hand out what opens something, or write a file. */
const awsNot = ` get-secret-value batch-get-secret-value get-session-token get-federation-token get-login get-login-password
 get-authorization-token get-password-data get-credential-report get-credentials-for-identity get-role-credentials
 get-cluster-credentials get-cluster-credentials-with-iam get-credentials get-token get-id-token get-open-id-token
 get-open-id-token-for-developer-identity get-instance-access-details get-random-password
 get-delegated-access-token get-object get-object-torrent get-export get-sdk get-job-output get-media get-clip
 get-snapshot-block get-configuration get-latest-configuration get-thing-shadow get-game-session-log get-instance-access
 get-contact-recording get-data-key get-workload-access-token get-resource-oauth2-token get-resource-api-key
 get-temporary-glue-table-credentials get-temporary-glue-partition-credentials get-data-access get-relational-database-master-user-password
 get-relational-database-master-password get-default-key-pair get-bucket-access-keys
 get-web-identity-token get-connection-token get-media-for-fragment-list
 get-dashboard-embed-url get-session-embed-url get-ssh-key get-raw-message-content
 get-access-token get-parameters-for-import get-kms-encryption-key
 list-secrets-values `

/** Read-only verbs of AWS besides `describe-`, `list-` and the like. */
const awsMore = ` s3:ls dynamodb:scan dynamodb:query dynamodb:transact-get-items logs:filter-log-events logs:tail
 logs:start-query logs:start-live-tail configure:list configure:list-profiles route53:test-dns-answer
 events:test-event-pattern sts:decode-authorization-message servicediscovery:discover-instances iam:get-account-password-policy history:list history:show `

/** AWS: what describes, lists or gets, secrets aside. */
export const aws: Judge = ({ args }) => {
  const words = wordsBehind(args, list(awsValued), list(awsFlags))
  const [service = '', operation = ''] = words ?? []
  if (words === undefined) return false
  if (service === 's3' && operation === 'ls') return true
  if (args.some(mayBeOption)) return false
  const text = asText(args)
  // A paginator or an interactive prompt is the reader's own; a file that is written is not.
  if (
    text.some(
      (word) =>
        word === '--with-decryption' || word === '--include-values' || /^--(with-d|include-v|cli-input)/.test(word),
    )
  )
    return false
  if (service === 'help' || operation === 'help' || (words.length === 3 && words[2] === 'help')) return true
  if (service === 'athena' && operation === 'start-query-execution')
    return isHarmlessSql(valueOf(text, '--query-string'), 'athena')
  if (service === 'configure') return has(awsMore, `${service}:${operation}`)
  if (has(awsNot, operation) || (service === 'apigateway' && operation === 'get-api-key')) return false
  return (
    /^(describe|list|search|lookup|check|estimate|simulate|preview|admin-list|admin-get|batch-get|batch-describe|batch-check|head|count|validate)-/.test(
      operation,
    ) ||
    (operation.startsWith('get-') &&
      !/(credential|password|token|secret|private-key|presigned|signed)/.test(operation)) ||
    has(awsMore, `${service}:${operation}`)
  )
}

const valueOf = (text: readonly string[], option: string): string | undefined => {
  const at = text.indexOf(option)
  return at === -1 ? text.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1) : text[at + 1]
}

const azValued = '-o --output --query --subscription'
const azFlags = '--debug --verbose --only-show-errors'

/** Read-only verbs of Azure: the last words of a command. */
const azMore = ` check-health check-name check-name-availability exists logs query find version get-versions
 get-upgrades get-os-options usage lookup get-instance-view get-default list-usages `

/** Azure: the last word of a command is its verb, and all of its arguments are options. */
export const az: Judge = ({ args }) => {
  const words = wordsBehind(args, list(azValued), list(azFlags))
  if (words === undefined || args.some(mayBeOption)) return false
  const verb = words.at(-1) ?? ''
  const { names } = optionsOf(args, [], {})
  if (names.includes('file')) return false
  if (words.length === 1) return verb === 'version' || verb === 'find'
  if (words.some((word) => /^(delete|create|update|set|remove|add|start|stop|restart|purge|invoke)$/.test(word)))
    return false
  if (words[0] === 'account' && verb === 'get-access-token') return false
  return /^(list|show)(-|$)/.test(verb) || has(azMore, verb)
}

const gcloudValued =
  '--format --project --configuration --account --verbosity --filter --region --zone --billing-project --impersonate-service-account --flatten --sort-by --limit --page-size --location --trace-token --access-token-file'
const gcloudFlags = '--quiet -q --log-http --no-user-output-enabled --user-output-enabled'

/** Verbs of gcloud that read, besides those that begin with `list`, `describe` and `get`. */
const gcloudReads =
  ' info help search tail read lookup analyze-iam-policy search-all-resources search-all-iam-policies ls du query-activity log '

/** Words that are verbs, or begin like one: what follows them is no group. */
const startsAsVerb =
  /^(abandon|abort|access|acknowledge|activate|add|apply|approve|attach|authorize|begin|browse|bulk|call|cancel|clear|clone|complete|configure|connect|convert|copy|cp|create|deactivate|decrypt|delete|deploy|deprecate|destroy|detach|disable|drain|enable|encrypt|evict|exec|execute|export|failover|fetch|flush|force|generate|grant|import|init|insert|install|invalidate|invoke|issue|join|kill|launch|login|logout|mac-sign|migrate|modify|mount|move|mv|open|patch|pause|perform|print|promote|publish|pull|purge|push|reboot|recreate|redeploy|refresh|register|remove|rename|repair|replace|request|reschedule|reset|resize|restart|restore|resume|retry|revert|revoke|rm|rollback|rotate|rsync|save|scale|scp|seek|send|set|sign|simulate|snapshot|ssh|start|stop|submit|suspend|swap|switch|sync|terminate|trigger|truncate|undelete|undeploy|undeprecate|unlink|unlock|unset|update|upgrade|upload|wait|withdraw|write)(-|$)/

const isGcloudRead = (word: string): boolean =>
  (/^(list|describe|get)(-|$)/.test(word) && !/credential|token|secret|password/.test(word)) || has(gcloudReads, word)

/** Google Cloud: groups, then a verb, then names. The first word that is no group has to be a verb that reads. */
export const gcloud: Judge = ({ args }) => {
  const words = wordsBehind(args, list(gcloudValued), list(gcloudFlags))
  const [first = '', second = ''] = words ?? []
  if (words === undefined || args.some(mayBeOption)) return false
  const text = asText(args)
  if (text.some((word) => /^--(flags-file|log-file|output-file|destination)/.test(word))) return false
  if (['help', 'info', 'version', 'topic'].includes(first)) return true
  if (first === 'auth') return second === 'list'
  if (first === 'config')
    return (
      /^(list|get|get-value)$/.test(second) || (second === 'configurations' && /^(list|describe)$/.test(words[2] ?? ''))
    )
  const verb = words.findIndex(isGcloudRead)
  if (verb < 1) return false
  return words.slice(0, verb).every((word) => /^[a-z][a-z0-9-]*$/.test(word) && !startsAsVerb.test(word))
}
