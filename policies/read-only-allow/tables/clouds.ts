import { isHarmlessSql } from '../code/sql.ts'
import { type Judge, leadingWords, mayBeOption } from '../call.ts'
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

const awsValued = '--profile --region --endpoint-url --output --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout'
const awsFlags = '--no-cli-pager --debug --no-verify-ssl --no-sign-request --no-paginate --no-cli-auto-prompt'

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

/** What else of AWS only reads, besides `describe-`, `list-` and their kin. */
const awsMore = ` s3:ls s3api:head-object s3api:head-bucket dynamodb:scan dynamodb:query dynamodb:transact-get-items
 logs:filter-log-events logs:tail logs:start-query logs:test-metric-filter
 cloudformation:validate-template cloudformation:estimate-template-cost
 configure:list configure:list-profiles configure:get sts:decode-authorization-message
 iam:simulate-principal-policy iam:simulate-custom-policy cloudtrail:lookup-events
 route53:test-dns-answer events:test-event-pattern codecommit:batch-get-commits rds:download-db-log-file-portion
 resourcegroupstaggingapi:get-resources stepfunctions:validate-state-machine-definition cloudfront:test-function
 accessanalyzer:validate-policy athena:batch-get-query-execution athena:batch-get-named-query
 quicksight:search-dashboards servicecatalog:search-products ce:get-cost-and-usage discovery:search
 opensearch:describe-domains elbv2:describe-load-balancers help: history:list history:show `

/** AWS: what describes, lists or gets, secrets aside. */
export const aws: Judge = ({ args }) => {
  const words = wordsBehind(args, list(awsValued), list(awsFlags))
  const [service = '', operation = ''] = words ?? []
  if (words === undefined || args.some(mayBeOption)) return false
  const text = asText(args)
  // A paginator or an interactive prompt is the reader's own; a file that is written is not.
  if (text.some((word) => word === '--with-decryption' || word === '--include-values' || /^--(with-d|include-v|cli-input)/.test(word))) return false
  if (service === 'help' || operation === 'help') return true
  if (service === 'athena' && operation === 'start-query-execution') return isHarmlessSql(valueOf(text, '--query-string'), 'athena')
  if (operation === 'wait' || service === 'configure') return operation !== 'wait' ? awsMore.includes(` ${service}:${operation} `) : true
  if (awsNot.includes(` ${operation} `) || (service === 'apigateway' && operation === 'get-api-key')) return false
  return (
    /^(describe|list|search|lookup|check|estimate|simulate|preview|admin-list|admin-get|batch-get|batch-describe|batch-check|head|count|validate)-/.test(operation) ||
    (/^get-/.test(operation) && !/(credential|password|token|secret|private-key|presigned|signed)/.test(operation)) ||
    awsMore.includes(` ${service}:${operation} `)
  )
}

const valueOf = (text: readonly string[], option: string): string | undefined => {
  const at = text.indexOf(option)
  return at === -1 ? text.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1) : text[at + 1]
}

const azValued = '-o --output --query --subscription'
const azFlags = '--debug --verbose --only-show-errors'

/** What else of Azure reads: the last words of a command. */
const azMore = ` check-health check-name check-name-availability exists logs query find version get-versions
 get-upgrades get-os-options lookup usage summarize list-usages metrics check-acs wait check-availability
 get-instance-view validate what-if get-default check-ip-availability get-version-info rollout-status list-keys `

/** Azure: the last word of a command is its verb, and all of its arguments are options. */
export const az: Judge = ({ args }) => {
  const words = wordsBehind(args, list(azValued), list(azFlags))
  if (words === undefined || args.some(mayBeOption)) return false
  const verb = words.at(-1) ?? ''
  const { names } = optionsOf(args, [], {})
  if (names.includes('file') || names.includes('f') && verb !== 'list') return false
  if (words.length === 1) return verb === 'version' || verb === 'find'
  if (words[0] === 'account' && verb === 'get-access-token') return false
  return /^(list|show)(-|$)/.test(verb) || azMore.includes(` ${verb} `)
}

const gcloudValued = '--format --project --configuration --account --verbosity --filter --region --zone --billing-project --impersonate-service-account --flatten --sort-by --limit --page-size --location --trace-token --access-token-file'
const gcloudFlags = '--quiet -q --log-http --no-user-output-enabled --user-output-enabled'

/** Verbs of gcloud that read. */
const gcloudReads = ` list describe info help search list-tags get-iam-policy list-grantable-roles list-testable-permissions
 get-ancestors get-ancestors-iam-policy get-health get-status get-value get list-instances get-named-ports
 list-errors list-ip-owners get-nat-mapping-info get-server-config get-serial-port-output tail read lookup
 get-effective-firewalls get-shielded-identity get-guest-attributes analyze-iam-policy
 search-all-resources search-all-iam-policies list-versions list-locations list-usable list-managed-instances
 get-settings get-public-key list-services list-available list-deps get-operation get-routing-status check-iam-policy
 query-assets list-contents get-config-schema get-tier list-user-verified list-effective ls du stat get-history
 describe-from-family list-bgp-routes list-vulnerabilities list-contents check-upgrade verify list-jobs
 list-memberships describe-log query-activity lint-condition explain get-state list-labels wait-operation `

/** Groups of gcloud whose names are no plural. */
const gcloudGroups = ` compute run app container iam sql secrets pubsub dns storage config auth beta alpha preview
 artifacts builds logging monitoring kms network-security network-services network-connectivity certificate-manager iap
 ai ai-platform ml ml-engine dataflow dataproc composer bigtable spanner firestore datastore redis memcache filestore
 endpoints functions deployment-manager organizations resource-manager access-context-manager asset assured billing
 data-catalog data-fusion dataplex deploy docker domains edge-cache edge-cloud emulators essential-contacts eventarc firebase
 fleet healthcare identity ids infra-manager iot kms looker lifesciences media metastore migration netapp notebooks
 oracle-database org-policies policy-intelligence policy-troubleshoot privateca publicca recaptcha recommender
 scc scheduler schedule-info service-directory service-extensions service-management source source-manager tasks topic transcoder
 transfer vmware web-app web-security-scanner workflow-executions workbench workload-identity-pools workstations workspace-add-ons
 hub backup-dr batch bms bq cloud-shell active-directory anthos apigee api-gateway apphub export user ssl-cert
 vpc-access access-approval tpu-vm cmek admin vpn-gateway test-iam membership model-monitoring node-pools diagnose
 image-import machine-image instance-template settings application-default custom-error managed-zone policy-tags
 network-firewall-policy service-perimeters url-map region worker-pool operations-group operation instance-groups managed unmanaged os-config
 os-login patch-jobs patch-deployments guest-policies vulnerability-reports ssl time-zones `

/** Google Cloud: groups, then a verb, then names. The first word that is no group has to be a verb that reads. */
export const gcloud: Judge = ({ args }) => {
  const words = wordsBehind(args, list(gcloudValued), list(gcloudFlags))
  const [first = '', second = ''] = words ?? []
  if (words === undefined || args.some(mayBeOption)) return false
  const text = asText(args)
  if (text.some((word) => /^--(flags-file|log-file|output-file|destination)/.test(word))) return false
  if (['help', 'info', 'version', 'topic'].includes(first)) return true
  if (first === 'auth') return second === 'list' || second === 'describe'
  if (first === 'config') return /^(list|get|get-value)$/.test(second) || (second === 'configurations' && /^(list|describe)$/.test(words[2] ?? ''))
  const verb = words.findIndex((word) => gcloudReads.includes(` ${word} `))
  if (verb < 1) return false
  const groups = words.slice(0, verb)
  if (words[verb] === 'get' && !['iap', 'settings', 'policies', 'tags', 'org-policies', 'config'].includes(groups.at(-1) ?? '') && groups[0] !== 'iap') return groups.length > 1
  return groups.every((word) => gcloudGroups.includes(` ${word} `) || (/^[a-z][a-z0-9-]*s$/.test(word) && !startsAsVerb.test(word)))
}

const startsAsVerb = /^(access|add|remove|set|update|create|delete|export|import|reset|clear|move|copy|enable|disable|attach|detach|restore|deploy|cancel|revoke|grant|bulk|process|suspend|resume|start|stop|patch|apply)(-|$)|^access$/
