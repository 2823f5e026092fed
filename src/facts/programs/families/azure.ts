import { platformStage } from '../deeds/stages.ts'
import type { Family } from '../program.ts'
import type { Deed } from '../deeds/deeds.ts'

export const grants: Deed = {
  kind: 'grant',
  thing: 'account',
  work: [
    'role assignment create',
    'ad sp create-for-rbac',
    'ad app credential reset',
    'ad group member add',
    'sshkey create --public-key',
  ],
  says: {
    'role assignment': { object: 'principal', names: '--assignee|--assignee-object-id' },
    'ad sp': { object: 'service principal', names: '-n|--name' },
    'ad app': { object: 'app', names: '--id' },
    'ad group': { object: 'group', names: '-g|--group' },
    sshkey: { object: 'ssh key', names: '-n|--name' },
  },
}

/** Purchases, and changes of budgets, which keep bills small. */
export const payments: Deed = {
  kind: 'pay',
  thing: 'money',
  work: [
    'reservations reservation-order purchase',
    'reservation order purchase',
    'consumption budget delete|update',
    'appservice domain create',
  ],
  says: {
    'consumption budget': { object: 'what the budget would have stopped' },
    'appservice domain': { object: 'domain', names: '--hostname' },
    '*': { object: 'reservation', names: 'none' },
  },
}

const programs: Family['programs'] = {
  azd: {
    does: [
      {
        says: {
          down: { kind: 'delete', object: 'everything that the project has created', names: 'none' },
          env: { kind: 'delete', object: 'environment' },
          provision: {
            kind: 'change',
            object: 'the resources of the project',
            names: 'none',
            trial: 'azd provision --preview',
          },
        },
        never: ['down', 'env remove|rm'],
        work: ['provision --force'],
        valued: 'e C cwd',
      },
      platformStage,
    ],
  },

  func: {
    does: [
      {
        says: {
          'azure functionapp publish': { kind: 'deploy', object: 'function app' },
          durable: { kind: 'delete', object: 'the state of functions', names: 'none' },
          '* delete': { kind: 'delete', object: 'function app', names: '--name' },
        },
        work: ['azure functionapp publish --nozip'],
        never: ['azurecontainerapps delete', 'kubernetes delete', 'durable purge-history|delete-task-hub'],
      },
      platformStage,
    ],
  },
  swa: { does: { object: 'environment', names: 'last', never: ['env delete'] } },
  m365: { does: { byVerb: 'never' } },
}

export const azure: Family = {
  area: 'azure',

  programs,
  examples: {
    'az keyvault secret show --vault-name shop -n db': 'shows Azure secret `db`',
    'az group delete --name shop --yes': 'deletes resource group `shop`, with everything in it, for good',
    'az vm delete -g shop -n web-1': 'deletes virtual machine `web-1`, for good',
    'az keyvault secret purge --vault-name v --name s': 'deletes secret `s`, which other things may need, for good',
    'az storage blob delete-batch -s logs': 'deletes everything in `logs`, for good',
    'az vm stop -g prod -n web-1': 'stops virtual machine `web-1`, in production',
    'az rest --method DELETE --uri https://management.azure.com/x':
      'deletes what is at `https://management.azure.com/x`, for good',
    'az role assignment create --role Owner --assignee x': 'grants rights to principal `x`',
    'az deployment group create -g shop --mode complete -f main.bicep':
      'deletes everything that the template lacks in `shop`',
    'az vm list': '',
    'azd down --purge': 'deletes everything that the project has created, for good',
    'azcopy remove https://shop.blob.core.windows.net/logs --recursive':
      'deletes everything in `https://shop.blob.core.windows.net/logs`, for good',
    'azcopy remove https://shop.blob.core.windows.net/logs --dry-run': '',
    'func durable purge-history': 'deletes the state of functions, for good',
    'm365 spo site remove --url https://shop.example.com': 'deletes a site, for good',
  },
}
