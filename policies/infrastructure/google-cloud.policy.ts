import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { cloudWords } from './cli/cloud-words.ts'
import { type CliTable, judge, params } from './cli/judge.ts'

const table: CliTable = {
  gcloud: {
    valued:
      'verbosity impersonate-service-account billing-project flags-file trace-token access-token-file flatten sort-by limit page-size',
    groupFirst: true,
    byVerb: 'deny',
    verbs: 'disable delete-all dismiss abandon abandon-instances recreate-instances',
    nouns: 'logs',
    deny: [
      'storage rm',
      'storage rsync --delete-unmatched-destination-objects',
      'container clusters resize --num-nodes=0|--size=0',
      'compute instance-groups managed resize --size=0',
    ],
    ask: [
      'compute instances stop|suspend|reset',
      'compute instances detach-disk',
      'sql instances patch --no-deletion-protection',
      'sql instances restart|failover',
      'sql backups restore',
      'sql import sql',
      'compute instances set-scheduling|update --no-deletion-protection',
      'app versions stop|migrate',
      'dns record-sets transaction remove|execute',
      'storage mv',
      'auth revoke',
      'components remove',
      'builds cancel',
      'pubsub subscriptions seek',
      'services disable --async',
      'run services update-traffic',
      'firestore import',
    ],
    harmless: ['config unset', 'config configurations delete', 'compute config-ssh --remove'],
  },
  gsutil: {
    valued: 'o h u i p',
    flags: 'm',
    deny: ['rb', 'rm -r|-R|-a', 'rsync -d', 'kms clear', 'retention clear', 'hmac delete', 'notification delete'],
    ask: ['rm', 'mv', 'iam ch -d', 'lifecycle set', 'versioning set', 'acl ch -d', 'label ch -d'],
    trials: 'n',
  },
  bq: {
    valued: 'project_id dataset_id job_id api',
    deny: ['rm', 'remove', 'load --replace', 'cp --force|-f', 'truncate'],
    ask: ['cancel', 'update --expiration|--default_table_expiration', 'query --replace', 'partition'],
  },
  cbt: {
    deny: [
      'deletetable|deletefamily|deleteallrows|deleteinstance|deletecluster|deleteappprofile|deleterow|deletecolumn',
    ],
    valued: 'instance',
    oneDash: true,
  },
  apigeecli: { byVerb: 'deny', ask: ['apis undeploy'], verbs: 'undeploy' },
  anthoscli: { byVerb: 'deny' },
  nomos: { ask: ['migrate'] },
  gam: {
    deny: ['delete *', 'user * delete', 'user * deprovision', 'update * remove', 'remove *', 'undelete'],
    ask: ['suspend', 'wipe'],
  },
  clasp: { deny: ['delete|delete-script', 'undeploy'] },
}

export default definePolicy({
  id: 'google-cloud',
  severity: 'critical',
  description: "Keeps a Google Cloud project's resources and data from being deleted or disabled",
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: Object.keys(table) },
  params: {
    ...params,
    allowedProjects: {
      type: 'strings',
      default: [],
      description: 'projects that may be changed if the command names one with `--project`',
    },
  },
  decide: ({ shell, params: given }) =>
    judge(
      shell,
      table,
      given,
      cloudWords({
        harm: "removes a project's resources, data or access",
        instead: 'look first (`list`, `describe`), use a test project, or have the person run it',
      }),
      (line) => (line.options.get('project') ?? []).some((one) => given.allowedProjects.includes(one)),
    ),
  examples: [
    denies('gcloud compute instances delete web-1 --zone europe-west1-b'),
    denies('gcloud projects delete shop'),
    denies('gcloud --quiet sql instances delete db'),
    denies('gcloud run services delete web --region europe-west1'),
    denies('gcloud deploy delivery-pipelines delete web'),
    denies('gcloud projects remove-iam-policy-binding shop --member user:a@example.com --role roles/owner'),
    denies('gcloud services disable compute.googleapis.com'),
    denies('gcloud secrets versions destroy 3 --secret db'),
    denies('gsutil -m rm -r gs://shop-logs'),
    denies('gsutil rsync -d -r ./empty gs://shop-logs'),
    denies('bq rm -r -f shop:orders'),
    asks('gsutil rm gs://shop-logs/one.txt'),
    asks('gcloud compute instances stop web-1'),
    abstains('gcloud compute instances list --filter delete'),
    abstains('gcloud --format delete compute instances list'),
    abstains('gcloud compute instances describe delete'),
    abstains('gcloud run deploy delete-users --source .'),
    abstains('gcloud projects delete shop --help'),
    abstains('gcloud config unset project'),
    abstains('gsutil ls gs://rm'),
    abstains('gsutil cp rm.txt gs://shop-logs'),
    abstains('bq ls shop'),
    abstains('a project that is allowed', 'gcloud --project trials pubsub topics delete t', {
      params: { allowedProjects: ['trials'] },
    }),
    allowed('gcloud compute instances delete web-1 --zone europe-west1-b', 'gcloud'),
    answered('gcloud compute instances delete web-1 --zone europe-west1-b', 'ask'),
  ],
})
