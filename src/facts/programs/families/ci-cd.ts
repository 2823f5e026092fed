import { liveBy, type Deeds, platformStage } from '../deeds/deeds.ts'
import { opens } from './remote.ts'
import type { Family } from '../program.ts'

const jenkins: Deeds = {
  says: {
    'delete-builds': { kind: 'delete', object: 'builds of', names: 'first' },
    'delete-credentials': { kind: 'delete', object: 'credentials', names: 'last' },
    'groovy|groovysh': { kind: 'change', object: 'the server', names: 'none' },
    'safe-shutdown|shutdown|quiet-down': { kind: 'stop', object: 'the server', names: 'none' },
    'restart|safe-restart|reload-configuration': { kind: 'restart', object: 'the server', names: 'none' },
    'clear-queue': { kind: 'delete', object: 'all waiting builds', names: 'none' },
    'disconnect-node|offline-node': { kind: 'stop', object: 'node', names: 'first' },
    'stop-builds': { kind: 'stop', object: 'builds of' },
  },
  valued: 's auth i http webSocket logger strategy p',
  oneDash: true,
  never: ['delete-*', 'groovy', 'groovysh', 'safe-shutdown', 'shutdown', 'remove-*', 'clear-queue', 'disconnect-node'],
  work: [
    'disable-*|offline-node|quiet-down|restart|safe-restart|stop-builds|reload-configuration|reload-job|update-*|import-*|uninstall-plugin',
  ],
}

const programs: Family['programs'] = {
  'jenkins-cli': { does: [jenkins, platformStage] },
  jcli: { does: { byVerb: 'never', valued: 'j jenkins', work: ['job stop', 'restart'] } },
  'jenkins-jobs': { does: { never: ['delete', 'delete-all', 'update --delete-old'], valued: 'conf u p l' } },
  jx: { does: { byVerb: 'never', nouns: 'deploy' } },
  'gitlab-runner': {
    does: [
      {
        object: 'the runners of this machine',
        names: 'none',
        says: {
          'unregister --all-runners': { kind: 'delete', object: 'all runners of this machine', names: 'none' },
          unregister: { kind: 'delete', object: 'runner', names: '-n|--name' },
          uninstall: { kind: 'delete', object: 'the runner service of this machine', names: 'none' },
          'reset-token': { kind: 'overwrite', object: 'the token of a runner', thing: 'secret', names: 'none' },
        },
        never: ['unregister --all-runners', 'unregister', 'uninstall', 'reset-token'],
        work: ['stop', 'restart'],
        valued: 'c n t',
      },
      { area: 'opened-access', ...opens({ work: ['register'] }) },
      platformStage,
    ],
  },
  'gitlab-ctl': {
    does: {
      says: {
        cleanse: { kind: 'delete', object: 'everything that GitLab stores', thing: 'data', names: 'none' },
        'uninstall|prepare-reset': { kind: 'delete', object: 'the services of GitLab', names: 'none' },
        'registry-garbage-collect': { kind: 'delete', object: 'unused images', thing: 'package', names: 'none' },
        'stop|kill': { kind: 'stop', object: 'services of GitLab', names: 'none' },
        'deploy-page': { kind: 'stop', object: 'GitLab for everybody', names: 'none' },
        reconfigure: { kind: 'change', object: 'the settings of GitLab', names: 'none' },
        'promote*|geo': { kind: 'change', object: 'the main site of GitLab', names: 'none' },
        'pgb-*|remove-*': { kind: 'delete', object: 'node of GitLab', names: 'none' },
        'revert-pg-upgrade': { kind: 'rollback', object: 'the database of GitLab', names: 'none' },
      },
      never: ['cleanse', 'uninstall', 'pgb-* remove', 'remove-*', 'registry-garbage-collect', 'prepare-reset'],
      work: ['stop', 'kill', 'reconfigure', 'deploy-page up', 'revert-pg-upgrade', 'promote*', 'geo promote'],
    },
  },
  'gitlab-rake': {
    does: {
      kind: 'delete',
      object: 'unused data of GitLab',
      names: 'none',
      thing: 'data',
      says: {
        'gitlab:backup:restore': {
          kind: 'overwrite',
          object: 'everything that GitLab stores',
          thing: 'data',
          names: 'none',
        },
        'gitlab:setup|db:*|gitlab:db:*': {
          kind: 'delete',
          object: 'the database of GitLab',
          thing: 'data',
          names: 'none',
        },
        'cache:clear': { kind: 'delete', object: 'the cache', names: 'none' },
      },
      never: [
        'gitlab:backup:restore',
        'gitlab:setup',
        'db:drop|db:reset|db:schema:load',
        'gitlab:cleanup:*',
        'cache:clear',
        'gitlab:db:reset*',
      ],
      work: ['gitlab:*:remove*'],
    },
  },
  'gitlab-backup': {
    does: {
      kind: 'overwrite',
      object: 'everything that GitLab stores',
      names: 'none',
      thing: 'data',
      never: ['restore'],
    },
  },
  'gitlab-rails': {
    does: {
      kind: 'change',
      object: 'the database of GitLab',
      names: 'none',
      thing: 'data',
      work: ['runner', 'dbconsole'],
    },
  },
  gitlab: { does: { byVerb: 'never', valued: 'o f g' } },
  circleci: {
    does: [
      {
        says: {
          'context remove-secret': { kind: 'delete', object: 'secret', names: 'last' },
          'context delete': { kind: 'delete', object: 'context, with its secrets', thing: 'secret', names: 'last' },
          'orb delete|unlist': { kind: 'withdraw', object: 'orb', thing: 'package' },
          'orb remove-from-category': { kind: 'change', object: 'orb', thing: 'package', names: 'first' },
          'orb publish': { kind: 'publish', object: 'orb', thing: 'package', names: 'first' },
          'policy settings': { kind: 'stop', object: 'policies of the organization', thing: 'guard', names: 'none' },
          'policy push': { kind: 'overwrite', object: 'policies of the organization', thing: 'guard', names: 'none' },
          'context store-secret': { kind: 'overwrite', object: 'secret', names: 'last' },
        },
        valued: 'org-id integration-testing',
        also: [
          {
            kind: 'change',
            thing: 'variable',
            object: 'variable',
            names: 'last',
            work: ['env var set|store', 'project secret create'],
          },
        ],
        byVerb: 'never',
        nouns: 'build local',
        verbs: 'remove-secret delete-namespace-alias unlist',
        never: [
          'context delete|remove-secret',
          'orb delete|unlist',
          'orb remove-from-category',
          'namespace delete|delete-alias',
          'runner resource-class|token|instance delete|rm',
          'project secret|env|environment-variable delete|remove',
          'policy settings --enabled=false',
          'pipeline delete',
          'trigger delete',
        ],
        work: ['orb publish promote', 'policy push', 'context store-secret'],
        harmless: ['local execute', 'config *'],
      },
      platformStage,
    ],
  },
  travis: {
    does: {
      says: {
        disable: { kind: 'stop', object: 'builds of the repository', names: 'none' },
        cache: { kind: 'delete', object: 'caches of the repository', names: 'none' },
        env: { kind: 'delete', object: 'variable' },
        settings: { kind: 'delete', object: 'setting' },
        sshkey: { kind: 'delete', object: 'the SSH key of the repository', thing: 'secret', names: 'none' },
        'requests|accounts|logs': { kind: 'delete', object: 'records of builds', thing: 'record', names: 'none' },
        cancel: { kind: 'stop', object: 'build' },
        restart: { kind: 'restart', object: 'build' },
      },
      also: [{ kind: 'change', thing: 'variable', object: 'variable', names: 'first', work: ['env set'] }],
      never: [
        'disable',
        'cache --delete|-d',
        'env unset|clear',
        'settings --unset',
        'sshkey --delete|-D',
        'requests --delete',
        'accounts --delete',
        'logs --delete',
      ],
      work: ['cancel', 'restart'],
    },
  },
  drone: { does: { byVerb: 'never', nouns: 'build', work: ['repo disable', 'build stop|decline', 'queue pause'] } },
  woodpecker: { does: { byVerb: 'never', nouns: 'pipeline log' } },
  'woodpecker-cli': { does: { byVerb: 'never', nouns: 'pipeline log', work: ['pipeline stop|kill'] } },
  bk: {
    does: {
      byVerb: 'never',
      nouns: 'build',
      work: ['build cancel', 'agent stop', 'cluster * delete'],
      also: [{ kind: 'change', thing: 'variable', object: 'secret', work: ['secret create|update'] }],
    },
  },
  'buildkite-agent': {
    does: [
      {
        says: {
          'pause|stop': { kind: 'stop', object: 'agent', names: 'none' },
          'meta-data': { kind: 'change', object: 'data of the build', names: 'none' },
          step: { kind: 'stop', object: 'step', names: 'none' },
        },
        work: ['pause', 'stop', 'annotation remove', 'step cancel', 'meta-data set'],
        never: ['secret delete'],
        shows: { 'secret get': { object: 'Buildkite secret', names: 'first' } },
      },
      { area: 'opened-access', ...opens({ work: ['start'] }) },
    ],
  },
  harness: { does: [{ byVerb: 'never' }, platformStage] },
  'buildkite semaphore codemagic screwdriver sonar nexus': { does: { byVerb: 'never' } },
  octo: { does: [{ never: ['delete-*', 'deprovision*'], work: ['disable-*'] }, platformStage] },
  octopus: { does: { byVerb: 'never', nouns: 'deploy', work: ['project disable', 'task cancel'], valued: 's' } },
  teamcity: { does: { byVerb: 'never', nouns: 'run build', work: ['queue remove', 'agent disable', 'build cancel'] } },
  sem: {
    options: 'j jobs id semaphorename st semaphoretimeout timeout',
    wholeNames: true,
    starts: { joined: true },
    idle: 'wait',
    does: {
      says: {
        'delete|stop|edit': { objectLast: true },
      },
      never: ['delete', 'stop'],
      work: ['edit'],
    },
  },
  appcenter: {
    does: [{ byVerb: 'never', nouns: 'build' }, liveBy(/^(?:codepush (?:release|promote)|distribute release)/)],
  },
  bitrise: { does: { work: ['stepman delete'] } },
  fastlane: {
    does: [
      { object: 'certificates and profiles', thing: 'secret', names: 'none', never: ['match nuke'] },
      platformStage,
      liveBy(/^(?:\w+ )?(?:release|deliver|supply|pilot|testflight|upload_to_\w+|beta|deploy)\b/),
    ],
  },
  dagger: { does: { object: 'the cache of builds', names: 'none', work: ['core prune'] } },
  earthly: {
    does: {
      says: {
        prune: { kind: 'delete', object: 'the cache of builds', names: 'none' },
        'satellite sleep': { kind: 'stop', object: 'satellite' },
      },
      never: ['secret rm|remove', 'project remove', 'org remove', 'satellite rm', 'cloud remove', 'registry remove'],
      work: ['prune --all|-a|--reset', 'satellite sleep'],
      harmless: ['account logout'],
    },
  },
  zuul: {
    does: {
      says: {
        'delete-*': { kind: 'delete', object: 'the state of the scheduler', names: 'none' },
        dequeue: { kind: 'stop', object: 'change', names: 'none' },
        promote: { kind: 'change', object: 'the order of changes', names: 'none' },
        'autohold-delete': { kind: 'delete', object: 'held node' },
      },
      work: ['dequeue', 'promote', 'autohold-delete'],
      never: ['delete-state', 'delete-keys', 'delete-pipeline-state'],
    },
  },
  'zuul-client': {
    does: {
      says: {
        dequeue: { kind: 'stop', object: 'change', names: 'none' },
        promote: { kind: 'change', object: 'the order of changes', names: 'none' },
        'autohold-delete': { kind: 'delete', object: 'held node' },
      },
      work: ['dequeue', 'promote', 'autohold-delete'],
    },
  },
  'jf jfrog': {
    does: {
      says: {
        'rt delete|del': { kind: 'delete', object: 'artifacts', thing: 'package', trial: '--dry-run' },
        'rt repo-delete|rdel': { kind: 'delete', object: 'repository, with its artifacts', thing: 'package' },
        'rt build-discard|bdi': { kind: 'delete', object: 'old builds of', thing: 'record' },
        'rt delete-props|delp': { kind: 'delete', object: 'properties of', thing: 'package', names: 'first' },
        'rt users-delete': { kind: 'delete', object: 'user', thing: 'account' },
        'rt group-delete|gdel': { kind: 'delete', object: 'group', thing: 'account' },
        'rt permission-target-delete': { kind: 'delete', object: 'permission', thing: 'account' },
        'rt replication-delete': { kind: 'delete', object: 'replication' },
        'rt udel': { kind: 'delete', object: 'user', thing: 'account' },
        'rbd|release-bundle-delete*': { kind: 'delete', object: 'release bundle', thing: 'package' },
        mc: { kind: 'delete', object: 'server' },
        worker: { kind: 'delete', object: 'worker' },
        ds: { kind: 'delete', object: 'release bundle', thing: 'package' },
        'access-token-revoke': { kind: 'revoke', object: 'access token', thing: 'secret' },
        'rt move|mv': { kind: 'change', object: 'artifacts', thing: 'package', names: 'first' },
        'rt access-token-create': { kind: 'create', object: 'access token', thing: 'secret', names: 'none' },
      },
      valued: 'access-token server-id spec',
      never: [
        'rt delete|del',
        'rt repo-delete|rdel',
        'rt build-discard|bdi',
        'rt users-delete|group-delete|permission-target-delete',
        'rt replication-delete',
        'rt delete-props|delp',
        'rbd|release-bundle-delete*',
        'mc d|delete',
        'rt gdel|rt udel',
        'worker undeploy|rm',
        'ds rbdel',
        'access-token-revoke',
      ],
      work: ['rt move|mv', 'rt access-token-create'],
      harmless: ['config rm|remove', 'c rm|remove'],
    },
  },
  cloudsmith: {
    does: {
      says: {
        'delete|rm': { kind: 'delete', object: 'package', thing: 'package' },
        entitlements: { kind: 'delete', object: 'access token', thing: 'secret' },
        repos: { kind: 'delete', object: 'repository, with its packages', thing: 'package' },
        quarantine: { kind: 'withdraw', object: 'package', thing: 'package' },
        'move|mv': { kind: 'change', object: 'package', thing: 'package', names: 'first' },
      },
      never: ['delete|rm', 'repos delete|rm', 'entitlements delete|rm', 'quarantine'],
      work: ['move|mv'],
    },
  },
  renovate: {
    does: {
      kind: 'change',
      object: 'all repositories that it finds',
      names: 'none',
      thing: 'repository',
      work: ['--autodiscover'],
    },
  },
  snyk: {
    does: { kind: 'weaken', object: 'the check of a vulnerability', names: 'none', thing: 'guard', work: ['ignore'] },
  },
}

export const ciCd: Family = {
  area: 'ci-cd',

  programs,
  examples: {
    'java -jar jenkins-cli.jar -s http://ci.example.com/ delete-job shop': 'deletes job `shop`, for good',
    'jenkins-cli delete-builds shop 1-9': 'deletes builds of `shop`, for good',
    'jenkins-cli delete-credentials system::system::jenkins _ id':
      'deletes credentials `id`, which programs may need, for good',
    'jenkins-cli safe-shutdown': 'stops the server',
    'jenkins-cli list-jobs': '',
    'gitlab-runner unregister --all-runners': 'deletes all runners of this machine, for good',
    'gitlab-runner stop': 'stops the runners of this machine',
    'gitlab-ctl cleanse': 'deletes everything that GitLab stores, for good',
    'gitlab-rake gitlab:backup:restore': 'overwrites everything that GitLab stores, for good',
    'circleci context delete github shop live':
      'deletes context `live`, with its secrets, which programs may need, for good, in production',
    'circleci orb unlist shop/orb true': 'withdraws orbs `shop/orb` and `true`',
    'circleci runner resource-class delete shop/linux --force': 'deletes resource class `shop/linux`, for good',
    'travis env set KEY value': 'changes variable `KEY`',
    'drone repo rm shop/web': 'deletes repository `shop/web`, for good',
    'jx delete pipeline web': 'deletes pipeline `web`, for good',
    'jf rt del "libs/old/*" --quiet': 'deletes artifacts `libs/old/*`, for good',
    'jf rt del "libs/old/*" --dry-run': '',
    'jf rt repo-delete libs': 'deletes repository `libs`, with its artifacts, for good',
    'cloudsmith delete shop/libs/a': 'deletes package `shop/libs/a`, for good',
    'octo delete-releases --project shop': 'deletes a release, for good',
    'buildkite-agent stop': 'stops an agent',
    'sem delete project shop': 'deletes project `shop` and everything in it, for good',
    'earthly prune --all': 'deletes the cache of builds',
    'fastlane match nuke development': 'deletes certificates and profiles, which programs may need, for good',
    'renovate --autodiscover': 'changes all repositories that it finds',
    'zuul delete-state': 'deletes the state of the scheduler, for good',
    'bk build cancel 12': 'stops build `12`',
  },
}
