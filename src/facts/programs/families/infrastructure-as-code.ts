import { platformStage } from '../deeds/stages.ts'
import { namesThisMachine } from '../looks.ts'
import { manager } from './packages-deeds.ts'
import type { Family } from '../program.ts'
import type { Call } from '../../../words/calls.ts'
import type { DeedCondition, Deed, Deeds } from '../deeds/deeds.ts'
import { namesSecrets } from '../deeds/secrets.ts'
import { appliesFetched } from '../deeds/fetched.ts'
import { isOneOf, type LooseLine } from '../../../words/loose-line.ts'
import { namesOneOf, tokensOf } from '../../../words/names.ts'

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

export const isForUsers: DeedCondition = (call, line) => !isForTrials(call, line)

/** Updates of a stack for trials that ask nobody. */
export const unread = (...work: readonly string[]): Deed => ({
  work,
  when: (call, line) => isForTrials(call, line) && !line.uncertain,
})

const terraformSays: NonNullable<Deed['says']> = {
  'apply --destroy': {
    kind: 'delete',
    object: 'everything in the state',
    names: 'none',
    trial: 'terraform plan -destroy',
  },
  apply: { kind: 'deploy', object: 'what the configuration describes', names: 'none', trial: 'terraform plan' },
  'destroy --target': { kind: 'delete', object: 'resource', names: '--target', trial: 'terraform plan -destroy' },
  destroy: { kind: 'delete', object: 'everything in the state', names: 'none', trial: 'terraform plan -destroy' },
  'state rm': { kind: 'change', object: 'the state, which forgets a resource', names: 'none' },
  'state push': { kind: 'overwrite', object: 'the state', names: 'none' },
  'state *': { kind: 'change', object: 'the state', names: 'none' },
  'workspace delete': { object: 'workspace' },
  'force-unlock': { kind: 'weaken', thing: 'guard', object: 'the lock of the state' },
  'taint|untaint': { kind: 'change', object: 'the mark of a resource to replace', names: 'none' },
  'refresh|import': { kind: 'change', object: 'the state', names: 'none' },
}

export const terraform: Deeds = {
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

export const terragrunt: Deeds = {
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

export const pulumi: Deeds = {
  shows: { 'config|stack --show-secrets': { object: 'Pulumi secrets', names: 'none' } },
  says: {
    'destroy|down': { kind: 'delete', object: 'everything in the stack', names: 'none' },
    'up|update': { kind: 'deploy', object: 'what the program describes', names: 'none', trial: 'pulumi preview' },
    'state unprotect': { kind: 'weaken', thing: 'guard', object: 'the protection of a resource', names: 'none' },
    'state|stack delete|edit|rename|move|repair|import': { kind: 'change', object: 'the state', names: 'none' },
    'config rm|rm-all': { object: 'settings of the stack', names: 'none' },
    cancel: { kind: 'stop', object: 'the running update' },
    'refresh|import': { kind: 'change', object: 'the state', names: 'none' },
    'deployment settings': { object: 'the deployment settings', thing: 'pipeline' },
  },
  when: isForUsers,
  also: [unread('up|update --yes|-y|--skip-preview|-f'), ...appliesFetched(['new http:*|https:*'])],
  valued: 's stack C',
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

const architectInfrastructureAsCode: Deeds = {
  kind: 'delete',
  object: 'everything that the project has deployed',
  names: 'none',
  never: ['destroy'],
}

const programs: Family['programs'] = {
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
  cdktf: {
    does: [
      {
        says: {
          destroy: { kind: 'delete', object: 'stack' },
          deploy: { kind: 'deploy', object: 'stack', trial: 'cdktf diff' },
        },
        when: isForUsers,
        also: [unread('deploy --auto-approve')],
        never: ['destroy', 'deploy --auto-approve'],
        work: ['deploy'],
      },
      platformStage,
    ],
    looks: 'diff|plan|list|synth|output|debug',
  },

  sst: {
    does: [
      {
        says: {
          remove: { kind: 'delete', object: 'everything that the stage has deployed', names: 'none' },
          secret: { kind: 'delete', object: 'secret' },
          unlock: { kind: 'weaken', object: 'the lock of the state', thing: 'guard' },
        },
        never: ['remove', 'secret remove'],
        work: ['unlock'],
        valued: 'stage',
      },
      platformStage,
    ],
  },

  sam: {
    obeys: { when: /^(?:deploy|build)\b/, files: /^template\.ya?ml$/ },
    does: [
      {
        says: {
          delete: { kind: 'delete', object: 'stack', names: '--stack-name' },
          deploy: { kind: 'deploy', object: 'stack', names: '--stack-name' },
        },
        valued: 'stack-name',
        never: ['delete'],
        work: ['deploy --no-confirm-changeset'],
      },
      platformStage,
    ],
    looks: 'validate|list; logs !-o',
  },
  amplify: {
    does: [
      {
        says: {
          env: { kind: 'delete', object: 'environment' },
          push: { kind: 'deploy', object: 'the project, deleting what no longer is in it', names: 'none' },
          delete: { kind: 'delete', object: 'everything that the project has deployed', names: 'none' },
          remove: { kind: 'delete', object: 'part of the project' },
          mock: { kind: 'delete', object: 'local data', names: 'none' },
        },
        never: ['delete', 'remove', 'env remove', 'push --force|--destructive-updates', 'mock delete'],
      },
      platformStage,
    ],
  },
  copilot: { does: [{ valued: 'a n e', byVerb: 'never' }, platformStage] },
  chalice: {
    does: [
      {
        kind: 'delete',
        object: 'everything that the project has deployed',
        names: 'none',
        never: ['delete'],
        valued: 'stage',
      },
      platformStage,
    ],
  },
  zappa: {
    does: [
      {
        says: {
          undeploy: { kind: 'delete', object: 'everything that the stage has deployed', names: 'none' },
          rollback: { kind: 'rollback', object: 'the stage', names: 'none' },
        },
        never: ['undeploy'],
        work: ['rollback'],
      },
      platformStage,
    ],
  },
  up: { does: [{ object: 'the stack', names: 'none', never: ['stack delete'] }, platformStage] },
  apex: { does: [{ kind: 'delete', object: 'function', never: ['delete'] }, platformStage] },
  'architect arc': { does: [architectInfrastructureAsCode, platformStage] },
  env0: { does: architectInfrastructureAsCode },

  packer: {
    obeys: { when: /^(?:build|init)\b/ },
    does: { kind: 'overwrite', object: 'machine images', names: 'none', work: ['build --force'], oneDash: true },
    looks: { oneDash: true, lines: 'validate|inspect|version|fmt|help|console; plugins installed|required' },
  },

  // Only some modules run their arguments as a command.
  ansible: {
    options:
      'a args m module-name i inventory u user f forks e extra-vars l limit become-user become-method c connection T timeout private-key key-file vault-id vault-password-file M module-path P poll B background t tree playbook-dir ssh-common-args ssh-extra-args sftp-extra-args scp-extra-args task-timeout',
    starts(line, starts) {
      const module = line.value('m', 'module-name')?.value ?? 'command'
      const text = line.value('a', 'args')
      const isHere = line.value('c', 'connection')?.value === 'local' || namesThisMachine(line.operands[0])
      if (text !== undefined && /^(?:ansible\.builtin\.)?(?:command|shell|raw|script)$/.test(module))
        starts.script(text, { ...(isHere ? {} : { elsewhere: true }), cwd: undefined })
    },
    does: {
      kind: 'change',
      object: 'hosts of',
      names: 'first',
      thing: 'machine',
      trial: '--check',
      says: {
        '* -a~state=absent|--args~state=absent': {
          kind: 'delete',
          object: 'what the module names, on hosts of',
          names: 'first',
          thing: 'machine',
        },
      },
      valued: ansibleValued,
      never: ['* -a~state=absent|--args~state=absent'],
      work: [
        '* -m=shell|-m=command|-m=raw|-m=script|-m=reboot|-m=win_shell',
        '* --module-name=shell|--module-name=command|--module-name=raw|--module-name=script|--module-name=reboot',
      ],
      trials: 'check C list-hosts',
    },
    looks: '--list-hosts|--version',
  },
  // A playbook changes what its inventory names, whatever it is called.
  'ansible-playbook': {
    options:
      'i=read inventory=read e extra-vars vault-password-file=read private-key=read l limit t tags +syntax-check +list-hosts +list-tasks +list-tags',
    effects(line, recorder) {
      const only = line.has('syntax-check', 'list-hosts', 'list-tasks', 'list-tags')
      for (const word of line.operands) recorder.touch(word, only ? 'read' : 'execute')
    },
    obeysFolder: true,
    codeOnStdin: 'language',
    does: [
      {
        kind: 'deploy',
        object: 'all hosts of the inventory',
        names: 'none',
        thing: 'machine',
        trial: '--check',
        valued: ansibleValued,
        work: ['* --limit=all', '* -l=all'],
        trials: 'check C syntax-check list-hosts list-tasks list-tags',
      },
      {
        area: 'stages',
        stage: { named: 'words', verb: 'deploy' },
        trials: 'C version list-hosts list-tasks list-tags',
      },
    ],
    looks: '--list-hosts|--list-tasks|--list-tags|--syntax-check; -C|--check',
  },
  'ansible-galaxy': {
    does: [
      {
        kind: 'delete',
        object: 'role or collection',
        names: 'last',
        thing: 'package',
        work: ['collection|role remove|delete', 'role delete', 'remove', 'delete'],
      },
      {
        area: 'packages',
        ...manager(
          {
            installs: ['install', 'collection|role install'],
            publishes: ['collection publish', 'role import'],
          },
          { valued: 'r p s' },
        ),
      },
    ],
    looks: 'list|info|search; role list|info|search; collection list|verify',
  },
  salt: {
    does: {
      kind: 'change',
      object: 'machines',
      names: 'before',
      thing: 'machine',
      work: [
        '* cmd.run',
        '* state.highstate|state.apply',
        '* system.reboot|system.shutdown|system.poweroff',
        '* file.remove|pkg.purge|pkg.remove',
      ],
    },
  },
  'salt-key': {
    does: {
      kind: 'delete',
      object: 'the key of',
      thing: 'secret',
      names: '-d|--delete',
      says: {
        '-D|--delete-all': { kind: 'delete', object: 'the keys of all machines', names: 'none' },
      },
      never: ['--delete-all|-D'],
      work: ['--delete|-d'],
    },
  },
  knife: {
    does: {
      says: {
        '* bulk delete': { kind: 'delete', object: 'all entries that match', names: 'none' },
      },
      byVerb: 'never',
      nouns: 'search status',
      never: ['node|client|role|environment|cookbook|data bulk delete', 'cookbook delete|bulk'],
    },
  },
  puppet: {
    does: {
      says: {
        'node deactivate': { kind: 'stop', object: 'machine' },
        node: { kind: 'delete', object: 'the records of' },
        'cert|ca revoke': { kind: 'revoke', object: 'certificate of', thing: 'secret' },
        'cert|ca clean': { kind: 'delete', object: 'certificate of', thing: 'secret' },
        resource: { kind: 'delete', object: 'resource of this machine', names: 'none' },
      },
      work: ['node purge|clean|deactivate', 'cert clean|revoke', 'resource * * ensure=absent', 'ca clean|revoke'],
    },
  },
  puppetserver: {
    does: {
      kind: 'delete',
      object: 'certificate of',
      thing: 'secret',
      names: '--certname',
      work: ['ca clean|revoke'],
    },
  },
  crossplane: {
    does: {
      says: {
        uninstall: { kind: 'delete', object: 'Crossplane from the cluster', names: 'none' },
        xpkg: { kind: 'delete', object: 'package' },
      },
      never: ['uninstall'],
      work: ['xpkg delete'],
    },
  },
  nixops: {
    does: [
      {
        kind: 'delete',
        object: 'the state of the deployment',
        names: 'none',
        says: {
          destroy: { kind: 'delete', object: 'all machines of the deployment', names: 'none' },
        },
        never: ['destroy', 'delete'],
      },
      platformStage,
    ],
  },
  morph: {
    does: [{ kind: 'deploy', object: 'what the project describes', names: 'none', work: ['deploy'] }, platformStage],
  },
  spacectl: { does: { byVerb: 'never', work: ['stack destroy'] } },
  'scalr tfc-cli': { does: { byVerb: 'never' } },
}

export const infrastructureAsCode: Family = {
  area: 'infrastructure-as-code',

  programs,
  examples: {
    'terraform output -raw db_password': 'shows values that may be secret',
    'terraform output -raw cluster_name': '',
    'pulumi config --show-secrets': 'shows Pulumi secrets',
    'terraform destroy -auto-approve': 'deletes everything in the state, for good',
    'terraform apply': 'deploys what the configuration describes',
    'terraform apply -destroy': 'deletes everything in the state, for good',
    'terraform plan': '',
    'terraform state rm aws_s3_bucket.logs': 'changes the state, which forgets a resource',
    'terraform workspace delete staging': 'deletes workspace `staging`, for good',
    'terragrunt run-all destroy': 'deletes everything in all states, for good',
    'pulumi destroy --yes': 'deletes everything in the stack, for good',
    'pulumi up --yes': 'deploys what the program describes',
    'pulumi stack rm dev': 'deletes stack `dev`, for good',
    'cdk deploy ShopStack': 'deploys stack `ShopStack`',
    'cdk destroy --all': 'deletes all stacks, for good',
    'sst remove --stage dev': 'deletes everything that the stage has deployed, for good',
    'serverless remove --stage dev': 'deletes everything that the service has deployed, for good',
    'sam delete --stack-name shop': 'deletes stack `shop`, for good',
    'amplify env remove dev': 'deletes environment `dev`, for good',
    'eb terminate shop-dev': 'deletes environment `shop-dev`, for good',
    'vagrant destroy -f': 'deletes a virtual machine',
    'vagrant box prune': 'deletes old boxes',
    'ansible web -m shell -a reboot': 'changes hosts of `web`; restarts this machine',
    'ansible-playbook site.yml --limit all': 'deploys all hosts of the inventory',
    'salt-key -D': 'deletes the keys of all machines, which other things may need, for good',
    'puppet node clean web-1': 'deletes the records of `web-1`',
    'knife node delete web-1': 'deletes node `web-1`, for good',
    'atmos terraform destroy vpc -s dev': 'deletes everything in `vpc`, for good; deletes everything in the state',
    'zappa rollback dev': 'rolls back the stage',
    'terramate run terraform apply': 'deploys what all stacks describe; deploys what the configuration describes',
    'salt web cmd.run reboot': 'changes machines `web`',
    'nixops destroy': 'deletes all machines of the deployment, for good',
  },
}
