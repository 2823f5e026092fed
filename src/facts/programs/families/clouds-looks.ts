import type { Family } from '../program.ts'
import { surelyReads } from '../sql-reads.ts'
import { type Judge, leadingWords, matchesTable, mayBeOption, readLook, type Table } from '../looks/look.ts'

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

/** Parts of the names of operations that return credentials. */
const credentialNames = /credential|password|token|secret|private-key|presigned|signed/

/** Judges `aws`: operations that describe, list or get only look, unless they return secrets. */
export const aws: Judge = (look) => {
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

const azOptions = 'o output query subscription +debug +verbose +only-show-errors'

/** Verbs of Azure that read: the last words of a command. */
const azReads =
  /^(?:list|show)(?:-|$)|^(?:check-health|check-name|check-name-availability|exists|logs|query|find|version|get-versions|get-upgrades|get-os-options|usage|lookup|get-instance-view|get-default)$/

/** Judges `az`, in which the last word of a command is its verb, and all arguments are options. */
export const az: Judge = ({ args }) => {
  const words = leadingWords(args, azOptions)
  const verb = words.at(-1) ?? ''
  if (args.some(mayBeOption) || words.includes('-') || readLook(args, '').names.includes('file')) return false
  if (words.length === 1) return verb === 'version' || verb === 'find'
  if (words.some((word) => /^(?:delete|create|update|set|remove|add|start|stop|restart|purge|invoke)$/.test(word)))
    return false
  return azReads.test(verb)
}

const gcloudOptions =
  'format project configuration account verbosity filter region zone billing-project impersonate-service-account flatten sort-by limit page-size location trace-token access-token-file +quiet +q +log-http +no-user-output-enabled +user-output-enabled'

/** Verbs of gcloud that read, besides those that begin with `list`, `describe` and `get`. */
const gcloudReads: ReadonlySet<string> = new Set(
  'info help search tail read lookup analyze-iam-policy search-all-resources search-all-iam-policies ls du query-activity log'.split(
    ' ',
  ),
)

/** Words of gcloud that are verbs, or begin like a verb, and so are no group of commands. */
const startsAsVerb =
  /^(?:abandon|abort|access|acknowledge|activate|add|apply|approve|attach|authorize|begin|browse|bulk|call|cancel|clear|clone|complete|configure|connect|convert|copy|cp|create|deactivate|decrypt|delete|deploy|deprecate|destroy|detach|disable|drain|enable|encrypt|evict|exec|execute|export|failover|fetch|flush|force|generate|grant|import|init|insert|install|invalidate|invoke|issue|join|kill|launch|login|logout|mac-sign|migrate|modify|mount|move|mv|open|patch|pause|perform|print|promote|publish|pull|purge|push|reboot|recreate|redeploy|refresh|register|remove|rename|repair|replace|request|reschedule|reset|resize|restart|restore|resume|retry|revert|revoke|rm|rollback|rotate|rsync|save|scale|scp|seek|send|set|sign|simulate|snapshot|ssh|start|stop|submit|suspend|swap|switch|sync|terminate|trigger|truncate|undelete|undeploy|undeprecate|unlink|unlock|unset|update|upgrade|upload|wait|withdraw|write)(?:-|$)/

const isGcloudRead = (word: string): boolean =>
  (/^(?:list|describe|get)(?:-|$)/.test(word) && !/credential|token|secret|password/.test(word)) ||
  gcloudReads.has(word)

/** Judges `gcloud`, in which groups come first, then a verb, then names. The verb has to be one that reads. */
export const gcloud: Judge = ({ args }) => {
  const words = leadingWords(args, gcloudOptions)
  const [first = '', second = '', third = ''] = words
  if (args.some(mayBeOption)) return false
  if (args.some(({ value }) => /^--(?:flags-file|log-file|output-file|destination)/.test(value))) return false
  if (/^(?:help|info|version|topic)$/.test(first)) return true
  if (first === 'auth') return second === 'list'
  if (first === 'config')
    return /^(?:list|get|get-value)$/.test(second) || (second === 'configurations' && /^(?:list|describe)$/.test(third))
  const verb = words.findIndex(isGcloudRead)
  return verb > 0 && words.slice(0, verb).every((word) => /^[a-z][a-z0-9-]*$/.test(word) && !startsAsVerb.test(word))
}

/** Clients of the three large clouds, judged by their verbs. */
export const clouds: Family = { programs: {} }
