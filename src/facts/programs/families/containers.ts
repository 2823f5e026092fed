import { kubectl as kubectlOfKubernetes, grants, applied } from './kubernetes.ts'
import { manager } from './packages-deeds.ts'
import { platformStage } from '../deeds/stages.ts'
import {
  kubectl as kubectlOfContainersLooks,
  docker as dockerOfContainersLooks,
  compose as composeOfContainersLooks,
} from './containers-looks.ts'
import { appliesFetched } from '../deeds/fetched.ts'
import { docker as dockerOfContainersDeeds, compose as composeOfContainersDeeds, lxc } from './containers-deeds.ts'
import type { Family } from '../program.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import { hostOf } from './http.ts'
import { kubectl } from './kubectl.ts'
import { isUrl } from '../looks.ts'
import { type Line, type Obeys, type Row, setup, type View } from '../row.ts'
import { bindsOf, containerOf, mountOf } from './mounts.ts'
import type { Starts } from '../starts.ts'
import { known, names } from '../words.ts'

const runOptions =
  'a add-host annotation attach blkio-weight blkio-weight-device cap-add cap-drop cgroup-parent cgroupns cidfile=write cpu-period cpu-quota cpu-rt-period cpu-rt-runtime c cpu-shares cpus cpuset-cpus cpuset-mems detach-keys device device-cgroup-rule device-read-bps device-read-iops device-write-bps device-write-iops dns dns-option dns-search domainname e env env-file=read entrypoint expose gpus group-add health-cmd health-interval health-retries health-start-period health-timeout h hostname ip ip6 ipc isolation kernel-memory l label label-file link link-local-ip log-driver log-opt mac-address m memory memory-reservation memory-swap memory-swappiness mount name network net network-alias oom-score-adj pid pids-limit platform p publish pull restart runtime security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit u=user user=user userns uts v volume volume-driver volumes-from w workdir pod secret systemd tz umask arch os variant'

const exec: Row = {
  options: 'detach-keys e env env-file=read u=user user=user w workdir index preserve-fds',
  wholeNames: true,
  starts: { own: 1, elsewhere: true, container: containerOf },
}

const compose: Row = {
  options: 'f=read file=read p project-name profile project-directory=names env-file=read parallel progress ansi',
  wholeNames: true,
  operandsLast: true,
  subcommands: {
    exec,
    run: {
      options:
        'e env entrypoint l label name p publish u=user user=user v volume w workdir cap-add cap-drop pull env-from-file',
      wholeNames: true,
      effects: recordMounts,
      starts: { own: 1, elsewhere: true, container: containerOf, view: viewOf },
    },
    'up, down, create, start, stop, restart, kill, pause, unpause, ps, ls, images, logs, top, port, events, stats, version, config, build, pull, push, watch, wait, attach, cp, scale':
      {
        options:
          't timeout rmi s signal scale attach no-attach exit-code-from wait-timeout n tail since until index format filter orderby o output hash protocol build-arg ssh m memory builder',
        wholeNames: true,
      },
    rm: { wholeNames: true },
  },
}

/** Commands of docker that list and show: `-f` is a filter. */
const shown: Row = { options: 'f filter format n last sort since until', wholeNames: true }
/** Commands of docker that end, remove and change what is there: `-f` is force. */
const changes: Row = {
  options:
    'filter t time timeout s signal platform builder keep-storage max-used-space reserved-space min-free-space availability role label-add label-rm',
  wholeNames: true,
}

const docker: Row = {
  options:
    'H host c context config l log-level tlscacert tlscert tlskey connection url root runroot namespace n a address',
  wholeNames: true,
  operandsLast: true,
  subcommands: {
    'exec, container exec': exec,
    'run, create, container run, container create': {
      options: runOptions,
      wholeNames: true,
      operandsLast: true,
      effects: recordMounts,
      starts: startInContainer,
    },
    compose,
    'system service': { options: 't time', operands: 'bind' },
    'build, buildx build, image build, builder build': {
      options:
        'f=read file=read iidfile=write metadata-file=write t tag build-arg build-context target platform secret ssh cache-from cache-to o output progress network label add-host v volume',
      wholeNames: true,
      starts(line, starts) {
        for (const { value } of line.values('secret')) {
          const [, file = ''] = /(?:^|,)(?:src|source)=([^,]+)/.exec(value) ?? []
          if (file !== '' && !fetchesPackages.test(file)) starts.touchOutside(known(file), 'read')
        }
      },
      effects(line, recorder) {
        recordMounts(line, recorder)
        const context = line.operands.at(-1)
        if (context !== undefined && !isUrl(context.value)) recorder.touch(context, 'read', { recursive: true })
      },
    },
    'cp, container cp': {
      effects({ operands: [from, to] }, recorder) {
        if (from !== undefined && !from.value.includes(':')) recorder.touch(from, 'read', { recursive: true })
        if (to !== undefined && !to.value.includes(':')) recorder.touch(to, 'into')
      },
    },
    'save, export, image save, container export': { options: 'o=write output=write' },
    'load, image load': { options: 'i=read input=read platform' },
    'import, image import': { options: 'c change m message platform', first: 'read' },
    'pull, image pull': { network: { kind: 'project', direction: 'receive' } },
    // `login` sends a password.
    login: {
      options: 'u username p password',
      network({ operands: [registry] }) {
        const host = hostOf(registry?.value ?? 'docker.io')
        return { kind: 'project', direction: 'send', ...(host !== undefined && { host }) }
      },
    },
    'push, image push': { network: { kind: 'project', direction: 'send' } },
    'ps, container ls, container list, container ps, images, image ls, image list, volume ls, volume list, network ls, network list, inspect, events, stats, system df, system info, info, version, history':
      shown,
    // `-f` follows.
    'logs, container logs, service logs': { options: 'n tail since until', wholeNames: true },
    'rm, rmi, kill, stop, restart, start, pause, container rm, container remove, container kill, container stop, container prune, image rm, image remove, image prune, volume rm, volume remove, volume delete, volume prune, network rm, network remove, network prune, pod rm, pod prune, builder prune, buildx prune, buildx rm, manifest prune, system prune, system reset, machine rm, machine reset, context rm, trust revoke, swarm leave, service rm, service remove, service scale, secret rm, secret remove, secret delete, config rm, config remove, node rm, node remove, node update, plugin prune, plugin disable, plugin rm, plugin remove, stack rm, stack remove, stack down, kube down':
      changes,
    'stack deploy': { options: 'c compose-file namespace orchestrator resolve-image', wholeNames: true },
  },
}

const inside: Row = {
  options: 'env cwd user=user group mode d working-directory workdir shell uid=user E setenv M machine',
  wholeNames: true,
  starts: { own: 1, elsewhere: true },
}
const onlyExec: Row = { subcommands: { exec: inside } }
const execInContainer: Row = {
  subcommands: { exec: { ...inside, starts: { own: 1, elsewhere: true, container: containerOf } } },
}

const imageFiles = /^(?:Dockerfile|Containerfile|(?:docker-)?compose(?:\.override)?\.ya?ml|docker-bake\.hcl)$/
const imagesObeyed: Obeys = {
  when: /^(?:image |buildx |builder )?(?:build|bud|bake)\b|^compose\b.* (?:up|run|create|start|build)\b|^stack deploy\b/,
  files: imageFiles,
  stdin: (words) => words.at(-1) === '-',
}

const kubectlRow: Row = {
  ...kubectl,
  obeys: { when: /(?:^| )(?:apply|create|replace)\b/ },
  output: setup(/^completion \w+$/),
}

const podmanRow: Row = {
  ...docker,
  obeys: imagesObeyed,
  subcommands: { ...docker.subcommands, unshare: { starts: {} } },
}

const dockerComposeRow: Row = {
  ...compose,
  obeys: { when: /(?:^| )(?:up|run|create|start|build)\b/, files: imageFiles },
}

/** Containers and clusters: mounts, copies and builds, and the commands started in them. */
export const containers: Family = {
  programs: {
    // Containers of this machine mostly run what is tried here.
    docker: {
      ...docker,
      obeys: imagesObeyed,
      output: setup(/^completion \w+$/),
      does: [
        { area: 'containers', ...dockerOfContainersDeeds },
        { area: 'packages', ...manager({ publishes: ['push'] }) },
        { area: 'stages', stage: { named: 'options', isTried: true }, valued: 'e env' },
      ],
      looks: dockerOfContainersLooks,
    },
    nerdctl: {
      ...docker,
      obeys: imagesObeyed,
      output: setup(/^completion \w+$/),
      does: { area: 'containers', ...dockerOfContainersDeeds },
      looks: dockerOfContainersLooks,
    },
    podman: {
      ...podmanRow,
      does: [
        { area: 'containers', ...dockerOfContainersDeeds },
        { area: 'stages', stage: { named: 'options', isTried: true }, valued: 'e env' },
      ],
      looks: dockerOfContainersLooks,
    },
    'podman-remote': { ...podmanRow, does: { area: 'containers', ...dockerOfContainersDeeds } },
    'docker-compose': {
      ...dockerComposeRow,
      does: [
        { area: 'containers', ...composeOfContainersDeeds },
        { area: 'stages', stage: { named: 'options', isTried: true }, valued: 'e env' },
      ],
      looks: composeOfContainersLooks,
    },
    'podman-compose': {
      ...dockerComposeRow,
      does: { area: 'containers', ...composeOfContainersDeeds },
      looks: composeOfContainersLooks,
    },
    kubectl: {
      ...kubectlRow,
      does: [
        { area: 'kubernetes', ...kubectlOfKubernetes },
        { area: 'packages', ...manager({ installs: ['krew install'], sources: ['krew index add'] }) },
        platformStage,
      ],
      looks: kubectlOfContainersLooks,
    },
    k: { ...kubectlRow, does: [{ area: 'kubernetes', ...kubectlOfKubernetes }, platformStage] },
    kubecolor: { ...kubectlRow, does: { area: 'kubernetes', ...kubectlOfKubernetes } },
    oc: {
      ...kubectlRow,
      does: [
        {
          area: 'kubernetes',
          ...kubectlOfKubernetes,
          shows: {
            ...kubectlOfKubernetes.shows,
            'whoami -t|--show-token': { object: 'OpenShift token', names: 'none' },
          },
          also: [
            { ...grants, work: [...(grants.work ?? []), 'adm policy *'] },
            ...applied,
            ...appliesFetched(['new-app http:*|https:*|git@*']),
          ],
          work: [...(kubectlOfKubernetes.work ?? []), 'adm policy *', 'rollback', 'policy remove-user|remove-group'],
          harmless: ['adm policy who-can|scc-review|scc-subject-review'],
          says: {
            ...kubectlOfKubernetes.says,
            rollback: { object: 'deployment' },
            'policy remove-user|remove-group': { kind: 'revoke', object: 'the rights of a user or group' },
          },
        },
        platformStage,
      ],
      looks: kubectlOfContainersLooks,
    },

    k3s: {
      subcommands: { kubectl, crictl: execInContainer },
      does: {
        area: 'kubernetes',
        says: {
          'kubectl delete': { kind: 'delete', objectLast: true },
          kubectl: { kind: 'stop', object: 'node' },
          'etcd-snapshot': { kind: 'delete', object: 'snapshot' },
          server: { kind: 'delete', object: 'all members of the cluster but this one', names: 'none' },
        },
        work: ['kubectl delete|drain|cordon|taint', 'etcd-snapshot delete|prune', 'server --cluster-reset'],
      },
    },

    minikube: {
      output: setup(/^(?:-p \S+ )?(?:docker-env|podman-env|completion)\b/),
      options: 'p profile',
      subcommands: { kubectl, ssh: sshOption('n node', 'command') },
      does: {
        area: 'kubernetes',
        says: {
          delete: { kind: 'delete', object: 'local cluster', names: '-p|--profile' },
          'kubectl delete': { kind: 'delete', objectLast: true },
          'addons disable': { kind: 'stop', object: 'add-on' },
        },
        work: ['delete', 'kubectl delete', 'addons disable'],
      },
      looks: { options: 'p profile', lines: 'status|version|ip|logs; addons|image|node|profile list|ls' },
    },
    buildah: {
      obeys: imagesObeyed,
      subcommands: { unshare: { starts: {} } },
      does: {
        area: 'containers',
        object: 'all containers',
        kind: 'delete',
        names: 'none',
        says: {
          'rmi|prune': { kind: 'delete', object: 'images', names: 'none' },
        },
        work: ['rm --all|-a', 'rmi --all|-a|--force|-f|--prune|-p', 'prune'],
      },
    },
    crictl: {
      ...execInContainer,
      does: {
        area: 'containers',
        kind: 'stop',
        object: 'container',
        says: {
          rmi: { kind: 'delete', object: 'images', names: 'none' },
          'rm|rmp': { kind: 'delete', object: 'containers', names: 'none' },
        },
        work: ['rm --all|-a|--force|-f', 'rmp --all|-a|--force|-f', 'rmi --all|-a|--prune|-q', 'stop', 'stopp'],
      },
      looks: 'ps|pods|images|inspect|inspecti|inspectp|logs|stats|statsp|info|version',
    },
    'lxc incus': { ...onlyExec, does: { area: 'containers', ...lxc } },
    pct: {
      ...onlyExec,
      does: {
        area: 'containers',
        says: {
          destroy: { kind: 'delete', object: 'container, with its disks', thing: 'data', names: 'first' },
          delsnapshot: { kind: 'delete', object: 'snapshot', names: 'last' },
          rollback: { kind: 'rollback', object: 'container', names: 'first' },
          stop: { kind: 'stop', object: 'container' },
        },
        never: ['destroy', 'delsnapshot'],
        work: ['stop', 'rollback'],
      },
    },
    multipass: {
      ...onlyExec,
      does: {
        area: 'containers',
        says: {
          purge: { kind: 'delete', object: 'all deleted virtual machines', names: 'none' },
          delete: { kind: 'delete', object: 'virtual machine' },
        },
        work: ['delete', 'purge'],
      },
    },
    'lxc-attach': {
      options: 'n name s e f rcfile P lxcpath a arch l logpriority o logfile v set-var u uid g gid',
      starts: { elsewhere: true },
    },
    jexec: { options: 'u U d', starts: { own: 1, elsewhere: true } },

    act: { obeys: { looks: 'l list n dryrun', files: /\/\.github\/workflows\/[^/]+\.ya?ml$/ } },
    vagrant: {
      obeys: { when: /^(?:up|provision|reload)\b/, files: /^Vagrantfile$/ },
      subcommands: { ssh: sshOption('p', 'c command') },
      does: {
        area: 'infrastructure-as-code',
        says: {
          destroy: { kind: 'delete', object: 'virtual machine' },
          'box remove': { kind: 'delete', object: 'box' },
          'box prune': { kind: 'delete', object: 'old boxes', names: 'none' },
          'snapshot restore': { kind: 'rollback', object: 'virtual machine', names: 'none' },
          snapshot: { kind: 'delete', object: 'snapshot', names: 'last' },
          plugin: { kind: 'delete', object: 'plugins', names: 'none' },
          'global-status': { kind: 'delete', object: 'stale entries', names: 'none' },
        },
        work: [
          'destroy',
          'box remove|prune',
          'snapshot delete',
          'snapshot restore',
          'plugin uninstall|expunge',
          'global-status --prune',
        ],
      },
      looks: 'status|global-status|port|ssh-config|version|validate; box|plugin|snapshot list',
    },
    limactl: {
      subcommands: { shell: inside },
      does: {
        area: 'containers',
        says: {
          'delete|remove|rm': { kind: 'delete', object: 'virtual machine' },
          'factory-reset': { kind: 'overwrite', object: 'virtual machine' },
          prune: { kind: 'delete', object: 'the cache of images', names: 'none' },
          snapshot: { kind: 'delete', object: 'snapshot of', names: 'first' },
        },
        work: ['delete|remove|rm', 'factory-reset', 'prune', 'snapshot delete', 'disk delete'],
      },
    },
    machinectl: {
      subcommands: { shell: inside },
      does: {
        area: 'system-services',
        kind: 'stop',
        object: 'container',
        says: {
          remove: { kind: 'delete', object: 'machine image', thing: 'data' },
          clean: { kind: 'delete', object: 'unused machine images', names: 'none' },
        },
        never: ['remove', 'clean'],
        work: ['poweroff', 'terminate', 'kill', 'stop'],
      },
    },

    devcontainer: {
      subcommands: {
        exec: {
          options: 'workspace-folder container-id config remote-env id-label',
          starts: { elsewhere: true, container: containerOf },
        },
      },
    },
  },
}

/** Makes the row of a program that runs a script on another machine, given as an option's value or after `--`. */
export function sshOption(valued: string, script: string): Row {
  return {
    options: names(script).reduce((options, name) => `${options} ${name}=script`, valued),
    starts: { dashes: true, joined: true, elsewhere: true, doesMore: true },
  }
}

/** Starts the command of `docker run … IMAGE COMMAND…`, preceded by the value of `--entrypoint`. */
function startInContainer(line: Line, starts: Starts): void {
  const entry = line.value('entrypoint')
  const words = [...(entry === undefined || entry.value === '' ? [] : [entry]), ...line.operands.slice(1)]
  const user = line.value('u', 'user')?.value
  if (words.length > 0 && line.operands.length > 0)
    starts.words(words, {
      elsewhere: true,
      container: containerOf(line),
      ...viewOf(line),
      ...(user !== undefined && { user }),
    })
}

function recordMounts(line: Line, recorder: EffectRecorder): void {
  for (const word of mountsOf(line)) recordMount(word, recorder)
}

const mountsOf = (line: Line) => line.values('v', 'volume', 'mount')

/** Returns the mounts of a container, and the folder that its command starts in. */
function viewOf(line: Line): View {
  const folder = line.value('w', 'workdir')
  return {
    binds: bindsOf(mountsOf(line)),
    ...(folder !== undefined && folder.unresolved !== true && { cwd: folder.value }),
  }
}

/** Records a bind mount, whose folder the container reads, and changes unless it may only read. */
function recordMount(word: ShellWord, recorder: EffectRecorder): void {
  const { here, isReadOnly } = mountOf(word)
  recorder.touch(here, isReadOnly ? 'read' : 'edit', { recursive: true })
}

/** Files with what a build needs to fetch packages. */
const fetchesPackages =
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.netrc|\.pypirc|pip\.conf|auth\.json|settings\.xml|NuGet\.Config)$/i
