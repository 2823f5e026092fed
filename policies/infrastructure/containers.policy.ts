import { abstains, asks, definePolicy, denies, type ShellFacts } from 'hookgate/policy'
import type { Call } from './cli/calls.ts'
import { allowed, answered } from './cli/example.ts'
import { type Cli, type CliTable, judge, params } from './cli/judge.ts'
import type { Line } from './cli/line.ts'

/** `docker compose down` keeps named volumes; with these options it does not. */
const composeVolumes = ['down|rm --volumes|-v', 'down --rmi=all']
const composeEnding = ['kill']

const compose: Cli = { deny: composeVolumes, ask: composeEnding }

const docker: Cli = {
  deny: [
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
  ask: [
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
const lxc: Cli = {
  deny: [
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
const table: CliTable = {
  docker,
  podman: docker,
  nerdctl: docker,
  'podman-remote': docker,
  'docker-compose': compose,
  'podman-compose': compose,
  buildah: { ask: ['rm --all|-a', 'rmi --all|-a|--force|-f|--prune|-p', 'prune'] },
  skopeo: { deny: ['delete'] },
  crane: { deny: ['delete'] },
  regctl: { deny: ['tag delete|rm', 'manifest delete|rm', 'image delete|rm', 'blob delete', 'index delete'] },
  reg: { deny: ['rm'] },
  oras: { deny: ['manifest delete', 'blob delete'] },
  'registry-cli': { deny: ['delete'] },
  harbor: { byVerb: 'deny' },
  crictl: { ask: ['rm --all|-a|--force|-f', 'rmp --all|-a|--force|-f', 'rmi --all|-a|--prune|-q', 'stop', 'stopp'] },
  ctr: {
    valued: 'n a',
    ask: [
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
  'lxc-destroy': { deny: [''] },
  virsh: {
    valued: 'c',
    deny: [
      'undefine',
      'vol-delete',
      'vol-wipe',
      'pool-delete',
      'net-undefine',
      'snapshot-delete',
      'checkpoint-delete',
      'secret-undefine',
    ],
    ask: ['destroy', 'pool-destroy', 'net-destroy', 'pool-undefine', 'reset', 'managedsave-remove'],
  },
  vboxmanage: {
    deny: [
      'unregistervm --delete',
      'closemedium --delete',
      'snapshot * delete',
      'hostonlyif remove',
      'natnetwork remove',
    ],
    ask: ['controlvm * poweroff|reset', 'unregistervm'],
  },
  prlctl: { deny: ['delete', 'snapshot-delete', 'unregister'] },
  qm: { deny: ['destroy', 'delsnapshot', 'template'], ask: ['stop', 'reset', 'rollback', 'unlink'] },
  pct: { deny: ['destroy', 'delsnapshot'], ask: ['stop', 'rollback'] },
  multipass: { ask: ['delete', 'purge'] },
  limactl: { ask: ['delete|remove|rm', 'factory-reset', 'prune', 'snapshot delete', 'disk delete'] },
  colima: { ask: ['delete', 'prune'] },
  wsl: { deny: ['--unregister'] },
  toolbox: { ask: ['rm --all|-a|--force|-f', 'rmi --all|-a|--force|-f'] },
  distrobox: { ask: ['rm'] },
  singularity: { ask: ['cache clean'] },
  govc: {
    oneDash: true,
    deny: [
      'vm.destroy|datastore.rm|pool.destroy|folder.destroy|object.destroy|snapshot.remove|cluster.rule.remove|disk.rm|library.rm|host.remove',
    ],
    ask: ['vm.power --off', 'host.maintenance.enter', 'host.shutdown'],
  },
}

/** As many as a person takes in at a glance. */
const namedMax = 3

/** True if a command removes or ends a few containers or networks by their names, and nothing with them. */
function isOfNamed({ program, args }: Call): boolean {
  if (!/^(?:docker|podman|nerdctl)$/.test(program)) return false
  const texts = args.map(({ value }) => value)
  const verb = /^(?:(?:container )?(?:rm|kill|stop|remove)|network (?:rm|remove))(?= |$)/.exec(texts.join(' '))?.[0]
  if (verb === undefined || args.some(({ unresolved, pattern }) => unresolved === true || pattern !== undefined))
    return false
  const rest = texts.slice(verb.split(' ').length)
  const names = rest.filter((word) => !word.startsWith('-'))
  return (
    rest.every((word) => /^[\w.-]+$/.test(word) && !/^-[a-z]*[val]|^--(?:volumes|all|link|latest)/.test(word)) &&
    names.length > 0 &&
    names.length <= namedMax
  )
}

/** True if the names of the containers come from a listing of those of one name: `docker rm -f $(docker ps -aq -f name=web)`. */
function isOfFilter({ program, args }: Call, { commands }: ShellFacts): boolean {
  const texts = args.map(({ value }) => value)
  if (!/^(?:docker|podman|nerdctl)$/.test(program) || !/^(?:container )?(?:rm|kill|stop|remove) /.test(texts.join(' ')))
    return false
  if (texts.some((word) => /^-[a-z]*[val]|^--(?:volumes|all|link|latest)/.test(word))) return false
  const listings = args.filter(({ unresolved }) => unresolved === true).flatMap(({ from = [] }) => from)
  return (
    listings.length > 0 &&
    listings.every((at) => {
      const { program: lister = '', args: given = [] } = commands[at] ?? {}
      const words = given.map(({ value }) => value)
      return (
        lister === program &&
        words.includes('ps') &&
        words.some((word) => /^(?:--filter=|-f)?name=\^?\/?[\w-]{3,}/.test(word))
      )
    })
  )
}

const valuesOf = ({ options }: Line, ...names: readonly string[]) => names.flatMap((name) => options.get(name) ?? [])

/**
 * True for a project of compose that is for tests by its name, or whose files all are: with another file beside them
 * the volumes of that would go as well.
 */
function isOfTrials(line: Line): boolean {
  if (line.uncertain || (line.words[0]?.text !== 'compose' && line.words[0]?.text !== 'down')) return false
  const files = valuesOf(line, 'f', 'file')
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

export default definePolicy({
  id: 'containers',
  severity: 'high',
  description: 'Keeps volumes, images, stacks and machines from being removed, and asks before containers are',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: Object.keys(table) },
  params: {
    ...params,
    allowNamed: {
      type: 'boolean',
      default: false,
      description: 'whether up to three containers or networks may be removed that the command names, without volumes',
    },
  },
  decide: ({ shell, params: given }) =>
    judge(
      shell,
      table,
      given,
      {
        harm: 'removes containers, images or volumes, with the data that only they hold',
        instead:
          'list what it would affect (`ps -a`, `volume ls`, `system df`), stop or remove the one you made by its name, or have the person run it',
      },
      (line, call) => isOfTrials(line) || (given.allowNamed && (isOfNamed(call) || isOfFilter(call, shell))),
    ),
  examples: [
    denies('docker volume rm shop_pgdata'),
    denies('docker volume prune -f'),
    denies('docker compose -f dev.yaml down -v'),
    denies('docker-compose down --volumes'),
    denies('docker system prune -a --volumes'),
    denies('docker stack rm shop'),
    asks('docker system prune -af'),
    asks('docker rm -f web'),
    abstains('one container, where that is allowed', 'docker rm -f web', { params: { allowNamed: true } }),
    abstains('a network', 'docker network rm app_net', { params: { allowNamed: true } }),
    asks('whatever runs', 'docker rm -f $(docker ps -aq)', { params: { allowNamed: true } }),
    abstains('containers of one name', 'docker rm -f $(docker ps -aq --filter name=web)', {
      params: { allowNamed: true },
    }),
    asks('containers of a kind', 'docker rm -f $(docker ps -aq --filter status=exited)', {
      params: { allowNamed: true },
    }),
    asks('with its volumes', 'docker rm -fv web', { params: { allowNamed: true } }),
    denies('a volume, where containers are allowed', 'docker volume rm data', { params: { allowNamed: true } }),
    asks('many', 'docker kill a b c d', { params: { allowNamed: true } }),
    asks('podman rm -fv web'),
    asks('docker rm $(docker ps -aq)'),
    asks('docker rmi --force shop:1'),
    denies('skopeo delete docker://registry.example.com/shop:1'),
    denies('virsh undefine db --remove-all-storage'),
    abstains('docker compose ps'),
    abstains('docker compose down'),
    abstains('docker compose -p shop-e2e down -v'),
    denies('docker compose -p shop down -v'),
    abstains('docker compose -f compose.test.yml down -v'),
    denies('docker compose -f compose.yml -f compose.test.yml down -v'),
    abstains('its containers alone', 'docker compose rm -fs worker'),
    denies('docker compose rm -fsv worker'),
    abstains('docker inspect prune'),
    abstains('docker volume ls'),
    abstains('docker rm web'),
    abstains('docker run --rm -v data:/data alpine ls'),
    abstains('docker run --name volume alpine prune'),
    abstains('docker system df'),
    abstains('docker volume prune --help'),
    abstains('docker logs -f rm'),
    allowed('docker volume rm shop_pgdata', 'docker'),
    answered('docker volume rm shop_pgdata', 'ask'),
  ],
})
