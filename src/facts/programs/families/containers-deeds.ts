import { never, settings, work } from './windows.ts'
import { sharedHome } from './mounts.ts'
import type { Family } from '../program.ts'
import type { Call } from '../../../words/calls.ts'
import type { DeedCondition, Deed, Deeds, Shown } from '../deeds/deeds.ts'
import { appliesFetched } from '../deeds/fetched.ts'
import type { LooseLine } from '../../../words/loose-line.ts'

const valuesOf = ({ options }: LooseLine, ...names: readonly string[]) =>
  names.flatMap((name) => options.get(name) ?? [])

/**
 * True for a project of compose that is for tests by its name, or whose files all are: with another file beside them
 * the volumes of that would go as well.
 */
function isOfTrials(line: LooseLine, { environment }: Call): boolean {
  if (line.uncertain || (line.words[0]?.text !== 'compose' && line.words[0]?.text !== 'down')) return false
  const given = valuesOf(line, 'f', 'file')
  const named = environment.findLast(({ name }) => name === 'COMPOSE_FILE')?.value.value.split(':') ?? []
  const files = given.length > 0 ? given : named
  return (
    valuesOf(line, 'p', 'project-name').some((name) =>
      /(?:^|[-_])(?:e2e|tests?|ci|tmp|throwaway)(?:$|[-_])/i.test(name),
    ) ||
    // Images of others go as well with `--rmi all`.
    (files.length > 0 &&
      !valuesOf(line, 'rmi').includes('all') &&
      files.every((file) => trialFile.test(file) && !/prod|live(?![a-z])/i.test(file)))
  )
}

/** `compose.test.yml`, `tests/docker-compose.yml`: by the name, or by the folder that it stands in. */
const trialFile =
  /(?:^|[/._-])(?:e2e|tests?|testing|ci|integration)(?:[._-][\w.-]*)?\.ya?ml$|(?:^|\/)(?:e2e|tests?|__tests__|fixtures)\/(?:[\w.-]+\/)*[\w.-]+\.ya?ml$/i

const isInUse: DeedCondition = (call, line) => !isOfTrials(line, call)

/** `docker compose down` keeps named volumes; with these options it does not. */
const composeVolumes = ['down|rm --volumes|-v', 'down --rmi=all']

const composeEnding = ['kill']

const addresses = '-f~://|-f~git@|--file~://|--file~git@'

const composeSays: NonNullable<Deed['says']> = {
  'down --volumes|-v': {
    kind: 'delete',
    thing: 'data',
    object: 'the volumes of the project, with their data',
    trial: '--dry-run',
  },
  'down --rmi=all': { kind: 'delete', object: 'the images of the project', trial: '--dry-run' },
  'rm --volumes|-v': { kind: 'delete', thing: 'data', object: 'containers, with their volumes', trial: '--dry-run' },
  kill: { kind: 'stop', object: 'containers of the project' },
}

export const compose: Deeds = {
  says: composeSays,
  names: 'none',
  also: appliesFetched([`up|run|create|start ${addresses}`], ['up|run|create|start -f=-|--file=-']),
  when: isInUse,
  never: composeVolumes,
  work: composeEnding,
}

/** Options that give a container control of its host. */
const wide = [
  '--privileged', '--pid=host', '--userns=host', '--cap-add=all', '--cap-add~sys_admin', '--cap-add~sys_ptrace',
  '--cap-add~sys_module', '--security-opt~unconfined', '--security-opt~label=disable', '--device~/dev/sd',
  '--device~/dev/nvme', '--device~/dev/mem', '--device~/dev/kmem',
].join('|') // prettier-ignore

const grants: Deed = {
  kind: 'grant',
  thing: 'machine',
  object: 'container',
  names: 'first',
  work: [`run|create|exec ${wide}`, `container run|create|exec ${wide}`],
}

/** The variables of a container: of a description, the format or the next program picks them. */
const ofContainer: Shown = {
  object: 'the variables of a container',
  names: 'none',
  thing: 'variable',
  when: ({ at }, line, { commands, flows }) =>
    valuesOf(line, 'f', 'format').some((format) =>
      /^(?:(?!\{\{).)*\{\{.*(?:\.Env\b|\.Config\s*\}\}|json \.Config\b(?!\.))/m.test(format),
    ) ||
    flows.some(
      ({ from, to, via }) =>
        from === at && via === 'pipe' && commands[to]?.args.some(({ value }) => /\bEnv\b/.test(value)) === true,
    ),
}

export const docker: Deeds = {
  shows: {
    inspect: ofContainer,
    'container inspect': ofContainer,
    'compose config --environment': { object: 'the variables of a container', names: 'none', thing: 'variable' },
  },
  says: {
    ...Object.fromEntries(
      Object.entries(composeSays).map(([pattern, saying]) => [
        `compose ${pattern}`,
        { ...saying, names: 'none' as const },
      ]),
    ),
    'system prune --volumes': { object: 'unused containers, images and volumes, with their data', thing: 'data' },
    'system prune': { object: 'unused containers, networks and images' },
    'system reset': { object: 'all containers, images and volumes', thing: 'data' },
    'volume prune': { object: 'unused volumes, with their data', thing: 'data' },
    'volume rm|remove|delete': { object: 'volume, with its data', thing: 'data' },
    'container prune': { object: 'all stopped containers' },
    'image prune': { object: 'unused images' },
    'network prune': { object: 'unused networks', thing: 'network' },
    'builder|buildx prune': { object: 'the cache of builds' },
    'scout cache': { object: 'the cache of scans' },
    'plugin|manifest|pod prune': { object: 'unused parts' },
    'buildx rm': { object: 'builder' },
    'container kill': { kind: 'stop', object: 'container' },
    'container rm|remove': { object: 'container' },
    'rm --all|-a': { object: 'all containers' },
    rm: { object: 'container' },
    'image rm|remove': { object: 'image' },
    'rmi --all|-a': { object: 'all images' },
    rmi: { object: 'image' },
    'stop --all|-a': { kind: 'stop', object: 'all containers' },
    'kill|stop': { kind: 'stop', object: 'container' },
    'swarm leave': { kind: 'stop', object: 'this node of the swarm', names: 'none' },
    'service scale': { kind: 'change', object: 'service' },
    'node update': { kind: 'stop', object: 'node' },
    'hub *': { names: 'last' },
    'trust revoke': { kind: 'revoke', object: 'the signature of', thing: 'guard' },
    'kube down': { kind: 'delete', object: 'what the manifest describes', names: 'none' },
    'play kube': { kind: 'delete', object: 'what the manifest describes', names: 'none' },
    'machine rm': { object: 'virtual machine', thing: 'data' },
    'machine reset': { object: 'all virtual machines', names: 'none' },
    'desktop *': { object: 'Docker, with everything in it' },
    'stack rm|remove|down': { kind: 'delete', object: 'stack' },
  },
  when: isInUse,
  also: [
    grants,
    ...appliesFetched(
      [
        `compose up|run|create|start ${addresses}`,
        'stack deploy -c~://|--compose-file~://',
        'kube play http:*|https:*',
        'play kube http:*|https:*',
      ],
      ['compose up|run|create|start -f=-|--file=-', 'stack deploy -c=-|--compose-file=-'],
    ),
  ],
  never: [
    'system prune --volumes',
    'volume prune|rm|remove',
    ...composeVolumes.map((one) => `compose ${one}`),
    'stack rm|remove|down',
    'service rm|remove',
    'swarm leave --force|-f',
    'swarm leave',
    'secret rm|remove',
    'config rm|remove',
    'node rm|remove',
    'system reset',
    'machine rm|reset',
    'hub * delete|rm',
    'trust revoke',
    'context rm --force|-f',
    'pod rm|prune',
    'volume delete',
  ],
  work: [
    'system prune',
    'container|image|network|builder|buildx|plugin|manifest prune',
    'buildx rm',
    'rm --force|-f|--volumes|-v|--all|-a',
    'container rm|remove --force|-f|--volumes|-v|--all|-a',
    'rmi --force|-f|--all|-a',
    'image rm|remove --force|-f|--all|-a',
    'network rm|remove',
    'kill',
    'stop --all|-a',
    'container kill',
    'compose kill',
    'service scale',
    'node update --availability=drain',
    'plugin disable|rm|remove',
    'kube down',
    'play kube --down',
    'secret delete',
    'desktop uninstall|reset',
    'scout cache prune',
    'model rm',
  ],
}

/** LXD and its fork Incus. */
export const lxc: Deeds = {
  says: {
    delete: { object: 'container, with its disk', thing: 'data' },
    'storage volume': { object: 'volume', names: 'last' },
    'storage delete': { object: 'storage pool', thing: 'data' },
    cluster: { object: 'member of the cluster' },
    snapshot: { object: 'snapshot', names: 'last' },
  },
  never: [
    'delete',
    'storage delete',
    'storage volume delete',
    'snapshot delete',
    'network delete',
    'profile delete',
    'image delete',
    'project delete',
    'cluster remove',
  ],
}

const skopeoContainers: Deeds = { kind: 'delete', object: 'image', thing: 'package', never: ['delete'] }

/** `docker rm $(docker ps -aq)`: which containers are meant is not known. */
const programs: Family['programs'] = {
  skopeo: { does: skopeoContainers, looks: 'inspect|list-tags' },
  crane: { does: skopeoContainers, looks: 'ls|manifest|digest|config|catalog|version' },
  'registry-cli': { does: skopeoContainers },
  regctl: {
    does: {
      says: {
        '* delete|rm': { kind: 'delete', object: 'image', thing: 'package', names: 'last' },
      },
      never: ['tag delete|rm', 'manifest delete|rm', 'image delete|rm', 'blob delete', 'index delete'],
    },
  },
  reg: {
    does: [
      { kind: 'delete', object: 'image', thing: 'package', never: ['rm'] },
      {
        area: 'windows',
        also: [
          never(/^delete .*(?:hklm|hkey_local_machine|hkcr|hkcu\\software(?: |$))/i, { ...settings, kind: 'delete' }),
          work(/^(?:delete|import|unload)/i, settings),
        ],
      },
    ],
  },
  oras: {
    does: {
      says: {
        '* delete|rm': { kind: 'delete', object: 'image', thing: 'package', names: 'last' },
      },
      never: ['manifest delete', 'blob delete'],
    },
  },
  harbor: { does: { byVerb: 'never' } },

  ctr: {
    does: {
      says: {
        tasks: { kind: 'stop', object: 'container' },
        'images|image|i': { kind: 'delete', object: 'image' },
        'containers|c|container': { kind: 'delete', object: 'container' },
        'namespaces|ns': { kind: 'delete', object: 'namespace' },
        content: { kind: 'delete', object: 'content' },
      },
      valued: 'n a',
      work: [
        'images|image|i rm|remove|delete|prune',
        'containers|c|container rm|delete|remove',
        'namespaces|ns rm|remove',
        'content rm|prune',
        'snapshots rm',
        'tasks kill|rm',
      ],
    },
    looks: {
      options: 'n namespace a address',
      lines: 'containers|c|images|i|tasks|t|namespaces|ns|snapshots ls|list|info; version',
    },
  },

  'lxc-destroy': {
    does: { kind: 'delete', object: 'container, with its disk', names: '--name|-n', thing: 'data', never: [''] },
  },
  virsh: {
    does: {
      says: {
        undefine: { kind: 'delete', object: 'virtual machine' },
        'vol-*': { kind: 'delete', object: 'volume', names: 'first' },
        'pool-delete|pool-undefine': { kind: 'delete', object: 'storage pool' },
        'pool-destroy': { kind: 'stop', object: 'storage pool' },
        'net-destroy': { kind: 'stop', object: 'network' },
        'net-undefine': { kind: 'delete', object: 'network' },
        'snapshot-delete|checkpoint-delete': { kind: 'delete', object: 'snapshot', names: 'last' },
        'secret-undefine': { kind: 'delete', object: 'secret' },
        'managedsave-remove': { kind: 'delete', object: 'the saved state of', thing: 'data' },
        reset: { kind: 'restart', object: 'virtual machine' },
        destroy: { kind: 'stop', object: 'virtual machine' },
      },
      valued: 'c',
      never: [
        'undefine',
        'vol-delete',
        'vol-wipe',
        'pool-delete',
        'net-undefine',
        'snapshot-delete',
        'checkpoint-delete',
        'secret-undefine',
      ],
      work: ['destroy', 'pool-destroy', 'net-destroy', 'pool-undefine', 'reset', 'managedsave-remove'],
    },
  },
  vboxmanage: {
    does: {
      says: {
        closemedium: { kind: 'delete', object: 'disk', names: 'last' },
        snapshot: { kind: 'delete', object: 'snapshot', names: 'last' },
        'hostonlyif|natnetwork': { kind: 'delete', object: 'network', names: 'last' },
        controlvm: { kind: 'stop', object: 'virtual machine', names: 'none' },
        unregistervm: { kind: 'delete', object: 'virtual machine' },
      },
      never: [
        'unregistervm --delete',
        'closemedium --delete',
        'snapshot * delete',
        'hostonlyif remove',
        'natnetwork remove',
      ],
      work: ['controlvm * poweroff|reset', 'unregistervm'],
    },
  },
  prlctl: {
    does: {
      kind: 'delete',
      object: 'virtual machine',
      names: 'first',
      says: {
        'snapshot-delete': { kind: 'delete', object: 'snapshot of', names: 'first' },
      },
      never: ['delete', 'snapshot-delete', 'unregister'],
    },
  },
  qm: {
    does: {
      says: {
        destroy: { kind: 'delete', object: 'virtual machine, with its disks', thing: 'data', names: 'first' },
        delsnapshot: { kind: 'delete', object: 'snapshot', names: 'last' },
        rollback: { kind: 'rollback', object: 'virtual machine', names: 'first' },
        stop: { kind: 'stop', object: 'virtual machine' },
        reset: { kind: 'restart', object: 'virtual machine' },
        'template|unlink': { kind: 'change', object: 'virtual machine', names: 'first' },
      },
      never: ['destroy', 'delsnapshot', 'template'],
      work: ['stop', 'reset', 'rollback', 'unlink'],
    },
  },

  colima: {
    subcommands: { ssh: { starts: { dashes: true, elsewhere: true } } },
    does: {
      says: {
        delete: { kind: 'delete', object: 'the virtual machine of containers, with its data', names: 'none' },
        prune: { kind: 'delete', object: 'the cache of images', names: 'none' },
      },
      work: ['delete', 'prune'],
    },
  },
  // A Linux distribution (wsl) or a device (adb), whose own shell gets the words.
  wsl: {
    options: 'd distribution u user cd shell-type system',
    wholeNames: true,
    starts: { joined: 'e exec' },
    does: {
      kind: 'delete',
      object: 'Linux distribution, with its files',
      names: '--unregister',
      thing: 'data',
      never: ['--unregister'],
    },
  },
  toolbox: {
    subcommands: { run: { options: 'c container d distro r release', starts: {} } },
    does: {
      kind: 'delete',
      object: 'containers',
      names: 'none',
      says: {
        rmi: { kind: 'delete', object: 'images', names: 'none' },
      },
      work: ['rm --all|-a|--force|-f', 'rmi --all|-a|--force|-f'],
    },
  },
  distrobox: {
    subcommands: { enter: { starts: { dashes: true, elsewhere: true, view: sharedHome } } },
    does: { kind: 'delete', object: 'container', work: ['rm'] },
  },

  govc: {
    does: {
      kind: 'delete',
      names: 'last',
      says: {
        'vm.power': { kind: 'stop', object: 'virtual machine', names: 'last' },
        'host.maintenance.enter|host.shutdown': { kind: 'stop', object: 'host', names: 'last' },
        'datastore.rm': { kind: 'delete', object: 'file of a datastore', thing: 'data', names: 'last' },
      },
      oneDash: true,
      never: [
        'vm.destroy|datastore.rm|pool.destroy|folder.destroy|object.destroy|snapshot.remove|cluster.rule.remove|disk.rm|library.rm|host.remove',
      ],
      work: ['vm.power --off', 'host.maintenance.enter', 'host.shutdown'],
    },
  },
}

export const containers: Family = {
  area: 'containers',

  programs,
  examples: {
    "docker inspect -f '{{json .Config.Env}}' web": 'shows the variables of a container',
    "docker inspect web | jq '.[0].Config.Env'": 'shows the variables of a container',
    'docker inspect web': '',
    'docker volume rm shop_pgdata': 'deletes volume `shop_pgdata`, with its data, for good',
    'docker volume prune -f': 'deletes unused volumes, with their data, for good',
    'docker compose -f dev.yaml down -v': 'deletes the volumes of the project, with their data, for good',
    'docker compose down': '',
    'docker system prune -af --volumes': 'deletes unused containers, images and volumes, with their data, for good',
    'docker system prune -af': 'deletes unused containers, networks and images',
    'docker rm -f web': 'deletes container `web`',
    'docker rmi --force shop:1': 'deletes image `shop:1`',
    'docker stack rm shop': 'deletes stack `shop`, for good',
    'docker run --privileged -it alpine sh': 'grants rights to container `alpine`',
    'docker compose kill': 'stops containers of the project',
    'docker-compose down --volumes': 'deletes the volumes of the project, with their data, for good',
    'podman kube play https://a.example/pod.yaml': 'runs a manifest',
    'docker ps -a': '',
    'skopeo delete docker://registry.example.com/shop:1':
      'deletes image `docker://registry.example.com/shop:1`, for good',
    'virsh undefine db --remove-all-storage': 'deletes virtual machine `db`, for good',
    'virsh destroy db': 'stops a virtual machine',
    'lxc delete web': 'deletes container `web`, with its disk, for good',
    'qm destroy 100': 'deletes virtual machine `100`, with its disks, for good',
    'pct stop 101': 'stops container `101`',
    'multipass delete dev': 'deletes virtual machine `dev`',
    'wsl --unregister Ubuntu': 'deletes Linux distribution `Ubuntu`, with its files, for good',
    'vboxmanage controlvm web poweroff': 'stops a virtual machine',
    'crictl rmi --prune': 'deletes images',
    'ctr images rm shop:1': 'deletes image `shop:1`',
    'limactl factory-reset dev': 'overwrites virtual machine `dev`',
    'govc vm.destroy web': 'deletes virtual machine `web`, for good',
    'regctl tag delete registry.example.com/shop:1': 'deletes image `registry.example.com/shop:1`, for good',
    'colima delete': 'deletes the virtual machine of containers, with its data',
    'prlctl delete web': 'deletes virtual machine `web`, for good',
  },
}
