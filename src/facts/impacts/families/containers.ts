import type { Call } from '../../../model/calls.ts'
import type { DeedCondition, Deed, Deeds, Family } from '../deeds.ts'
import { appliesFetched } from '../fetched.ts'
import type { LooseLine } from '../../../model/loose-line.ts'

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

const compose: Deeds = {
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
  work: [`run|create|exec ${wide}`, `container run|create|exec ${wide}`],
}

const docker: Deeds = {
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
const lxc: Deeds = {
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

/** `docker rm $(docker ps -aq)`: which containers are meant is not known. */
const programs: Family['programs'] = {
  docker,
  podman: docker,
  nerdctl: docker,
  'podman-remote': docker,
  'docker-compose': compose,
  'podman-compose': compose,
  buildah: { work: ['rm --all|-a', 'rmi --all|-a|--force|-f|--prune|-p', 'prune'] },
  skopeo: { never: ['delete'] },
  crane: { never: ['delete'] },
  regctl: { never: ['tag delete|rm', 'manifest delete|rm', 'image delete|rm', 'blob delete', 'index delete'] },
  reg: { never: ['rm'] },
  oras: { never: ['manifest delete', 'blob delete'] },
  'registry-cli': { never: ['delete'] },
  harbor: { byVerb: 'never' },
  crictl: { work: ['rm --all|-a|--force|-f', 'rmp --all|-a|--force|-f', 'rmi --all|-a|--prune|-q', 'stop', 'stopp'] },
  ctr: {
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
  lxc,
  incus: lxc,
  'lxc-destroy': { never: [''] },
  virsh: {
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
  vboxmanage: {
    never: [
      'unregistervm --delete',
      'closemedium --delete',
      'snapshot * delete',
      'hostonlyif remove',
      'natnetwork remove',
    ],
    work: ['controlvm * poweroff|reset', 'unregistervm'],
  },
  prlctl: { never: ['delete', 'snapshot-delete', 'unregister'] },
  qm: { never: ['destroy', 'delsnapshot', 'template'], work: ['stop', 'reset', 'rollback', 'unlink'] },
  pct: { never: ['destroy', 'delsnapshot'], work: ['stop', 'rollback'] },
  multipass: { work: ['delete', 'purge'] },
  limactl: { work: ['delete|remove|rm', 'factory-reset', 'prune', 'snapshot delete', 'disk delete'] },
  colima: { work: ['delete', 'prune'] },
  wsl: { never: ['--unregister'] },
  toolbox: { work: ['rm --all|-a|--force|-f', 'rmi --all|-a|--force|-f'] },
  distrobox: { work: ['rm'] },
  singularity: { work: ['cache clean'] },
  govc: {
    oneDash: true,
    never: [
      'vm.destroy|datastore.rm|pool.destroy|folder.destroy|object.destroy|snapshot.remove|cluster.rule.remove|disk.rm|library.rm|host.remove',
    ],
    work: ['vm.power --off', 'host.maintenance.enter', 'host.shutdown'],
  },
}

export const containers: Family = { area: 'containers', thing: 'infrastructure', programs }
