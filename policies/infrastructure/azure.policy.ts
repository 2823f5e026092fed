import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { cloudWords } from './cli/cloud-words.ts'
import { type CliTable, judge, params } from './cli/judge.ts'

const table: CliTable = {
  az: {
    valued: 'o g n l s only-show-errors ids tags source-resource-group uri u m method set',
    flags: 'only-show-errors',
    groupFirst: true,
    byVerb: 'deny',
    verbs: 'deallocate delete-batch remove-all clear-all disable reset',
    nouns: 'query logs status',
    deny: [
      'rest --method=delete|-m=delete',
      'storage blob|file delete-batch',
      'storage blob sync --delete-destination=true',
    ],
    ask: [
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
  azd: { deny: ['down', 'env remove|rm'], ask: ['provision --force'], valued: 'e C cwd' },
  azcopy: { deny: ['remove|rm', 'sync --delete-destination=true|--delete-destination=prompt', 'jobs clean|remove'] },
  func: {
    ask: ['azure functionapp publish --nozip'],
    deny: ['azurecontainerapps delete', 'kubernetes delete', 'durable purge-history|delete-task-hub'],
  },
  swa: { deny: ['env delete'] },
  m365: { byVerb: 'deny' },
}

export default definePolicy({
  id: 'azure',
  severity: 'critical',
  description: 'Keeps Azure resources, groups, vaults and stored data from being deleted or purged',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: [...Object.keys(table), 'static-web-apps'] },
  params: {
    ...params,
    allowedGroups: {
      type: 'strings',
      default: [],
      description: 'resource groups that may be changed if the command names one with `--resource-group` or `-g`',
    },
  },
  decide: ({ shell, params: given }) =>
    judge(
      shell,
      table,
      given,
      cloudWords({
        harm: "removes a subscription's resources, data or access",
        instead: 'look first (`list`, `show`, `--what-if`), use a test resource group, or have the person run it',
      }),
      (line) =>
        [...(line.options.get('resource-group') ?? []), ...(line.options.get('g') ?? [])].some((one) =>
          given.allowedGroups.includes(one),
        ),
    ),
  examples: [
    denies('az group delete --name shop --yes'),
    denies('az vm delete -g shop -n web-1'),
    denies('az keyvault secret purge --vault-name v --name s'),
    denies('az storage blob delete-batch -s logs'),
    denies('az network nsg rule delete -g shop --nsg-name n -n r'),
    denies('az search service delete -n s -g shop'),
    denies('az rest --method DELETE --uri https://management.azure.com/x'),
    denies('azcopy remove https://shop.blob.core.windows.net/logs --recursive'),
    denies('azd down --purge'),
    asks('az vm stop -g shop -n web-1'),
    abstains('az vm list --query "[?name==\'delete\']"'),
    abstains('az -o delete vm list'),
    abstains('az vm show -g delete -n purge'),
    abstains('az group delete --help'),
    abstains('az rest --method get --uri https://management.azure.com/x'),
    abstains('az storage blob list -c purge'),
    abstains('azcopy copy a b'),
    abstains('a group that is allowed', 'az vm delete -g trials -n a', { params: { allowedGroups: ['trials'] } }),
    allowed('az group delete --name shop --yes', 'az'),
    answered('az group delete --name shop --yes', 'ask'),
  ],
})
