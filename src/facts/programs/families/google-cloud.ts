import type { Family } from '../program.ts'
import type { Deed } from '../deeds/deeds.ts'

const policyBinding = 'add-iam-policy-binding'

export const grants: Deed = {
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
  says: {
    'projects *': { object: 'project', names: 'first' },
    'organizations *': { object: 'organization', names: 'first' },
    'run services *': { thing: 'deployment', object: 'service', names: 'first' },
    'storage buckets *': { thing: 'data', object: 'bucket', names: 'first' },
    'iam roles update': { object: 'role', names: 'first' },
    'iam service-accounts *': { object: 'service account', names: 'first' },
    'compute project-info|instances': { thing: 'machine', object: 'the machines of the project' },
    'compute os-login': { object: 'ssh key', names: 'none' },
    '*': { names: 'last' },
  },
}

/** Contracts, and what keeps bills small. */
export const payments: Deed = {
  kind: 'pay',
  thing: 'money',
  work: [
    'compute commitments create|update',
    'billing projects unlink|link',
    'billing budgets delete|update',
    'domains registrations register',
  ],
  says: {
    'compute commitments': { object: 'commitment', names: 'first' },
    'billing projects': { object: 'what the account of the project would have stopped' },
    'billing budgets': { object: 'what the budget would have stopped' },
    'domains registrations': { object: 'domain', names: 'first' },
  },
}

const programs: Family['programs'] = {
  // A query, or the export of a table.
  bq: {
    output: ({ operands: [verb] }) => (/^(?:query|extract)$/.test(verb?.value ?? '') ? 'rows' : undefined),
    does: {
      says: {
        'rm|remove -d|--dataset': { kind: 'delete', object: 'dataset' },
        'rm|remove': { kind: 'delete', object: 'table or dataset', thing: 'data' },
        load: { kind: 'overwrite', object: 'table', names: 'first' },
        cp: { kind: 'overwrite', object: 'table', names: 'last' },
        truncate: { kind: 'delete', object: 'the rows of', thing: 'data' },
        cancel: { kind: 'stop', object: 'job' },
        update: { kind: 'change', object: 'the expiration of', thing: 'data' },
        query: { kind: 'overwrite', object: 'table', names: '--destination_table', trial: '--dry_run' },
        partition: { kind: 'change', object: 'table', names: 'last' },
      },
      valued: 'project_id dataset_id job_id api',
      flags: 'replace',
      never: ['rm', 'remove', 'load --replace', 'cp --force|-f', 'truncate'],
      work: ['cancel', 'update --expiration|--default_table_expiration', 'query --replace', 'partition'],
    },
    looks: {
      options: 'project_id dataset_id location format max_results +q +quiet +headless',
      never: '--apilog|--flagfile|--bigqueryrc',
      lines: 'ls|show|head|version|help; query --dry_run !=',
    },
  },
  cbt: {
    does: {
      says: {
        deleteallrows: { kind: 'delete', object: 'all rows of', thing: 'data' },
        deletefamily: { kind: 'delete', object: 'column family', thing: 'data', names: 'last' },
        'deleterow|deletecolumn': { kind: 'delete', object: 'row of table', thing: 'data', names: 'first' },
        deleteappprofile: { kind: 'delete', object: 'app profile', names: 'last' },
      },
      never: [
        'deletetable|deletefamily|deleteallrows|deleteinstance|deletecluster|deleteappprofile|deleterow|deletecolumn',
      ],
      valued: 'instance',
      oneDash: true,
    },
  },
  apigeecli: { does: { byVerb: 'never', work: ['apis undeploy'], verbs: 'undeploy' } },
  anthoscli: { does: { byVerb: 'never' } },
  nomos: { does: { object: 'the configuration of the cluster', names: 'none', work: ['migrate'] } },
  gam: {
    does: {
      says: {
        delete: { kind: 'delete', objectLast: true },
        'user * delete|deprovision': { kind: 'delete', object: 'what user accounts have', thing: 'account' },
        'update * remove': { kind: 'revoke', object: 'the membership of users', thing: 'account' },
        remove: { kind: 'revoke', objectLast: true },
        undelete: { kind: 'rollback', object: 'account' },
        suspend: { kind: 'stop', object: 'account' },
        wipe: { kind: 'delete', object: 'the data of a device', thing: 'machine' },
      },
      never: ['delete *', 'user * delete', 'user * deprovision', 'update * remove', 'remove *', 'undelete'],
      work: ['suspend', 'wipe'],
      also: [{ kind: 'send', thing: 'message', work: ['sendemail', 'user * sendemail'] }],
    },
  },
  clasp: {
    does: {
      says: {
        'delete|delete-script': { kind: 'delete', object: 'the script', names: 'none' },
        undeploy: { kind: 'delete', object: 'deployment' },
      },
      never: ['delete|delete-script', 'undeploy'],
    },
  },
}

export const googleCloud: Family = {
  area: 'google-cloud',

  programs,
  examples: {
    'gcloud secrets versions access latest --secret=db': 'shows Google Cloud secret `db`',
    'gcloud auth print-access-token': 'shows a Google Cloud token',
    'gcloud compute instances delete web-1 --zone europe-west1-b': 'deletes instance `web-1`, for good',
    'gcloud sql instances delete db': 'deletes database instance `db`, for good',
    'gcloud --project prod-shop run services delete web': 'deletes service `web`, for good, in production',
    'gcloud secrets versions destroy 3 --secret db':
      'deletes version of secret `db`, which other things may need, for good',
    'gcloud projects remove-iam-policy-binding shop --member user:a@example.com --role roles/owner':
      'revokes the role of a member',
    'gcloud projects add-iam-policy-binding shop --member=allUsers --role=roles/owner':
      'grants rights on project `shop`',
    'gcloud container clusters resize main --num-nodes 0': 'stops all nodes of `main`',
    'gcloud compute instances list': '',
    'gsutil -m rm -r gs://shop-logs': 'deletes everything in `gs://shop-logs`, for good',
    'gsutil rsync -d -r ./empty gs://shop': 'deletes all that the source lacks in `gs://shop`, for good',
    'gsutil rsync -n -d -r ./empty gs://shop': '',
    'bq rm -r -f shop:orders': 'deletes table or dataset `shop:orders`, for good',
    'bq load --replace shop.orders ./orders.csv': 'overwrites table `shop.orders`, for good',
    'cbt -instance i deletetable orders': 'deletes table `orders`, for good',
    'gam delete user alice': 'deletes user `alice`, for good',
    'clasp undeploy abc': 'deletes deployment `abc`, for good',
  },
}
