import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'azure',
  severity: 'critical',
  description: 'Keeps Azure resources, groups, vaults and stored data from being deleted or purged',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['azure'] },
  params: {
    ...params,
    allowedGroups: {
      type: 'strings',
      default: [],
      description: 'resource groups that may be changed if the command names one with `--resource-group` or `-g`',
    },
  },
  decide: ({ impacts, params: given }) =>
    judge(impacts, 'azure', given, ({ targets }) =>
      [...(targets['resource-group'] ?? []), ...(targets['g'] ?? [])].some((one) => given.allowedGroups.includes(one)),
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
