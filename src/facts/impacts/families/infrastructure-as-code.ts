import type { Call } from '../../../model/calls.ts'
import type { DeedCondition, Deed, Deeds, Family } from '../deeds.ts'
import { appliesFetched } from '../fetched.ts'
import { isOneOf, type LooseLine } from '../../../model/loose-line.ts'
import { namesOneOf, tokensOf } from '../places.ts'

/** Words of a stack or stage on which nobody's work depends. */
const trialStages =
  'dev develop development sandbox staging stage stg test testing preview qa uat demo personal ephemeral'

/** True if all values that a plan is made with are of files for trials: `-var-file=dev.tfvars`. */
function hasValuesForTrials({ options }: LooseLine): boolean {
  const files = options.get('var-file') ?? []
  return (
    !options.has('destroy') &&
    files.length > 0 &&
    files.every((one) => tokensOf(one).some((token) => isOneOf(token, trialStages))) &&
    !files.some((one) => namesOneOf(one, ['prod', 'production', 'prd', 'live']))
  )
}

/** True if a command brings a stack up to date that its name says is one's own, or for trials. */
function isForTrials({ program, args }: Call, line: LooseLine): boolean {
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

const isForUsers: DeedCondition = (call, line) => !isForTrials(call, line)

/** Updates of a stack for trials that ask nobody. */
const unread = (...work: readonly string[]): Deed => ({
  work,
  when: (call, line) => isForTrials(call, line) && !line.uncertain,
})

const terraform: Deeds = {
  when: isForUsers,
  also: [
    unread('apply --auto-approve', 'apply --replace'),
    ...appliesFetched(['init -from-module~://|-from-module~github.com/|-from-module~git@']),
  ],
  oneDash: true,
  never: [
    'destroy --auto-approve|--force|--target|--terragrunt-non-interactive',
    'apply --destroy',
    'apply --auto-approve',
    'state rm',
    'workspace delete',
    'force-unlock',
    'state push --force',
  ],
  work: [
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

const terragrunt: Deeds = {
  oneDash: true,
  never: [
    ...(terraform.never ?? []),
    'run-all|apply-all destroy|apply',
    'destroy-all|apply-all',
    'run --all destroy|apply',
    'run destroy --all',
    'run apply --all',
    'stack run destroy|apply',
    'run state rm',
  ],
  work: [...(terraform.work ?? []), 'run destroy|apply'],
}

const pulumi: Deeds = {
  when: isForUsers,
  also: [unread('up|update --yes|-y|--skip-preview|-f'), ...appliesFetched(['new http:*|https:*'])],
  valued: 's stack C cwd d dir',
  flags: 'skip-preview',
  never: [
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
  work: ['up|update', 'cancel', 'refresh', 'import', 'stack import', 'state edit|rename|move|repair'],
  harmless: ['destroy --preview-only', 'up --preview-only', 'refresh --preview-only'],
}

/** Ansible runs a module on every host that a pattern names. */
const ansibleValued =
  'i inventory l limit u user m module-name a args f forks e extra-vars t tree vault-id vault-password-file ' +
  'private-key key-file tags skip-tags become-user become-method T M'

const programs: Family['programs'] = {
  terraform,
  tofu: terraform,
  tf: terraform,
  terragrunt,
  terramate: {
    work: ['run terraform destroy|apply', 'run tofu destroy|apply'],
    never: ['run terraform|tofu destroy|apply --auto-approve'],
  },
  atmos: {
    never: ['terraform destroy|deploy', 'helmfile destroy'],
    work: ['terraform apply', 'terraform clean', 'helmfile apply|sync'],
  },
  cdktf: {
    when: isForUsers,
    also: [unread('deploy --auto-approve')],
    never: ['destroy', 'deploy --auto-approve'],
    work: ['deploy'],
  },
  pulumi,
  cdk: {
    when: isForUsers,
    also: [unread('deploy --require-approval=never')],
    valued: 'a c require-approval toolkit-stack-name',
    never: ['destroy', 'deploy --require-approval=never', 'gc', 'rollback --force|-f'],
    work: ['deploy', 'rollback', 'import', 'bootstrap', 'refactor'],
  },
  sst: { never: ['remove', 'secret remove'], work: ['unlock'], valued: 'stage' },
  serverless: { valued: 'stage s r', never: ['remove', 'rollback'], work: ['plugin uninstall'] },
  sls: { valued: 'stage s r', never: ['remove', 'rollback'] },
  sam: { valued: 'stack-name', never: ['delete'], work: ['deploy --no-confirm-changeset'] },
  amplify: { never: ['delete', 'remove', 'env remove', 'push --force|--destructive-updates', 'mock delete'] },
  copilot: { valued: 'a n e', byVerb: 'never' },
  chalice: { never: ['delete'], valued: 'stage' },
  zappa: { never: ['undeploy'], work: ['rollback'] },
  up: { never: ['stack delete'] },
  apex: { never: ['delete'] },
  architect: { never: ['destroy'] },
  arc: { never: ['destroy'] },
  eb: {
    never: ['terminate', 'appversion --delete|-d', 'platform delete', 'labs cleanup-versions'],
    work: ['swap', 'abort', 'scale 0'],
  },
  packer: { work: ['build --force'], oneDash: true },
  vagrant: {
    work: [
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
    never: ['* -a~state=absent|--args~state=absent'],
    work: [
      '* -m=shell|-m=command|-m=raw|-m=script|-m=reboot|-m=win_shell',
      '* --module-name=shell|--module-name=command|--module-name=raw|--module-name=script|--module-name=reboot',
    ],
    trials: 'check C list-hosts',
  },
  'ansible-playbook': {
    valued: ansibleValued,
    work: ['* --limit=all', '* -l=all'],
    trials: 'check C syntax-check list-hosts list-tasks list-tags',
  },
  'ansible-galaxy': { work: ['collection|role remove|delete', 'role delete', 'remove', 'delete'] },
  salt: {
    work: [
      '* cmd.run',
      '* state.highstate|state.apply',
      '* system.reboot|system.shutdown|system.poweroff',
      '* file.remove|pkg.purge|pkg.remove',
    ],
  },
  'salt-key': { never: ['--delete-all|-D'], work: ['--delete|-d'] },
  knife: {
    byVerb: 'never',
    nouns: 'search status',
    never: ['node|client|role|environment|cookbook|data bulk delete', 'cookbook delete|bulk'],
  },
  puppet: {
    work: ['node purge|clean|deactivate', 'cert clean|revoke', 'resource * * ensure=absent', 'ca clean|revoke'],
  },
  puppetserver: { work: ['ca clean|revoke'] },
  crossplane: { never: ['uninstall'], work: ['xpkg delete'] },
  nixops: { never: ['destroy', 'delete'] },
  morph: { work: ['deploy'] },
  spacectl: { byVerb: 'never', work: ['stack destroy'] },
  env0: { never: ['destroy'] },
  scalr: { byVerb: 'never' },
  'tfc-cli': { byVerb: 'never' },
}

export const infrastructureAsCode: Family = { area: 'infrastructure-as-code', thing: 'infrastructure', programs }
