import { abstains, asks, definePolicy, denies, type Impact, lineOf, type ShellFacts } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { callAt, judge } from './impacts.ts'

/** As many as a person takes in at a glance. */
const namedMax = 3

/** True if containers are deleted or stopped, or networks deleted. Their volumes are another thing. */
const isOfContainers = ({ kind, thing }: Impact) =>
  (thing === 'container' && (kind === 'delete' || kind === 'stop')) || (thing === 'network' && kind === 'delete')

/** True if a command removes or ends a few containers or networks, each by its name. */
const isOfNamed = ({ names, extent }: Impact): boolean =>
  (extent === 'one' || extent === 'some') && names.length <= namedMax && names.every((name) => /^[\w.-]+$/.test(name))

/** True if the names of the containers come from a listing of those of one name: `docker rm -f $(docker ps -aq -f name=web)`. */
function isOfFilter({ thing, names, extent, by }: Impact, shell: ShellFacts): boolean {
  const { program, args } = callAt(shell, by)
  const listings = args.filter(({ unresolved }) => unresolved === true).flatMap(({ from = [] }) => from)
  return (
    thing === 'container' &&
    names.length === 0 &&
    extent !== 'all' &&
    listings.length > 0 &&
    listings.every((at) => {
      const lister = shell.commands[at]
      const filters = (lister && lineOf(lister))?.values('f', 'filter') ?? []
      return (
        lister?.program === program &&
        lister.args.some(({ value }) => value === 'ps') &&
        filters.some(({ value }) => /^name=\^?\/?[\w-]{3,}/.test(value))
      )
    })
  )
}

export default definePolicy({
  id: 'containers',
  severity: 'high',
  description: 'Keeps volumes, images, stacks and machines from being removed, and asks before containers are',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['containers'] },
  params: {
    ...params,
    allowNamed: {
      type: 'boolean',
      default: false,
      description: 'whether up to three containers or networks may be removed that the command names, without volumes',
    },
  },
  decide: ({ shell, impacts, params: given }) =>
    judge(
      impacts,
      'containers',
      given,
      (impact) => given.allowNamed && isOfContainers(impact) && (isOfNamed(impact) || isOfFilter(impact, shell)),
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
    abstains('COMPOSE_FILE=compose.test.yml docker compose down -v'),
    denies('COMPOSE_FILE=compose.yml:compose.test.yml docker compose down -v'),
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
