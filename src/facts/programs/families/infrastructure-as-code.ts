import { liveByVerbs, type Deeds, appliesFetched, platformStage } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import type { Row } from '../row.ts'
import { deployer } from './hosting.ts'
import { isForUsers, unread } from './terraform.ts'

const pulumi: Deeds = {
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

const architect: Deeds = {
  kind: 'delete',
  object: 'everything that the project has deployed',
  names: 'none',
  never: ['destroy'],
}

const serverlessDeployer: Row = { ...deployer, obeys: { when: /^deploy\b/, files: /^serverless\.(?:ya?ml|ts|js)$/ } }

const programs: Family['programs'] = {
  pulumi: {
    ...deployer,
    obeys: { when: /^(?:up|destroy)\b/, files: /^Pulumi\.ya?ml$/ },
    does: [pulumi, platformStage, liveByVerbs('publish', 'upload')],
    looks: {
      options: 'C cwd s stack color +non-interactive',
      lines: `
      preview|whoami|version|about|logs
      stack ..0
      stack ls|output|history !--show-secrets
      config ..0
      plugin ls`,
    },
  },
  cdk: {
    ...deployer,
    does: [
      {
        says: {
          destroy: { kind: 'delete', object: 'stack' },
          deploy: { kind: 'deploy', object: 'stack', trial: 'cdk diff' },
          gc: { kind: 'delete', object: 'unused assets', names: 'none' },
          rollback: { kind: 'rollback', object: 'stack' },
          'import|refactor': { kind: 'change', object: 'stack' },
          bootstrap: { kind: 'deploy', object: 'the resources that CDK needs', names: 'none' },
        },
        when: isForUsers,
        also: [unread('deploy --require-approval=never')],
        valued: 'require-approval toolkit-stack-name',
        never: ['destroy', 'deploy --require-approval=never', 'gc', 'rollback --force|-f'],
        work: ['deploy', 'rollback', 'import', 'bootstrap', 'refactor'],
      },
      platformStage,
      liveByVerbs('publish', 'upload'),
    ],
    looks: {
      options:
        'a app c context p plugin profile o output r role-arn toolkit-stack-name ca-bundle-path +v +verbose +debug +json +j +no-color +ec2creds +trace +strict +lookups +notices +no-notices +no-lookups',
      lines: `
      diff|synth|synthesize|list|ls|metadata|version|doctor|notices|docs
      context !--reset|--clear|-e`,
    },
  },
  eb: {
    abbreviates: true,
    ...deployer,
    does: [
      {
        says: {
          terminate: { kind: 'delete', object: 'environment' },
          appversion: { kind: 'delete', object: 'version of the app', names: '--delete|-d' },
          platform: { kind: 'delete', object: 'platform' },
          labs: { kind: 'delete', object: 'old versions', names: 'none' },
          swap: { kind: 'deploy', object: 'environment' },
          abort: { kind: 'stop', object: 'the update of the environment', names: 'none' },
          scale: { kind: 'stop', object: 'all machines of the environment', names: 'none' },
        },
        never: ['terminate', 'appversion --delete|-d', 'platform delete', 'labs cleanup-versions'],
        work: ['swap', 'abort', 'scale 0'],
      },
      platformStage,
    ],
    looks: 'status|list|health|events',
  },
  'serverless osls': {
    ...serverlessDeployer,
    does: [
      {
        says: {
          remove: { kind: 'delete', object: 'everything that the service has deployed', names: 'none' },
          rollback: { kind: 'rollback', object: 'the service', names: 'none' },
          plugin: { kind: 'change', object: 'the plugins of the project', names: 'none' },
        },
        valued: 'stage s r',
        never: ['remove', 'rollback'],
        work: ['plugin uninstall'],
      },
      platformStage,
      liveByVerbs('publish', 'upload'),
    ],
    looks: 'info|print; list|plugin list',
  },
  sls: {
    ...serverlessDeployer,
    does: [
      {
        says: {
          remove: { kind: 'delete', object: 'everything that the service has deployed', names: 'none' },
          rollback: { kind: 'rollback', object: 'the service', names: 'none' },
        },
        valued: 'stage s r',
        never: ['remove', 'rollback'],
      },
      platformStage,
      liveByVerbs('publish', 'upload'),
    ],
    looks: 'info|print; list|plugin list',
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
      liveByVerbs('publish', 'upload'),
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
      liveByVerbs('publish', 'upload'),
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
      liveByVerbs('publish', 'upload'),
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
      liveByVerbs('publish', 'upload'),
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
  'architect arc': { does: [architect, platformStage] },
  env0: { does: architect },
  packer: {
    dashHelp: true,
    obeys: { when: /^(?:build|init)\b/ },
    does: { kind: 'overwrite', object: 'machine images', names: 'none', work: ['build --force'], oneDash: true },
    looks: { oneDash: true, lines: 'validate|inspect|version|fmt|help|console; plugins installed|required' },
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
  'cfn-lint': { looks: '!--update-specs|-u|-o' },
}

export const infrastructureAsCode: Family = {
  area: 'infrastructure-as-code',
  programs,
  examples: {
    'pulumi config --show-secrets': 'shows Pulumi secrets',
    'pulumi preview': '',
    'pulumi destroy --yes': 'deletes everything in the stack, for good',
    'pulumi up --yes': 'deploys what the program describes',
    'pulumi stack rm dev': 'deletes stack `dev`, for good',
    'cdk deploy ShopStack': 'deploys stack `ShopStack`',
    'cdk destroy --all': 'deletes all stacks, for good',
    'sst remove --stage dev': 'deletes everything that the stage has deployed, for good',
    'serverless remove --stage dev': 'deletes everything that the service has deployed, for good',
    'sam delete --stack-name shop': 'deletes stack `shop`, for good',
    'amplify env remove dev': 'deletes environment `dev` and everything in it, for good',
    'eb terminate shop-dev': 'deletes environment `shop-dev` and everything in it, for good',
    'vagrant destroy -f': 'deletes a virtual machine',
    'vagrant box prune': 'deletes old boxes',
    'zappa rollback dev': 'rolls back the stage',
  },
}
