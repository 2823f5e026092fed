import { amazon } from './aws.ts'
import { platformStage } from '../deeds/stages.ts'
import { aws, az, gcloud } from './clouds-looks.ts'
import { grants, payments } from './azure.ts'
import { grants as grantsOfGoogleCloud, payments as paymentsOfGoogleCloud } from './google-cloud.ts'
import { byVerb, ossutilCloudProviders, b2CloudProviders } from './cloud-providers.ts'
import { fly, heroku, byVerb as byVerbOfHosting, netlifyHosting } from './hosting.ts'
import { byVerb as byVerbOfDataPlatforms } from './data-platforms.ts'
import { terraform, terragrunt, pulumi, isForUsers, unread } from './infrastructure-as-code.ts'
import { appliesFetched } from '../deeds/fetched.ts'
import { manager } from './packages-deeds.ts'
import { helm } from './containers-looks.ts'
import type { Family } from '../program.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { sshOption } from './containers.ts'
import type { EffectRecorder } from '../effects.ts'
import { hostOf } from './http.ts'
import { prefixedFile } from './remote.ts'
import { type Line, type Row, setup } from '../row.ts'
import type { Starts } from '../starts.ts'

const deployer: Row = {
  options: 'dir=read d=read config=read c=read app a token t project env-file=read cwd=names',
  effects(line, recorder) {
    if (line.operands.some(({ value }) => /^(?:deploy|publish|up|push|secrets|upload)$/.test(value)))
      recorder.network({ kind: 'service', direction: 'send' })
  },
}

const storeOptions =
  'project format filter account region zone c=read config=read o h m? data-file=read flags-file=read quiet? source-dir=names profile namespace bucket-name file=read name key-file=read'
const storeClient: Row = {
  options: storeOptions,
  effects(line, recorder) {
    const words = line.operands
    const verb = words.findIndex(({ value }) =>
      /^(?:cp|mv|rsync|sync|put|get|copy|mirror|upload|download|rm|cat|ls|upload-file|scp)$/.test(value),
    )
    if (verb === -1) return recorder.network({ kind: 'service', direction: line.has('data-file') ? 'both' : 'receive' })
    const name = words[verb]?.value ?? ''
    const places = words.slice(verb + 1)
    if (name === 'scp') return copiedToMachine(places, recorder)
    stored(places, name, true, recorder, onlyTries(line))
  },
}

/** Starts the remote script of a cloud's own ssh, which is the value of an option. */
function startOverSsh(line: Line, starts: Starts, option: string): void {
  const text = line.value(option)
  const verbs = new Set(['ssh', 'run-command', 'send-command'])
  if (text !== undefined && line.operands.some(({ value }) => verbs.has(value)))
    starts.script(text, { elsewhere: true, cwd: undefined })
}

const charts: Row = {
  options: 'f=read values=read set set-file n namespace kubeconfig=read version repo kube-context',
  operands: 'none',
}
const helmOptions =
  'n namespace kubeconfig kube-context kube-apiserver kube-as-group kube-as-user kube-ca-file kube-tls-server-name kube-token registry-config repository-cache repository-config burst-limit qps f values filter set set-string set-file set-json set-literal version repo username password ca-file cert-file key-file keyring timeout post-renderer post-renderer-args description name-template history-max m max offset o output output-dir l labels selector s show-only kube-version api-versions revision d destination untardir app-version key passphrase-file time-format cascade dry-run?'

const flyRow: Row = { ...deployer, subcommands: { 'ssh console': sshOption('a app s r region', 'C command') } }

const terraformRow: Row = {
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

const serverlessRow: Row = { ...deployer, obeys: { when: /^deploy\b/, files: /^serverless\.(?:ya?ml|ts|js)$/ } }

/** Clients of cloud providers: files uploaded and downloaded, and scripts run on their machines. */
export const clouds: Family = {
  programs: {
    aws: {
      obeys: { when: /\b(?:deploy|create-stack|update-stack|put-bucket-policy|create-function)\b/ },
      options:
        'region profile output query endpoint-url ca-bundle=read cli-input-json cli-input-yaml body=read acl sse storage-class exclude include content content-type content-encoding content-disposition content-language cache-control expires metadata-directive metadata function-name zip-file payload bucket key name value secret-id secret-string secret-binary parameters template-body template-file=read stack-name policy-document user-data',
      effects(line, recorder) {
        for (const { value } of line.given) prefixedFile(value, recorder)
        const [service, verb, ...places] = line.operands
        if (service?.value === 's3' && verb !== undefined && /^(?:cp|mv|sync|rm|presign|ls)$/.test(verb.value)) {
          stored(
            places,
            verb.value,
            line.has('recursive') || verb.value === 'sync',
            recorder,
            onlyTries(line),
            'amazonaws.com',
          )
          if (verb.value === 'sync' && line.has('delete'))
            for (const word of places.slice(1)) if (!isStore(word)) recorder.touch(word, 'delete', { recursive: true })
          return
        }
        const sends = line.has('body', 'zip-file', 'payload', 'secret-string', 'secret-binary', 'user-data')
        recorder.network({ kind: 'service', direction: sends ? 'both' : 'receive', host: endpoint(line) })
      },
      does: [{ area: 'aws', ...amazon }, platformStage],
      looks: aws,
    },
    s3cmd: {
      ...storeClient,
      does: {
        area: 'aws',
        trial: '--dry-run',
        says: {
          rb: { kind: 'delete', object: 'bucket' },
          'del|rm --recursive|-r': { kind: 'delete', object: 'everything in', thing: 'data' },
          'del|rm': { kind: 'delete', object: 'object' },
          sync: { kind: 'delete', object: 'all that the source lacks in', thing: 'data', names: 'last' },
          fixbucket: { kind: 'change', object: 'bucket' },
          dellifecycle: { kind: 'delete', object: 'the lifecycle rules of', thing: 'data' },
          'delpolicy|delcors': { kind: 'delete', object: 'the access rules of', thing: 'account' },
          expire: { kind: 'delete', object: 'objects by age in', thing: 'data' },
          mv: { kind: 'change', object: 'object', names: 'first' },
        },
        valued: 'c',
        never: [
          'rb',
          'del|rm --recursive|-r',
          'sync --delete-removed|--delete-after',
          'fixbucket',
          'dellifecycle|delpolicy|delcors',
          'expire',
        ],
        work: ['del|rm', 'mv'],
      },
    },
    s5cmd: {
      ...storeClient,
      does: {
        area: 'aws',
        trial: 's5cmd --dry-run',
        says: {
          rb: { kind: 'delete', object: 'bucket' },
          sync: { kind: 'delete', object: 'all that the source lacks in', thing: 'data', names: 'last' },
          rm: { kind: 'delete', object: 'object' },
          mv: { kind: 'change', object: 'object', names: 'first' },
        },
        never: ['rb', 'sync --delete'],
        work: ['rm', 'mv'],
      },
    },
    s4cmd: {
      ...storeClient,
      does: {
        area: 'aws',
        trial: '--dry-run',
        says: {
          'del --recursive|-r': { kind: 'delete', object: 'everything in', thing: 'data' },
          del: { kind: 'delete', object: 'object' },
          mv: { kind: 'change', object: 'object', names: 'first' },
        },
        never: ['del --recursive|-r'],
        work: ['del', 'mv'],
      },
    },
    mc: {
      ...storeClient,
      does: {
        area: 'aws',
        says: {
          rb: { kind: 'delete', object: 'bucket' },
          'rm --recursive|-r': { kind: 'delete', object: 'everything in', thing: 'data' },
          rm: { kind: 'delete', object: 'object' },
          mirror: { kind: 'delete', object: 'all that the source lacks in', thing: 'data', names: 'last' },
          undo: { kind: 'rollback', object: 'the last changes of', thing: 'data' },
          'admin user svcacct': { kind: 'delete', object: 'service account' },
          'admin bucket remote': { kind: 'delete', object: 'replication target' },
          ilm: { kind: 'delete', object: 'lifecycle rule' },
          replicate: { kind: 'delete', object: 'the replication of' },
          version: { kind: 'stop', object: 'the versions of', thing: 'backup' },
          encrypt: { kind: 'weaken', object: 'the encryption of', thing: 'guard' },
          event: { kind: 'delete', object: 'notification' },
          'retention|legalhold': { kind: 'weaken', object: 'the retention of', thing: 'guard' },
          'admin decommission': { kind: 'delete', object: 'the storage pool of', thing: 'data' },
          tag: { kind: 'delete', object: 'the tags of', thing: 'data' },
          idp: { object: 'sign-on by', thing: 'account' },
          mv: { kind: 'change', object: 'object', names: 'first' },
          'admin service': { object: 'server' },
          alias: { kind: 'delete', object: 'the alias of', thing: 'infrastructure' },
          'admin heal': { kind: 'change', object: 'the data of' },
          'anonymous set': { kind: 'change', object: 'the public access to a bucket', thing: 'account', names: 'none' },
        },
        never: [
          'rb',
          'rm --recursive|-r|--force',
          'mirror --remove',
          'undo',
          'admin bucket delete',
          'admin user|group|policy|service-account remove|rm',
          'admin user svcacct rm|remove',
          'admin bucket remote rm',
          'ilm rm|remove',
          'ilm rule rm|remove',
          'replicate rm|remove',
          'version suspend',
          'encrypt clear',
          'event remove|rm',
          'retention clear',
          'legalhold clear',
          'admin decommission start',
          'admin kms key delete',
          'tag remove',
          'idp ldap|openid remove|disable',
        ],
        work: ['rm', 'mv', 'admin service stop|restart', 'alias remove|rm', 'admin heal --force', 'anonymous set'],
        trials: 'fake',
      },
    },
    azcopy: {
      ...storeClient,
      does: {
        area: 'azure',
        says: {
          'remove|rm': { kind: 'delete', object: 'everything in', thing: 'data', names: 'last', trial: '--dry-run' },
          sync: {
            kind: 'delete',
            object: 'all that the source lacks in',
            thing: 'data',
            names: 'last',
            trial: '--dry-run',
          },
          jobs: { kind: 'delete', object: 'the records of jobs', names: 'none' },
        },
        never: ['remove|rm', 'sync --delete-destination=true|--delete-destination=prompt', 'jobs clean|remove'],
      },
    },
    gsutil: {
      ...storeClient,
      does: {
        area: 'google-cloud',
        says: {
          rb: { kind: 'delete', object: 'bucket' },
          'rm -r|-R|-a': { kind: 'delete', object: 'everything in', thing: 'data' },
          rm: { kind: 'delete', object: 'object' },
          rsync: { kind: 'delete', object: 'all that the source lacks in', thing: 'data', names: 'last', trial: '-n' },
          kms: { kind: 'change', object: 'the encryption of', thing: 'data' },
          retention: { kind: 'weaken', object: 'the retention of', thing: 'guard' },
          hmac: { kind: 'delete', object: 'access key', thing: 'secret' },
          mv: { kind: 'change', object: 'object', names: 'first' },
          'iam|acl ch': { kind: 'revoke', object: 'the rights of others', thing: 'account', names: 'none' },
          lifecycle: { kind: 'change', object: 'the lifecycle rules of', thing: 'data', names: 'last' },
          versioning: { kind: 'change', object: 'the versioning of', thing: 'data', names: 'last' },
          label: { kind: 'change', object: 'the labels of', thing: 'data', names: 'last' },
        },
        valued: 'u i p',
        never: ['rb', 'rm -r|-R|-a', 'rsync -d', 'kms clear', 'retention clear', 'hmac delete', 'notification delete'],
        work: ['rm', 'mv', 'iam ch -d', 'lifecycle set', 'versioning set', 'acl ch -d', 'label ch -d'],
        trials: 'n',
        also: [
          {
            kind: 'grant',
            thing: 'account',
            object: 'bucket',
            names: 'last',
            work: ['iam ch', 'acl ch|set', 'defacl ch|set'],
          },
        ],
      },
      looks: {
        options: '+q +m +D',
        lines: `
      ls|cat|du|stat|hash|version|help
      acl|iam|lifecycle|versioning|cors|logging|web|label|notification get|list`,
      },
    },
    doctl: {
      ...storeClient,
      does: [
        {
          area: 'cloud-providers',
          shows: { 'auth token': { object: 'DigitalOcean token', names: 'none' } },
          says: {
            'compute droplet-action power-off|shutdown': { kind: 'stop', object: 'droplet' },
            'compute droplet-action rebuild|restore': { kind: 'overwrite', object: 'the disk of', thing: 'data' },
            'compute droplet-action': { kind: 'restart', object: 'droplet' },
            'databases delete': { kind: 'delete', object: 'database cluster', thing: 'data' },
            'kubernetes cluster delete': { kind: 'delete', object: 'cluster' },
          },
          ...byVerb,
          valued: 't',
          nouns: 'logs',
          also: [
            { kind: 'grant', thing: 'account', work: ['compute ssh-key import|create'] },
            { kind: 'pay', thing: 'money', work: ['compute domain create'] },
          ],
          work: ['compute droplet-action power-off|shutdown|power-cycle|reboot|rebuild|restore'],
          harmless: ['auth remove'],
        },
        platformStage,
      ],
      looks: `
    compute|kubernetes|k8s|k|monitoring|registry|serverless|vpcs|vpc * list|get
    apps|projects|vpcs|invoice|balance|billing-history list|get
    account get`,
    },
    'linode-cli': {
      ...storeClient,
      does: {
        area: 'cloud-providers',
        says: { 'linodes rebuild': { kind: 'overwrite', thing: 'data', object: 'the disks of' } },
        ...byVerb,
        valued: 'as-user',
        verbs: 'rm-tag',
        work: ['linodes shutdown|reboot|rebuild'],
      },
    },
    oci: {
      ...storeClient,
      does: {
        area: 'cloud-providers',
        shows: { 'secrets secret-bundle get': { object: 'Oracle secret', names: '--secret-id' } },
        ...byVerb,
        says: {
          'compute instance action': { kind: 'stop', object: 'instance', names: '--instance-id' },
          'os bucket delete': { object: 'bucket', thing: 'data', names: '--name|--bucket-name' },
        },
        valued: 'compartment-id',
        groupFirst: true,
        verbs: 'bulk-delete schedule-deletion',
        work: ['compute instance action', 'db * stop'],
      },
    },
    ibmcloud: {
      ...storeClient,
      does: {
        area: 'cloud-providers',
        shows: { 'iam oauth-tokens': { object: 'IBM Cloud token', names: 'none' } },
        ...byVerb,
        nouns: 'logs',
        verbs: 'service-delete service-key-delete cluster-rm',
        never: [
          'ks|cs cluster|worker|worker-pool rm',
          'cf delete|delete-*',
          'resource *-delete',
          'iam *-delete',
          'is *-delete',
          'cos *-delete',
          'resource service-instance-delete|group-delete',
        ],
        harmless: ['plugin uninstall', 'logout'],
      },
    },
    ossutil: { ...storeClient, does: { area: 'cloud-providers', ...ossutilCloudProviders } },
    coscmd: {
      ...storeClient,
      does: {
        area: 'cloud-providers',
        says: {
          deletebucket: { kind: 'delete', object: 'bucket' },
          'delete -r|--recursive': { kind: 'delete', object: 'everything in', thing: 'data' },
          delete: { kind: 'delete', object: 'object' },
        },
        never: ['deletebucket', 'delete --recursive|-r'],
        work: ['delete'],
      },
    },
    b2: { ...storeClient, does: { area: 'cloud-providers', ...b2CloudProviders } },
    gcloud: {
      obeys: { when: /\bdeployments (?:create|update)\b/, looks: 'preview' },
      ...storeClient,
      options: `${storeOptions} command`,
      starts: (line, starts) => startOverSsh(line, starts, 'command'),
      does: [
        {
          area: 'google-cloud',
          shows: {
            'auth print-*': { object: 'Google Cloud token', names: 'none' },
            'auth application-default print-*': { object: 'Google Cloud token', names: 'none' },
            'secrets versions access': { object: 'Google Cloud secret', names: '--secret' },
            'iam service-accounts keys create': { object: 'Google Cloud key', names: 'none' },
          },
          says: {
            'projects remove-iam-policy-binding': { kind: 'revoke', object: 'the role of a member', thing: 'account' },
            '* remove-iam-policy-binding|* * remove-iam-policy-binding': {
              kind: 'revoke',
              object: 'the role of a member',
              thing: 'account',
            },
            'storage rm -r|--recursive': { kind: 'delete', object: 'everything in', thing: 'data' },
            'storage rm': { kind: 'delete', object: 'object' },
            'storage rsync': {
              kind: 'delete',
              object: 'all that the source lacks in',
              thing: 'data',
              names: 'last',
              trial: '--dry-run',
            },
            'storage mv': { kind: 'change', object: 'object', names: 'first' },
            'container clusters resize': { kind: 'stop', object: 'all nodes of', thing: 'infrastructure' },
            'compute instance-groups managed resize': {
              kind: 'stop',
              object: 'all machines of',
              thing: 'infrastructure',
            },
            'compute instances reset': { kind: 'restart', object: 'instance' },
            'compute instances detach-disk': { kind: 'stop', object: 'disk', names: '--disk' },
            'sql instances patch': { kind: 'weaken', object: 'the deletion protection of', thing: 'guard' },
            'compute instances set-scheduling|update': {
              kind: 'weaken',
              object: 'the deletion protection of',
              thing: 'guard',
            },
            'sql instances delete': { kind: 'delete', object: 'database instance', thing: 'data' },
            'sql backups restore': {
              kind: 'overwrite',
              object: 'database instance',
              thing: 'data',
              names: '--restore-instance',
            },
            'sql import sql': { kind: 'overwrite', object: 'database instance', thing: 'data', names: 'first' },
            'app versions migrate': { kind: 'deploy', object: 'version' },
            'dns record-sets transaction': { kind: 'change', object: 'DNS zone', names: '-z|--zone' },
            'auth revoke': { kind: 'revoke', object: 'the sign-in of', thing: 'account' },
            'components remove': { kind: 'delete', object: 'component of the program', thing: 'machine' },
            'pubsub subscriptions seek': { kind: 'change', object: 'the position of', thing: 'data' },
            'services disable': { kind: 'stop', object: 'service' },
            'run services update-traffic': { kind: 'deploy', object: 'service' },
            'firestore import': { kind: 'overwrite', object: 'the database', thing: 'data', names: 'none' },
            'secrets versions': { kind: 'delete', object: 'version of secret', thing: 'secret', names: '--secret' },
          },
          also: [grantsOfGoogleCloud, paymentsOfGoogleCloud],
          valued:
            'member role condition metadata metadata-from-file key-file verbosity impersonate-service-account billing-project flags-file trace-token access-token-file flatten sort-by limit page-size',
          groupFirst: true,
          byVerb: 'never',
          verbs: 'disable delete-all dismiss abandon abandon-instances recreate-instances',
          nouns: 'logs',
          never: [
            'storage rm',
            'storage rsync --delete-unmatched-destination-objects',
            'container clusters resize --num-nodes=0|--size=0',
            'compute instance-groups managed resize --size=0',
          ],
          work: [
            'compute instances stop|suspend|reset',
            'compute instances detach-disk',
            'sql instances patch --no-deletion-protection',
            'sql instances restart|failover',
            'sql backups restore',
            'sql import sql',
            'compute instances set-scheduling|update --no-deletion-protection',
            'app versions stop|migrate',
            'dns record-sets transaction remove|execute',
            'storage mv',
            'auth revoke',
            'components remove',
            'builds cancel',
            'pubsub subscriptions seek',
            'services disable --async',
            'run services update-traffic',
            'firestore import',
          ],
          harmless: ['config unset', 'config configurations delete', 'compute config-ssh --remove'],
        },
        platformStage,
      ],
      looks: gcloud,
    },
    az: {
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
          area: 'azure',
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
              object: 'all that the source lacks in',
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
              object: 'everything that the template lacks in',
              thing: 'infrastructure',
              names: '-g|--resource-group',
              trial: 'az deployment group what-if',
            },
            'deployment group create': {
              kind: 'delete',
              object: 'everything that the template lacks in',
              thing: 'infrastructure',
              names: '-g|--resource-group',
              trial: 'az deployment group what-if',
            },
            'deployment * cancel': { kind: 'stop', object: 'deployment' },
            'vm redeploy|restart': { kind: 'restart', object: 'virtual machine' },
            'vm reimage': { kind: 'overwrite', object: 'the disk of', thing: 'data' },
            'vmss reimage': { kind: 'overwrite', object: 'the disks of', thing: 'data' },
            'sql db restore': { kind: 'rollback', object: 'database' },
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
          ],
          valued:
            'role assignee scope public-key name resource-group id status auto-complete o g n l s only-show-errors ids tags source-resource-group uri u m method set',
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
      ],
      looks: az,
    },
    helm: {
      ...charts,
      output: setup(/^completion \w+$/),
      subcommands: {
        'install, upgrade, template, lint, uninstall, delete, del, un, rollback, list, ls, status, history, test, show, search, pull, package, push, get, repo, plugin, registry, dependency, dep, env, create, verify, version, diff, secrets':
          { options: helmOptions, wholeNames: true },
      },
      does: [
        {
          area: 'releases',
          says: {
            'uninstall|delete|del|un': { kind: 'delete', object: 'release', trial: '--dry-run' },
            plugin: { kind: 'delete', object: 'plugin', thing: 'machine' },
            rollback: { kind: 'rollback', object: 'release', names: 'first' },
            upgrade: { kind: 'deploy', object: 'release', names: 'first' },
            repo: { kind: 'delete', object: 'chart repository', thing: 'package' },
            registry: { kind: 'stop', object: 'the sign-in to a registry', names: 'none' },
          },
          also: appliesFetched([
            'install|upgrade http:*|https:*|oci:*',
            'install|upgrade * http:*|https:*|oci:*',
            'install|upgrade -f~://|--values~://|--repo~://',
          ]),
          never: ['uninstall|delete|del|un', 'plugin uninstall|remove'],
          work: [
            'rollback',
            'upgrade --force',
            'upgrade --reset-values',
            'upgrade --cleanup-on-fail',
            'repo remove|rm',
            'registry logout',
          ],
        },
        { area: 'packages', ...manager({ sources: ['repo add', 'plugin install'], publishes: ['push|cm-push'] }) },
        platformStage,
      ],
      looks: helm,
    },
    helmfile: {
      ...charts,
      does: [
        {
          area: 'releases',
          kind: 'deploy',
          object: 'all releases of the file',
          names: 'none',
          says: {
            'destroy|delete': { kind: 'delete', object: 'all releases of the file', names: 'none' },
          },
          valued: 'e l',
          never: ['destroy', 'delete'],
          work: ['apply', 'sync'],
        },
        platformStage,
      ],
    },
    'terraform tofu': {
      ...terraformRow,
      does: [{ area: 'infrastructure-as-code', ...terraform }, platformStage],
      looks: {
        oneDash: true,
        options: '+no-color +chdir',
        never: '--out|--generate-config-out|--junit-xml|--state-out|--backup|--or-create',
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
    tf: { ...terraformRow, does: { area: 'infrastructure-as-code', ...terraform } },
    terragrunt: {
      ...terraformRow,
      does: [{ area: 'infrastructure-as-code', ...terragrunt }, platformStage],
      looks: {
        oneDash: true,
        options: '+no-color +chdir',
        never: '--out|--generate-config-out|--junit-xml|--state-out|--backup|--or-create',
        lines: `
      plan|show|version|validate|graph|output|providers|hclfmt|find|list|graph-dependencies|validate-inputs
      state list|show
      run-all plan|validate|output
      info print`,
      },
    },
    heroku: {
      ...deployer,
      subcommands: { 'run, run:detached': { options: 'a app r remote s size e env', starts: { elsewhere: true } } },
      does: [{ area: 'hosting', ...heroku }, platformStage],
      looks: `
    apps|ps|releases|addons|domains|status|version ..0
    apps:info|ps|releases|releases:info|addons|addons:info|domains|logs|status|regions`,
    },
    flyctl: {
      ...flyRow,
      does: [{ area: 'hosting', ...fly }, platformStage],
      looks: 'status|logs|version|info; apps|machine|machines|volumes|regions list',
    },
    fly: {
      ...flyRow,
      does: [
        {
          area: 'hosting',
          ...fly,
          // Concourse's client has this name too.
          says: {
            ...fly.says,
            'destroy-pipeline|dp|archive-pipeline': { object: 'pipeline', thing: 'pipeline', names: '-p|--pipeline' },
            'destroy-team|dt': { kind: 'delete', object: 'team', names: '-n|--team-name' },
            'prune-worker|land-worker|dw': {
              kind: 'delete',
              thing: 'pipeline',
              object: 'worker',
              names: '-w|--worker',
            },
            'clear-*': { kind: 'delete', thing: 'pipeline', object: 'cached results', names: 'none' },
            'pause-pipeline': { kind: 'stop', thing: 'pipeline', object: 'pipeline', names: '-p|--pipeline' },
            'pause-job|abort-build': { kind: 'stop', thing: 'pipeline', object: 'job', names: '-j|--job' },
          },
          valued: 'o p j b',
          never: [
            'destroy-pipeline|dp',
            'destroy-team|dt',
            'prune-worker',
            'clear-task-cache',
            'clear-versions',
            'clear-resource-cache',
            'archive-pipeline',
            'dw',
            'land-worker',
          ],
          work: [...(fly.work ?? []), 'pause-pipeline', 'abort-build', 'pause-job'],
        },
        platformStage,
      ],
      looks: 'status|logs|version|info; apps|machine|machines|volumes|regions list',
    },
    railway: {
      ...deployer,
      subcommands: { run: { options: 's service e environment', starts: {} } },
      does: [
        {
          area: 'hosting',
          shows: { 'variables -k|--kv|--json': { object: 'the variables of an app', names: 'none' } },
          ...byVerbOfHosting,
          says: {
            down: { object: 'deployment', names: 'none' },
            delete: { object: 'project' },
          },
          valued: 'e s p',
          nouns: 'logs status run',
          never: [
            'down',
            'volume delete|rm|detach',
            'environment delete|remove',
            'service delete',
            'delete',
            'variables|variable delete',
            'bucket delete',
          ],
          harmless: ['unlink', 'logout'],
        },
        platformStage,
      ],
      looks: 'status|logs|list|whoami|version',
    },
    serverless: {
      ...serverlessRow,
      does: [
        {
          area: 'infrastructure-as-code',
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
      ],
      looks: 'info|print; list|plugin list',
    },
    sls: {
      ...serverlessRow,
      does: [
        {
          area: 'infrastructure-as-code',
          says: {
            remove: { kind: 'delete', object: 'everything that the service has deployed', names: 'none' },
            rollback: { kind: 'rollback', object: 'the service', names: 'none' },
          },
          valued: 'stage s r',
          never: ['remove', 'rollback'],
        },
        platformStage,
      ],
      looks: 'info|print; list|plugin list',
    },
    pulumi: {
      ...deployer,
      obeys: { when: /^(?:up|destroy)\b/, files: /^Pulumi\.ya?ml$/ },
      does: [{ area: 'infrastructure-as-code', ...pulumi }, platformStage],
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

    // Alone or with a folder, it deploys.
    vercel: {
      ...deployer,
      does: [
        {
          area: 'hosting',
          shows: { 'env pull': { object: 'the variables of an app', names: 'none' } },
          ...byVerbOfHosting,
          says: {
            'env rm|remove': { object: 'variable', names: 'first' },
            'rm|remove': { object: 'deployment' },
            'alias rm|remove': { object: 'alias' },
            rollback: { kind: 'rollback', object: 'deployment' },
            promote: { kind: 'deploy', object: 'deployment' },
            'domains move|transfer-out': { kind: 'change', object: 'domain', names: 'first' },
          },
          valued: 'S A Q scope local-config',
          also: [{ kind: 'pay', thing: 'money', object: 'domain', work: ['domains buy|transfer-in', 'buy'] }],

          never: [
            'rm|remove',
            'env rm|remove',
            'domains|dns|certs|alias|secrets|project|projects|teams|blob|integration|edge-config rm|remove',
          ],
          work: ['rollback', 'promote', 'domains move|transfer-out', 'rolling-release abort'],
          harmless: ['git disconnect', 'logout'],
        },
        { area: 'stages', stage: { named: 'words', verb: 'deploy' }, harmless: ['build'] },
      ],
      looks: 'ls|list|inspect|whoami|logs; env|domains|dns|certs|project|projects|alias|teams ls|list',
    },
    netlify: {
      ...deployer,
      does: [{ area: 'hosting', ...netlifyHosting }, platformStage],
      looks: 'status; sites:list',
    },
    render: {
      ...deployer,
      does: [
        {
          area: 'hosting',
          ...byVerbOfHosting,
          nouns: 'logs',
          work: ['services suspend', 'jobs cancel', 'deploys cancel'],
        },
        platformStage,
      ],
    },
    wrangler: {
      ...deployer,
      does: [
        {
          area: 'hosting',
          says: {
            delete: { object: 'worker' },
            'kv:key|kv:namespace|kv:bulk delete': { object: 'what is stored', names: 'none', thing: 'data' },
            'kv key': { object: 'entry', thing: 'data' },
            'kv namespace': { object: 'key-value store', thing: 'data', names: '--namespace-id' },
            'kv bulk': { object: 'many entries', thing: 'data', names: 'none' },
            'd1 delete': { object: 'database' },
            'd1 time-travel': { kind: 'rollback', object: 'database', thing: 'data', names: 'first' },
            'queues purge': { object: 'all messages of', thing: 'data' },
            'vectorize delete-vectors': { object: 'vectors of', thing: 'data', names: 'first' },
            'vectorize delete': { object: 'vector index', thing: 'data' },
            'hyperdrive delete': { object: 'database connection' },
            rollback: { kind: 'rollback', object: 'version' },
            'r2 object': { object: 'object', thing: 'data' },
          },
          valued: 'e env binding namespace-id preview local',
          byVerb: 'never',
          never: [
            'delete',
            'kv:key|kv:namespace|kv:bulk delete',
            'kv key|namespace|bulk delete',
            'r2 bucket|object delete|remove',
            'd1 delete',
            'd1 time-travel restore',
            'queues delete|purge',
            'queues consumer remove',
            'pages project|deployment delete',
            'secret|secret:bulk delete',
            'versions secret delete',
            'vectorize delete|delete-vectors',
            'hyperdrive delete',
            'workflows delete|terminate',
            'dispatch-namespace delete',
            'mtls-certificate delete',
            'triggers delete',
            'pipelines delete',
            'containers delete',
            'certificate delete',
          ],
          work: ['rollback', 'deployments rollback', 'pages secret delete'],
          harmless: [
            'logout',
            'kv key|namespace|bulk delete --local',
            'kv:key delete --local',
            'r2 object delete --local',
          ],
        },
        platformStage,
      ],
      looks: 'whoami|version|tail; * list; kv|r2|d1|queues|dispatch-namespace namespace|bucket list',
    },
    surge: { ...deployer, does: { area: 'hosting', kind: 'delete', object: 'site', never: ['teardown'] } },
    firebase: {
      ...deployer,
      does: [
        {
          area: 'data-platforms',
          ...byVerbOfDataPlatforms,
          says: {
            'firestore:delete': { object: 'the data of Firestore at', names: 'first' },
            'database:remove': { object: 'the data at' },
            'database:set|database:update': { kind: 'overwrite', object: 'the data at', names: 'first' },
            'hosting:disable': { kind: 'stop', object: 'the site' },
            'auth:import': { kind: 'change', object: 'the user accounts', thing: 'account' },
            'remoteconfig:rollback': { kind: 'rollback', object: 'the remote settings' },
            'ext:uninstall': { object: 'extension' },
            'dataconnect:sql:reset': { object: 'everything in the database', thing: 'data' },
            'dataconnect:sql:migrate': { kind: 'change', object: 'the tables of the database', thing: 'data' },
            deploy: {
              kind: 'deploy',
              thing: 'deployment',
              object: 'the project, deleting what its files no longer have',
            },
            'functions:config:unset': { object: 'setting' },
            'apphosting:rollouts:*': { kind: 'deploy', thing: 'deployment', object: 'version of' },
            'target:clear|target:remove': { object: 'the name of a target' },
            'functions:secrets:prune': { object: 'unused secrets', thing: 'secret' },
          },
          valued: 'P only',
          also: [{ kind: 'send', thing: 'message', names: '--topic', work: ['messaging:send'] }],
          nouns: 'logs',
          never: [
            'projects:delete',
            'firestore:delete',
            'firestore:databases:delete|firestore:backups:delete|firestore:backups:schedules:delete',
            'database:remove',
            'database:set|database:update --force|-f|--confirm|-y',
            'functions:delete',
            'hosting:disable|hosting:sites:delete|hosting:channel:delete',
            'auth:delete',
            'apps:delete|remoteconfig:rollback|appdistribution:testers:remove|functions:secrets:destroy|functions:secrets:prune',
            'apphosting:backends:delete',
            'ext:uninstall',
            'dataconnect:sql:reset',
            'deploy --force',
          ],
          work: [
            'database:set',
            'auth:import',
            'dataconnect:sql:migrate',
            'functions:config:unset',
            'apphosting:rollouts:*',
            'target:clear|target:remove',
          ],
          harmless: ['logout', 'use --clear|--unalias', 'experiments:disable', 'emulators:*', 'functions:artifacts:*'],
        },
        platformStage,
      ],
      looks: 'projects:list|apps:list|functions:list|functions:log|hosting:sites:list|use ..0',
    },
    cdk: {
      ...deployer,
      does: [
        {
          area: 'infrastructure-as-code',
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
      ...deployer,
      does: [
        {
          area: 'infrastructure-as-code',
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
    cf: {
      ...deployer,
      does: [
        {
          area: 'releases',
          says: {
            'delete-service|ds': { kind: 'delete', object: 'service instance', thing: 'data' },
            'delete|d|delete-app': { kind: 'delete', object: 'app', names: 'first' },
            'stop|sp': { kind: 'stop', object: 'app' },
            'unbind-service|us': { kind: 'stop', object: 'service of app', names: 'first' },
            'unmap-route': { kind: 'stop', object: 'route of app', names: 'first' },
          },
          never: [
            'delete|d',
            'delete-app|delete-service|ds|delete-org|delete-space|delete-user|delete-route|delete-orphaned-routes|delete-domain|delete-private-domain|delete-shared-domain|delete-service-key|dsk|delete-service-broker|delete-buildpack|delete-security-group|delete-quota|delete-org-quota|delete-space-quota|delete-isolation-segment|delete-service-auth-token',
            'purge-service-instance|purge-service-offering',
          ],
          work: [
            'stop|sp',
            'unbind-service|us',
            'unmap-route',
            'scale --i=0|-i=0',
            'unset-env|ue',
            'unset-org-role',
            'unset-space-role',
          ],
          valued: 'i',
        },
        platformStage,
      ],
    },
  },
}

const onlyTries = (line: Line): boolean => line.surely('dry-run', 'dryrun')

const isStore = ({ value }: ShellWord): boolean => /^[a-z0-9]+:\/\//i.test(value)

function endpoint(line: Line): string {
  const url = line.value('endpoint-url')
  return (url === undefined ? undefined : hostOf(url.value)) ?? 'amazonaws.com'
}

/** Records a copy between this machine and an object store: `s3://…`, `gs://…`. */
function stored(
  places: readonly ShellWord[],
  verb: string,
  recursive: boolean,
  recorder: EffectRecorder,
  isTrial: boolean,
  host?: string,
): void {
  const named = host === undefined ? {} : { host }
  const local = places.filter((word) => !isStore(word))
  if (local.length === places.length && verb !== 'put' && verb !== 'upload') {
    if (places.length > 0) recorder.network({ kind: 'store', direction: 'both', ...named })
    for (const word of places.slice(0, 1))
      if (word.value.includes('/') || word.value.includes('.')) recorder.touch(word, 'read', { recursive })
    return
  }
  const to = places.at(-1)
  const sends = verb === 'put' || verb.startsWith('upload') || (to !== undefined && isStore(to) && places.length > 1)
  recorder.network({ kind: 'store', direction: sends && !isTrial ? 'send' : 'receive', ...named })
  if (sends) {
    for (const word of local) {
      recorder.touch(word, 'read', { recursive })
      if (verb === 'mv') recorder.touch(word, 'delete', { recursive })
    }
    // An upload reads stdin only with the operand `-`.
    if (!local.some(({ value }) => value === '-')) recorder.readsNoStdin()
  } else {
    const target = verb === 'get' ? local.at(-1) : to
    if (target !== undefined && !isStore(target)) recorder.touch(target, recursive ? 'into' : 'write')
  }
}

function copiedToMachine(places: readonly ShellWord[], recorder: EffectRecorder): void {
  const to = places.at(-1)
  const sends = to?.value.includes(':') === true
  recorder.network({ kind: 'copy', direction: sends ? 'send' : 'receive' })
  for (const word of places.slice(0, -1))
    if (!word.value.includes(':')) recorder.touch(word, 'read', { recursive: true })
  if (!sends) recorder.touch(to, 'into')
}
