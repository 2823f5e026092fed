import type { Deed, Family } from '../deeds.ts'

const policyBinding = 'add-iam-policy-binding'

const grants: Deed = {
  kind: 'grant',
  thing: 'account',
  never: [policyBinding, `* ${policyBinding}`, `* * ${policyBinding}`].map(
    (pattern) => `${pattern} --member=allusers|--member=allauthenticatedusers`,
  ),
  work: [
    policyBinding,
    `* ${policyBinding}`,
    `* * ${policyBinding}`,
    `* * * ${policyBinding}`,
    'iam roles update',
    'compute os-login ssh-keys add',
    'compute project-info|instances add-metadata --metadata-from-file~ssh-keys|--metadata~ssh-keys',
    '* set-iam-policy',
    '* * set-iam-policy',
  ],
}

/** Contracts, and what keeps bills small. */
const payments: Deed = {
  kind: 'pay',
  thing: 'money',
  work: [
    'compute commitments create|update',
    'billing projects unlink|link',
    'billing budgets delete|update',
    'domains registrations register',
  ],
}

const programs: Family['programs'] = {
  gcloud: {
    also: [grants, payments],
    valued:
      'member role condition metadata metadata-from-file key-file verbosity impersonate-service-account billing-project flags-file trace-token access-token-file flatten sort-by limit page-size',
    groupFirst: true,
    byVerb: 'never',
    verbs: 'disable delete-all dismiss abandon abandon-instances recreate-instances',
    nouns: 'logs',
    never: [
      'storage rm',
      'storage rsync --delete-unmatched-destination-objects',
      'container clusters resize --num-nodes=0|--size=0',
      'compute instance-groups managed resize --size=0',
    ],
    work: [
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
    never: ['rb', 'rm -r|-R|-a', 'rsync -d', 'kms clear', 'retention clear', 'hmac delete', 'notification delete'],
    work: ['rm', 'mv', 'iam ch -d', 'lifecycle set', 'versioning set', 'acl ch -d', 'label ch -d'],
    trials: 'n',
    also: [{ kind: 'grant', thing: 'account', work: ['iam ch', 'acl ch|set', 'defacl ch|set'] }],
  },
  bq: {
    valued: 'project_id dataset_id job_id api',
    never: ['rm', 'remove', 'load --replace', 'cp --force|-f', 'truncate'],
    work: ['cancel', 'update --expiration|--default_table_expiration', 'query --replace', 'partition'],
  },
  cbt: {
    never: [
      'deletetable|deletefamily|deleteallrows|deleteinstance|deletecluster|deleteappprofile|deleterow|deletecolumn',
    ],
    valued: 'instance',
    oneDash: true,
  },
  apigeecli: { byVerb: 'never', work: ['apis undeploy'], verbs: 'undeploy' },
  anthoscli: { byVerb: 'never' },
  nomos: { work: ['migrate'] },
  gam: {
    never: ['delete *', 'user * delete', 'user * deprovision', 'update * remove', 'remove *', 'undelete'],
    work: ['suspend', 'wipe'],
    also: [{ kind: 'send', thing: 'message', work: ['sendemail', 'user * sendemail'] }],
  },
  clasp: { never: ['delete|delete-script', 'undeploy'] },
}

export const googleCloud: Family = { area: 'google-cloud', thing: 'infrastructure', programs }
