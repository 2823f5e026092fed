import {
  liveByVerbs,
  type Deed,
  type DeedCondition,
  type Deeds,
  namesSecrets,
  appliesFetched,
  platformStage,
} from '../deeds/deeds.ts'
import type { Call } from '../../../words/calls.ts'
import { isOneOf, type LooseLine } from '../../../words/loose-line.ts'
import { namesOneOf, tokensOf } from '../../../words/names.ts'
import type { Family } from '../program.ts'
import type { Row } from '../row.ts'

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

/** Updates of a stack for trials that ask nobody. */
export const unread = (...work: readonly string[]): Deed => ({
  work,
  when: (call, line) => isForTrials(call, line) && !line.uncertain,
})

export const isForUsers: DeedCondition = (call, line) => !isForTrials(call, line)

const terraformSays: NonNullable<Deed['says']> = {
  'apply --destroy': {
    kind: 'delete',
    object: 'everything in the state',
    names: 'none',
    trial: '* plan -destroy',
  },
  apply: { kind: 'deploy', object: 'what the configuration describes', names: 'none', trial: '* plan' },
  'destroy --target': { kind: 'delete', object: 'resource', names: '--target', trial: '* plan -destroy' },
  destroy: { kind: 'delete', object: 'everything in the state', names: 'none', trial: '* plan -destroy' },
  'state rm': { kind: 'change', object: 'the state, which forgets a resource', names: 'none' },
  'state push': { kind: 'overwrite', object: 'the state', names: 'none' },
  'state *': { kind: 'change', object: 'the state', names: 'none' },
  'workspace delete': { object: 'workspace' },
  'force-unlock': { kind: 'weaken', thing: 'guard', object: 'the lock of the state' },
  'taint|untaint': { kind: 'change', object: 'the mark of a resource to replace', names: 'none' },
  'refresh|import': { kind: 'change', object: 'the state', names: 'none' },
}

const terraform: Deeds = {
  shows: {
    'output -raw|-json': { object: 'values that may be secret', names: 'none', when: namesSecrets },
    'state pull': { object: 'the state, with all its passwords', names: 'none' },
  },
  says: terraformSays,
  when: isForUsers,
  also: [
    { ...unread('apply --auto-approve', 'apply --replace'), says: terraformSays },
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
  says: {
    ...terraformSays,
    'run-all|run|stack destroy': { kind: 'delete', object: 'everything in all states', names: 'none' },
    'stack run destroy': { kind: 'delete', object: 'everything in all states', names: 'none' },
    'destroy-all': { kind: 'delete', object: 'everything in all states' },
    'run state': { kind: 'change', object: 'the state', names: 'none' },
    'apply-all|run-all|run|stack': { kind: 'deploy', object: 'what all modules describe', names: 'none' },
  },
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

const terraformClient: Row = {
  obeys: { when: /(?:^| )apply\b/, files: /\.tf(?:\.json|vars)?$/ },
  options: 'var-file=read var state=edit out=write backend-config chdir=names target parallelism',
  oneDash: true,
  subcommands: {
    'apply, destroy, plan, refresh, import, init, taint, untaint, force-unlock, state, workspace, cloud, output, show':
      {
        options:
          'var var-file target exclude replace backend-config from-module plugin-dir out parallelism lock-timeout state state-out backup backup-out config generate-config-out test-directory',
        oneDash: true,
        wholeNames: true,
      },
  },
}

const terraformLooks = {
  oneDash: true,
  options: '+no-color +chdir',
  never: '--out|--generate-config-out|--junit-xml|--state-out|--backup|--or-create',
} as const

/** Terraform, OpenTofu, and what is built around them. */
export const terraforming: Family = {
  area: 'infrastructure-as-code',
  programs: {
    'terraform tofu opentofu': {
      dashHelp: true,
      ...terraformClient,
      does: [terraform, platformStage, liveByVerbs('publish', 'upload')],
      looks: {
        ...terraformLooks,
        lines: `
      plan|show|version|validate|graph|console|fmt|modules|test|help
      output !--json|--raw
      providers ..0
      providers schema|lock
      metadata functions
      state list|show
      workspace list|show|select`,
      },
    },
    tf: { ...terraformClient, does: terraform },
    terragrunt: {
      ...terraformClient,
      does: [terragrunt, platformStage],
      looks: {
        ...terraformLooks,
        lines: `
      plan|show|version|validate|graph|output|providers|hclfmt|find|list|graph-dependencies|validate-inputs
      state list|show
      run-all plan|validate|output
      info print`,
      },
    },
    terramate: {
      does: [
        {
          kind: 'deploy',
          object: 'what all stacks describe',
          names: 'none',
          says: {
            'run * destroy': { kind: 'delete', object: 'everything in all stacks', names: 'none' },
          },
          work: ['run terraform destroy|apply', 'run tofu destroy|apply'],
          never: ['run terraform|tofu destroy|apply --auto-approve'],
        },
        platformStage,
      ],
    },
    atmos: {
      does: [
        {
          kind: 'deploy',
          object: 'component',
          names: 'first',
          says: {
            '* destroy': { kind: 'delete', object: 'everything in', names: 'first' },
            'terraform clean': { kind: 'delete', object: 'local files of component', names: 'first' },
          },
          never: ['terraform destroy|deploy', 'helmfile destroy'],
          work: ['terraform apply', 'terraform clean', 'helmfile apply|sync'],
        },
        platformStage,
      ],
    },
    spacectl: { does: { byVerb: 'never', work: ['stack destroy'] } },
    'scalr tfc-cli': { does: { byVerb: 'never' } },
    tflint: { looks: '!--fix|--init' },
    tfsec: { looks: '!-O|--out|-o' },
  },
  examples: {
    'terraform output -raw db_password': 'shows values that may be secret',
    'terraform output -raw cluster_name': '',
    'terraform destroy -auto-approve': 'deletes everything in the state, for good',
    'terraform apply': 'deploys what the configuration describes',
    'terraform apply -destroy': 'deletes everything in the state, for good',
    'terraform plan': '',
    'terraform state rm aws_s3_bucket.logs': 'changes the state, which forgets a resource',
    'terraform workspace delete staging': 'deletes workspace `staging`, for good',
    'terragrunt run-all destroy': 'deletes everything in all states, for good',
    'atmos terraform destroy vpc -s dev': 'deletes everything in `vpc`, for good; deletes everything in the state',
    'terramate run terraform apply': 'deploys what all stacks describe; deploys what the configuration describes',
  },
}
