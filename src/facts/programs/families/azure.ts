import { approves } from './code-hosting.ts'
import { liveAlsoBy, type Deed, platformStage } from '../deeds/deeds.ts'
import { type Judge, leadingWords, mayBeOption, readLook } from '../looks/look.ts'
import type { Family } from '../program.ts'
import { startOverSsh, storeClient } from './object-stores.ts'

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
  says: {
    'role assignment': { object: 'principal', names: '--assignee|--assignee-object-id' },
    'ad sp': { object: 'service principal', names: '-n|--name' },
    'ad app': { object: 'app', names: '--id' },
    'ad group': { object: 'group', names: '-g|--group' },
    sshkey: { object: 'ssh key', names: '-n|--name' },
  },
}

/** Purchases, and changes of budgets, which keep bills small. */
const payments: Deed = {
  kind: 'spend',
  thing: 'money',
  work: [
    'reservations reservation-order purchase',
    'reservation order purchase',
    'consumption budget delete|update',
    'appservice domain create',
  ],
  says: {
    'consumption budget': { object: 'the limit of a budget' },
    'appservice domain': { object: 'domain', names: '--hostname' },
    '*': { object: 'reservation', names: 'none' },
  },
}

/** Verbs of Azure that read: the last words of a command. */
const azReads =
  /^(?:list|show)(?:-|$)|^(?:check-health|check-name|check-name-availability|exists|logs|query|find|version|get-versions|get-upgrades|get-os-options|usage|lookup|get-instance-view|get-default)$/

const azOptions = 'o output query subscription +debug +verbose +only-show-errors'

/** Judges `az`, in which the last word of a command is its verb, and all arguments are options. */
const judgeAz: Judge = ({ args }) => {
  const words = leadingWords(args, azOptions)
  const verb = words.at(-1) ?? ''
  if (args.some(mayBeOption) || words.includes('-') || readLook(args, '').names.includes('file')) return false
  if (words.length === 1) return verb === 'version' || verb === 'find'
  if (words.some((word) => /^(?:delete|create|update|set|remove|add|start|stop|restart|purge|invoke)$/.test(word)))
    return false
  return azReads.test(verb)
}

const programs: Family['programs'] = {
  az: {
    abbreviates: true,
    options:
      'f=read file=read source=read s=read destination=into d=into src=read template-file=read parameters p g resource-group n name account-name c container-name account-key connection-string subscription value secret o output scripts',
    starts: (line, starts) => startOverSsh(line, starts, 'scripts'),
    effects(line, recorder) {
      const verbs = line.operands.map(({ value }) => value)
      const sends = verbs.some((verb) => /^(?:upload|upload-batch|set|create|deploy)$/.test(verb))
      recorder.network({ kind: 'service', direction: sends ? 'both' : 'receive', host: 'azure.com' })
    },
    does: [
      {
        shows: {
          'account get-access-token': { object: 'Azure token', names: 'none' },
          'keyvault secret show|download': { object: 'Azure secret', names: '-n|--name' },
          'storage account keys list': { object: 'the Azure keys' },
          'ad sp create-for-rbac': { object: 'Azure password', names: 'none' },
          'acr credential show': { object: 'Azure password', names: 'none' },
        },
        names: '-n|--name|--ids',
        says: {
          'rest --method=delete|-m=delete': { kind: 'delete', object: 'what is at', names: '--uri|-u|--url' },
          rest: { kind: 'change', object: 'what is at', names: '--uri|-u|--url' },
          'storage blob|file delete-batch': {
            kind: 'delete',
            object: 'everything in',
            thing: 'data',
            names: '-s|--source',
            trial: '--dryrun',
          },
          'storage blob sync': {
            kind: 'delete',
            object: 'files that are only in',
            thing: 'data',
            names: '-c|--container',
          },
          'storage container|share|blob|file|table|queue delete': { kind: 'delete', thing: 'data' },
          'group delete': {
            kind: 'delete',
            object: 'resource group, with everything in it',
            thing: 'infrastructure',
          },
          'group deployment|create': {
            kind: 'delete',
            object: 'everything that is only in',
            thing: 'infrastructure',
            names: '-g|--resource-group',
            trial: 'az deployment group what-if',
          },
          'deployment group create': {
            kind: 'delete',
            object: 'everything that is only in',
            thing: 'infrastructure',
            names: '-g|--resource-group',
            trial: 'az deployment group what-if',
          },
          'deployment * cancel': { kind: 'stop', object: 'deployment' },
          'vm redeploy|restart': { kind: 'restart', object: 'virtual machine' },
          'vm reimage': { kind: 'overwrite', object: 'the disk of', thing: 'data' },
          'vmss reimage': { kind: 'overwrite', object: 'the disks of', thing: 'data' },
          'sql db restore': { kind: 'create', object: 'database', names: '--dest-name' },
          'account clear': { kind: 'revoke', object: 'all sign-ins of this machine', names: 'none' },
          'ad app credential reset': {
            kind: 'overwrite',
            object: 'the credentials of',
            thing: 'secret',
            names: '--id',
          },
          'ad sp credential reset': {
            kind: 'overwrite',
            object: 'the credentials of',
            thing: 'secret',
            names: '--id|-n|--name',
          },
          'keyvault secret set': { kind: 'overwrite', object: 'secret' },
          '* config appsettings delete': { kind: 'delete', object: 'setting', names: '--setting-names' },
          'network dns record-set': { kind: 'delete', object: 'DNS record', names: '-n|--record-set-name' },
          'acr purge': {
            kind: 'delete',
            object: 'images of',
            thing: 'package',
            names: '-r|--registry',
            trial: '--dry-run',
          },
          'webapp deployment slot swap': { kind: 'deploy', object: 'slot', names: '-s|--slot' },
          'acr repository delete': {
            kind: 'delete',
            object: 'image',
            thing: 'package',
            names: '--image|--repository',
          },
          '* disable': { kind: 'stop' },
        },
        also: [
          grants,
          payments,
          { kind: 'send', thing: 'message', names: '--recipient|--to', work: ['communication sms|email send'] },
          {
            kind: 'merge',
            thing: 'repository',
            work: ['repos pr update --status=completed|--auto-complete'],
            names: '--id',
          },
          { ...approves('repos pr set-vote --vote=approve|--vote=approve-with-suggestions'), names: '--id' },
        ],
        valued:
          'role assignee scope public-key name resource-group id status auto-complete vote o g n l s only-show-errors ids tags source-resource-group uri u m method set',
        flags: 'only-show-errors',
        groupFirst: true,
        nicknames: {
          vmss: 'scale set',
          nsg: 'network security group',
          vnet: 'virtual network',
          nic: 'network interface',
          webapp: 'web app',
          functionapp: 'function app',
          aks: 'cluster',
          acr: 'registry',
          sp: 'service principal',
          cosmosdb: 'database account',
          db: 'database',
          containerapp: 'container app',
        },
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
      platformStage,
      liveAlsoBy(
        /^(?:(?:webapp|containerapp) up|(?:webapp|functionapp) deployment source config-zip|containerapp update\b.* --image)\b/,
        { toNamed: true, kindFirst: true },
      ),
    ],
    looks: judgeAz,
    namesSecrets: true,
    fetches: true,
    rentsMachines: true,
  },
  azcopy: {
    ...storeClient,
    does: {
      says: {
        'remove|rm': { kind: 'delete', object: 'everything in', thing: 'data', names: 'last', trial: '--dry-run' },
        sync: {
          kind: 'delete',
          object: 'files that are only in',
          thing: 'data',
          names: 'last',
          trial: '--dry-run',
        },
        jobs: { kind: 'delete', object: 'the records of jobs', names: 'none' },
      },
      never: ['remove|rm', 'sync --delete-destination=true|--delete-destination=prompt', 'jobs clean|remove'],
    },
  },
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
    'az keyvault secret purge --vault-name v --name s': 'deletes secret `s`, which programs may need, for good',
    'az storage blob delete-batch -s logs': 'deletes everything in `logs`, for good',
    'az vm stop -g prod -n web-1': 'stops virtual machine `web-1`, in production',
    'az rest --method DELETE --uri https://management.azure.com/x':
      'deletes what is at `https://management.azure.com/x`, for good',
    'az role assignment create --role Owner --assignee x': 'grants rights to principal `x`',
    'az deployment group create -g shop --mode complete -f main.bicep': 'deletes everything that is only in `shop`',
    'az vm list': '',
    'azd down --purge': 'deletes everything that the project has created, for good',
    'azcopy remove https://shop.blob.core.windows.net/logs --recursive':
      'deletes everything in `https://shop.blob.core.windows.net/logs`, for good',
    'azcopy remove https://shop.blob.core.windows.net/logs --dry-run': '',
    'func durable purge-history': 'deletes the state of functions, for good',
    'm365 spo site remove --url https://shop.example.com': 'deletes a site, for good',
  },
}
