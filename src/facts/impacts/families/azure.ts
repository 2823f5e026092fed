import type { Deed, Family } from '../deeds.ts'

const grants: Deed = {
  kind: 'grant',
  thing: 'account',
  work: [
    'role assignment create',
    'ad sp create-for-rbac',
    'ad app credential reset',
    'ad group member add',
    'sshkey create --public-key',
  ],
}

/** Contracts, and what keeps bills small. */
const payments: Deed = {
  kind: 'pay',
  thing: 'money',
  work: [
    'reservations reservation-order purchase',
    'reservation order purchase',
    'consumption budget delete|update',
    'appservice domain create',
  ],
}

const programs: Family['programs'] = {
  az: {
    also: [
      grants,
      payments,
      { kind: 'send', thing: 'message', work: ['communication sms|email send'] },
      { kind: 'merge', thing: 'repository', work: ['repos pr update --status=completed|--auto-complete'] },
    ],
    valued:
      'role assignee scope public-key name resource-group id status auto-complete o g n l s only-show-errors ids tags source-resource-group uri u m method set',
    flags: 'only-show-errors',
    groupFirst: true,
    byVerb: 'never',
    verbs: 'deallocate delete-batch remove-all clear-all disable reset',
    nouns: 'query logs status',
    never: [
      'rest --method=delete|-m=delete',
      'storage blob|file delete-batch',
      'storage blob sync --delete-destination=true',
    ],
    work: [
      'vm stop|deallocate|redeploy|reimage|restart',
      'vmss stop|deallocate|reimage',
      'webapp|functionapp stop|restart',
      'aks stop',
      'sql db restore|failover',
      'account clear',
      'ad app credential reset',
      'ad sp credential reset',
      'keyvault secret set',
      'deployment group create --mode=complete',
      'deployment * cancel',
      'group deployment create --mode=complete',
      'network dns record-set * remove-record',
      'acr purge',
      'rest --method=put|-m=put|--method=patch|-m=patch',
      'webapp deployment slot swap',
      'containerapp revision deactivate',
    ],
    harmless: ['config unset', 'cache delete|purge', 'extension remove', 'cloud unregister'],
  },
  azd: { never: ['down', 'env remove|rm'], work: ['provision --force'], valued: 'e C cwd' },
  azcopy: { never: ['remove|rm', 'sync --delete-destination=true|--delete-destination=prompt', 'jobs clean|remove'] },
  func: {
    work: ['azure functionapp publish --nozip'],
    never: ['azurecontainerapps delete', 'kubernetes delete', 'durable purge-history|delete-task-hub'],
  },
  swa: { never: ['env delete'] },
  m365: { byVerb: 'never' },
}

export const azure: Family = { area: 'azure', thing: 'infrastructure', programs }
