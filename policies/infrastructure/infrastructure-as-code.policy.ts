import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import type { Call } from './cli/calls.ts'
import { type Cli, type CliTable, judge, params } from './cli/judge.ts'
import { isOneOf, type Line } from './cli/line.ts'
import { namesTarget, tokensOf } from './data/targets.ts'

const terraform: Cli = {
  oneDash: true,
  deny: [
    'destroy --auto-approve|--force|--target|--terragrunt-non-interactive',
    'apply --destroy',
    'apply --auto-approve',
    'state rm',
    'workspace delete',
    'force-unlock',
    'state push --force',
  ],
  ask: [
    'destroy',
    'apply',
    'state push|mv|replace-provider',
    'taint',
    'untaint',
    'refresh',
    'import',
    'apply --replace',
    'cloud delete',
  ],
}

const terragrunt: Cli = {
  ...terraform,
  deny: [
    ...(terraform.deny ?? []),
    'run-all|apply-all destroy|apply',
    'destroy-all|apply-all',
    'run --all destroy|apply',
    'run destroy --all',
    'run apply --all',
    'stack run destroy|apply',
    'run state rm',
  ],
  ask: [...(terraform.ask ?? []), 'run destroy|apply'],
}

const pulumi: Cli = {
  valued: 's stack C cwd',
  flags: 'skip-preview',
  deny: [
    'destroy',
    'down',
    'stack rm',
    'state delete',
    'state unprotect',
    'up|update --yes|-y|--skip-preview|-f',
    'config rm|rm-all',
    'org|env rm|delete',
    'policy rm|disable',
    'env version retract|rollback',
    'schedule delete|rm',
    'deployment settings destroy',
  ],
  ask: ['up|update', 'cancel', 'refresh', 'import', 'stack import', 'state edit|rename|move|repair'],
  harmless: ['destroy --preview-only', 'up --preview-only', 'refresh --preview-only'],
}

/** Ansible runs a module on every host that a pattern names. */
const ansibleValued =
  'i inventory l limit u user m module-name a args f forks e extra-vars t tree vault-id vault-password-file ' +
  'private-key key-file tags skip-tags become-user become-method T M'

const table: CliTable = {
  terraform,
  tofu: terraform,
  tf: terraform,
  terragrunt,
  terramate: {
    ask: ['run terraform destroy|apply', 'run tofu destroy|apply'],
    deny: ['run terraform|tofu destroy|apply --auto-approve'],
  },
  atmos: {
    deny: ['terraform destroy|deploy', 'helmfile destroy'],
    ask: ['terraform apply', 'terraform clean', 'helmfile apply|sync'],
  },
  cdktf: { deny: ['destroy', 'deploy --auto-approve'], ask: ['deploy'] },
  pulumi,
  cdk: {
    valued: 'a c require-approval toolkit-stack-name',
    deny: ['destroy', 'deploy --require-approval=never', 'gc', 'rollback --force|-f'],
    ask: ['deploy', 'rollback', 'import', 'bootstrap', 'refactor'],
  },
  sst: { deny: ['remove', 'secret remove'], ask: ['unlock'], valued: 'stage' },
  serverless: { valued: 'stage s r', deny: ['remove', 'rollback'], ask: ['plugin uninstall'] },
  sls: { valued: 'stage s r', deny: ['remove', 'rollback'] },
  sam: { valued: 'stack-name', deny: ['delete'], ask: ['deploy --no-confirm-changeset'] },
  amplify: { deny: ['delete', 'remove', 'env remove', 'push --force|--destructive-updates', 'mock delete'] },
  copilot: { valued: 'a n e', byVerb: 'deny' },
  chalice: { deny: ['delete'], valued: 'stage' },
  zappa: { deny: ['undeploy'], ask: ['rollback'] },
  up: { deny: ['stack delete'] },
  apex: { deny: ['delete'] },
  architect: { deny: ['destroy'] },
  arc: { deny: ['destroy'] },
  eb: {
    deny: ['terminate', 'appversion --delete|-d', 'platform delete', 'labs cleanup-versions'],
    ask: ['swap', 'abort', 'scale 0'],
  },
  packer: { ask: ['build --force'], oneDash: true },
  vagrant: {
    ask: [
      'destroy',
      'box remove|prune',
      'snapshot delete',
      'snapshot restore',
      'plugin uninstall|expunge',
      'global-status --prune',
    ],
  },
  ansible: {
    valued: ansibleValued,
    deny: ['* -a~state=absent|--args~state=absent'],
    ask: [
      '* -m=shell|-m=command|-m=raw|-m=script|-m=reboot|-m=win_shell',
      '* --module-name=shell|--module-name=command|--module-name=raw|--module-name=script|--module-name=reboot',
    ],
    trials: 'check C list-hosts',
  },
  'ansible-playbook': {
    valued: ansibleValued,
    ask: ['* --limit=all', '* -l=all'],
    trials: 'check C syntax-check list-hosts list-tasks list-tags',
  },
  'ansible-galaxy': { ask: ['collection|role remove|delete', 'role delete', 'remove', 'delete'] },
  salt: {
    ask: [
      '* cmd.run',
      '* state.highstate|state.apply',
      '* system.reboot|system.shutdown|system.poweroff',
      '* file.remove|pkg.purge|pkg.remove',
    ],
  },
  'salt-key': { deny: ['--delete-all|-D'], ask: ['--delete|-d'] },
  knife: {
    byVerb: 'deny',
    nouns: 'search status',
    deny: ['node|client|role|environment|cookbook|data bulk delete', 'cookbook delete|bulk'],
  },
  puppet: {
    ask: ['node purge|clean|deactivate', 'cert clean|revoke', 'resource * * ensure=absent', 'ca clean|revoke'],
  },
  puppetserver: { ask: ['ca clean|revoke'] },
  crossplane: { deny: ['uninstall'], ask: ['xpkg delete'] },
  nixops: { deny: ['destroy', 'delete'] },
  morph: { ask: ['deploy'] },
  spacectl: { byVerb: 'deny', ask: ['stack destroy'] },
  env0: { deny: ['destroy'] },
  scalr: { byVerb: 'deny' },
  'tfc-cli': { byVerb: 'deny' },
}

/** Words of a stack or stage on which nobody's work depends. */
const trialStages =
  'dev develop development sandbox staging stage stg test testing preview qa uat demo personal ephemeral'

/** True if a command brings a stack up to date that its name says is one's own, or for trials. */
function isForTrials(line: Line, { program, args }: Call): boolean {
  const { words, options } = line
  const [verb, ...stacks] = words.map(({ text }) => text)
  if (/^(?:terraform|tofu|tf)$/.test(program)) return verb === 'apply' && hasValuesForTrials(line)
  const isUpdate =
    program === 'pulumi' ? verb === 'up' || verb === 'update' : /^(?:cdk|cdktf)$/.test(program) && verb === 'deploy'
  if (!isUpdate || options.has('all')) return false
  const named = [...(options.get('s') ?? []), ...(options.get('stack') ?? []), ...(program === 'pulumi' ? [] : stacks)]
  const isOwn = args.some(({ variable }) => /^(?:USER|LOGNAME|USERNAME)$/.test(variable ?? ''))
  return isOwn || (named.length > 0 && named.every((one) => tokensOf(one).some((token) => isOneOf(token, trialStages))))
}

/** True if all values that a plan is made with are of files for trials: `-var-file=dev.tfvars`. */
function hasValuesForTrials({ options }: Line): boolean {
  const files = options.get('var-file') ?? []
  return (
    !options.has('destroy') &&
    files.length > 0 &&
    files.every((one) => tokensOf(one).some((token) => isOneOf(token, trialStages))) &&
    !files.some((one) => namesTarget(one, ['prod', 'production', 'prd', 'live']))
  )
}

/** Updates that ask nobody, which a stack for trials is asked about too. */
const unread: CliTable = {
  terraform: { ...terraform, deny: [], ask: ['apply --auto-approve', 'apply --replace'] },
  tofu: { ...terraform, deny: [], ask: ['apply --auto-approve', 'apply --replace'] },
  pulumi: { ...pulumi, deny: [], ask: ['up|update --yes|-y|--skip-preview|-f'] },
  cdk: { ...table['cdk'], deny: [], ask: ['deploy --require-approval=never'] },
  cdktf: { deny: [], ask: ['deploy --auto-approve'] },
}

const words = {
  harm: 'destroys or changes infrastructure, or its recorded state, without a plan that the person has read',
  instead: 'make a plan or a preview (`terraform plan`, `pulumi preview`, `cdk diff`) and have the person apply it',
}

export default definePolicy({
  id: 'infrastructure-as-code',
  severity: 'critical',
  description: 'Keeps infrastructure from being destroyed, or changed without anybody reading the plan',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: Object.keys(table) },
  params,
  decide: ({ shell, params: given }) =>
    judge(shell, table, given, words, isForTrials) ?? judge(shell, unread, given, words, ({ uncertain }) => uncertain),
  examples: [
    denies('terraform destroy -auto-approve'),
    asks('terraform destroy'),
    denies('terraform -chdir=infra apply -auto-approve'),
    denies('tofu apply --destroy'),
    denies('terraform state rm aws_s3_bucket.logs'),
    denies('terraform workspace delete staging'),
    asks('terraform apply'),
    abstains('terraform apply -var-file=dev.tfvars'),
    abstains('terraform apply -var-file environments/staging/a.tfvars'),
    asks('terraform apply -var-file=dev.tfvars -auto-approve'),
    asks('terraform apply -var-file=prod.tfvars'),
    asks('terraform apply -var-file=dev.tfvars -var-file=shared-prod.tfvars'),
    denies('terraform apply -destroy -var-file=dev.tfvars'),
    denies('terragrunt run-all destroy'),
    denies('pulumi destroy --yes'),
    denies('pulumi stack rm dev'),
    denies('cdk destroy --all'),
    asks('cdk deploy ShopStack'),
    abstains('cdk deploy ShopStack-dev'),
    abstains('cdk deploy "Shop-$USER"'),
    asks('cdk deploy ShopStack-dev BillingStack'),
    asks('cdk deploy --require-approval never ShopStack-dev'),
    denies('cdk deploy --require-approval never ShopStack'),
    denies('pulumi up --yes'),
    asks('pulumi up --yes -s acme/shop/dev'),
    abstains('pulumi up -s dev'),
    abstains('sst deploy --stage "$USER"'),
    denies('sst remove --stage dev'),
    denies('serverless remove --stage dev'),
    asks('vagrant destroy -f'),
    abstains('terraform plan -destroy'),
    abstains('terraform plan -out destroy'),
    abstains('terraform state list'),
    abstains('terraform state show aws_s3_bucket.destroy'),
    abstains('terraform destroy -help'),
    abstains('terraform validate'),
    abstains('pulumi preview'),
    abstains('cdk diff'),
    abstains('ansible-playbook site.yml --limit all --check'),
    abstains('echo terraform destroy -auto-approve'),
    allowed('terraform destroy -auto-approve', 'terraform'),
    answered('terraform destroy -auto-approve', 'ask'),
  ],
})
