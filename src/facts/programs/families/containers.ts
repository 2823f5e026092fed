import type { Family } from '../program.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import { hostOf } from './http.ts'
import { kubectl } from './kubectl.ts'
import { isUrl } from '../looks.ts'
import { type Line, type Obeys, type Row, setup, type View } from '../row.ts'
import { bindsOf, containerOf, mountOf, sharedHome } from './mounts.ts'
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

/** Containers and clusters: mounts, copies and builds, and the commands started in them. */
export const containers: Family = {
  programs: {
    'docker nerdctl': { ...docker, obeys: imagesObeyed, output: setup(/^completion \w+$/) },
    'podman podman-remote': {
      ...docker,
      obeys: imagesObeyed,
      subcommands: { ...docker.subcommands, unshare: { starts: {} } },
    },
    'docker-compose podman-compose': {
      ...compose,
      obeys: { when: /(?:^| )(?:up|run|create|start|build)\b/, files: imageFiles },
    },
    'kubectl oc k kubecolor': {
      ...kubectl,
      obeys: { when: /(?:^| )(?:apply|create|replace)\b/ },
      output: setup(/^completion \w+$/),
    },
    kind: { output: setup(/^completion \w+$/) },
    'docker-machine': { output: setup(/^env\b/) },
    k3s: { subcommands: { kubectl, crictl: execInContainer } },
    microk8s: { subcommands: { kubectl } },
    minikube: {
      output: setup(/^(?:-p \S+ )?(?:docker-env|podman-env|completion)\b/),
      options: 'p profile',
      subcommands: { kubectl, ssh: sshOption('n node', 'command') },
    },
    buildah: { obeys: imagesObeyed, subcommands: { unshare: { starts: {} } } },
    crictl: execInContainer,
    'lxc incus pct multipass': onlyExec,
    'lxc-attach': {
      options: 'n name s e f rcfile P lxcpath a arch l logpriority o logfile v set-var u uid g gid',
      starts: { elsewhere: true },
    },
    jexec: { options: 'u U d', starts: { own: 1, elsewhere: true } },
    packer: { obeys: { when: /^(?:build|init)\b/ } },
    act: { obeys: { looks: 'l list n dryrun', files: /\/\.github\/workflows\/[^/]+\.ya?ml$/ } },
    vagrant: {
      obeys: { when: /^(?:up|provision|reload)\b/, files: /^Vagrantfile$/ },
      subcommands: { ssh: sshOption('p', 'c command') },
    },
    'limactl machinectl': { subcommands: { shell: inside } },
    colima: { subcommands: { ssh: { starts: { dashes: true, elsewhere: true } } } },
    devcontainer: {
      subcommands: {
        exec: {
          options: 'workspace-folder container-id config remote-env id-label',
          starts: { elsewhere: true, container: containerOf },
        },
      },
    },
    distrobox: { subcommands: { enter: { starts: { dashes: true, elsewhere: true, view: sharedHome } } } },
    toolbox: { subcommands: { run: { options: 'c container d distro r release', starts: {} } } },
    // A Linux distribution (wsl) or a device (adb), whose own shell gets the words.
    wsl: { options: 'd distribution u user cd shell-type system', wholeNames: true, starts: { joined: 'e exec' } },
    adb: {
      options: 's t H P L',
      subcommands: { shell: { options: 'e', starts: { joined: true, elsewhere: true, doesMore: true } } },
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
