import {
  imageBuilder,
  liveByVerbs,
  type Deed,
  type DeedCondition,
  type Deeds,
  type Shown,
  appliesFetched,
} from '../deeds/deeds.ts'
import { bindsOf, containerOf, mountOf } from '../mounts.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { setup, type Line, type Obeys, type Row, type View } from '../row.ts'
import type { EffectRecorder } from '../effects.ts'
import type { Starts } from '../starts.ts'
import { manager } from '../deeds/packages.ts'
import { matchesTable, readLook, type Judge, type Table, enters } from '../looks/look.ts'
import type { Call } from '../../../words/calls.ts'
import type { LooseLine } from '../../../words/loose-line.ts'
import { hostOf } from './http.ts'
import { isUrl, known } from '../words.ts'
import type { Family } from '../program.ts'

const runOptions =
  'a add-host annotation attach blkio-weight blkio-weight-device cap-add cap-drop cgroup-parent cgroupns cidfile=write cpu-period cpu-quota cpu-rt-period cpu-rt-runtime c cpu-shares cpus cpuset-cpus cpuset-mems detach-keys device device-cgroup-rule device-read-bps device-read-iops device-write-bps device-write-iops dns dns-option dns-search domainname e env env-file=variables entrypoint expose gpus group-add health-cmd health-interval health-retries health-start-period health-timeout h hostname ip ip6 ipc isolation kernel-memory l label label-file link link-local-ip log-driver log-opt mac-address m memory memory-reservation memory-swap memory-swappiness mount name network net network-alias oom-score-adj pid pids-limit platform p publish pull restart runtime security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit u=user user=user userns uts v volume volume-driver volumes-from w workdir pod secret systemd tz umask arch os variant'

const exec: Row = {
  options: 'detach-keys e env env-file=variables u=user user=user w workdir index preserve-fds',
  wholeNames: true,
  starts: { own: 1, elsewhere: true, container: containerOf },
}

const compose: Row = {
  options: 'f=read file=read p project-name profile project-directory=names env-file=variables parallel progress ansi',
  wholeNames: true,
  operandsLast: true,
  subcommands: {
    exec,
    run: {
      options:
        'e env entrypoint l label name p publish u=user user=user v volume w workdir cap-add cap-drop pull env-from-file',
      wholeNames: true,
      effects: recordMounts,
      operandsLast: true,
      starts: startInContainer,
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

/** A container that is given a terminal and, as far as one sees, no command, and one whose terminal is taken over. */
export const terminalOfContainer =
  /^(?:(?! (?:run|create|debug|attach) ) \S+)* (?:attach |(?:run|create|debug)(?:(?=.* -(?=[a-z]*i)(?=[a-z]*t)[a-z]+(?: |$))|(?=.* (?:-i|--i\w*|--stdin)(?: |$))(?=.* (?:-t|--t\w*)(?: |$))))/

const docker: Row = {
  typed: terminalOfContainer,
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
      options: 'u username p password +password-stdin',
      network({ operands: [registry], surely }) {
        const host = hostOf(registry?.value ?? 'docker.io')
        return {
          kind: 'project',
          direction: 'send',
          ...(host !== undefined && { host }),
          ...(surely('password-stdin') && { login: true }),
        }
      },
    },
    'push, image push': {
      network({ operands: [image] }) {
        const [, host] = registryBefore.exec(image?.value ?? '') ?? []
        const there = host !== undefined && image !== undefined && { host, url: `https://${image.value}` }
        return { kind: 'project', direction: 'send', ...there }
      },
    },
    'ps, container ls, container list, container ps, images, image ls, image list, volume ls, volume list, network ls, network list, inspect, events, stats, system df, system info, info, version, history':
      shown,
    // `-f` follows.
    'logs, container logs, service logs': { options: 'n tail since until', wholeNames: true },
    'rm, rmi, kill, stop, restart, start, pause, container rm, container remove, container kill, container stop, container prune, image rm, image remove, image prune, volume rm, volume remove, volume delete, volume prune, network rm, network remove, network prune, pod rm, pod prune, builder prune, buildx prune, buildx rm, manifest prune, system prune, system reset, machine rm, machine reset, context rm, trust revoke, swarm leave, service rm, service remove, service scale, secret rm, secret remove, secret delete, config rm, config remove, node rm, node remove, node update, plugin prune, plugin disable, plugin rm, plugin remove, stack rm, stack remove, stack down, kube down':
      changes,
    'stack deploy': { options: 'c compose-file namespace orchestrator resolve-image', wholeNames: true },
  },
}

/** Matches the registry in an image's name, which is a host: `ghcr.io/acme/app`. */
const registryBefore = /^((?:[\w-]+\.)+[\w-]+)(?::\d+)?\//

const imageFiles = /^(?:Dockerfile|Containerfile|(?:docker-)?compose(?:\.override)?\.ya?ml|docker-bake\.hcl)$/

export const imagesObeyed: Obeys = {
  when: /^(?:image |buildx |builder )?(?:build|bud|bake)\b|^compose\b.* (?:up|run|create|start|build)\b|^stack deploy\b/,
  files: imageFiles,
  stdin: (words) => words.at(-1) === '-',
}

const podmanClient: Row = {
  ...docker,
  obeys: imagesObeyed,
  subcommands: { ...docker.subcommands, unshare: { starts: {} } },
}

const composeClient: Row = {
  ...compose,
  obeys: { when: /(?:^| )(?:up|run|create|start|build)\b/, files: imageFiles },
}

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
  /(?:^|[/._-])(?:e2e|tests?|testing|ci|integration)(?:[._-][\w.-]{0,80})?\.ya?ml$|(?:^|\/)(?:e2e|tests?|__tests__|fixtures)\/(?:[\w.-]{1,80}\/){0,9}[\w.-]{1,80}\.ya?ml$/i

const isInUse: DeedCondition = (call, line) => !isOfTrials(line, call)

/** `docker compose down` keeps named volumes; with these options it does not. */
const composeVolumes = ['down|rm --volumes|-v', 'down --rmi=all']

const addresses = '-f~://|-f~git@|--file~://|--file~git@'

const composeSays: NonNullable<Deed['says']> = {
  'down --volumes|-v': {
    kind: 'delete',
    thing: 'data',
    object: 'the volumes of the project, with their data',
    optional: true,
  },
  'down --rmi=all': { kind: 'delete', object: 'the images of the project', optional: true },
  'rm --volumes|-v': { kind: 'delete', thing: 'data', object: 'containers, with their volumes', optional: true },
  kill: { kind: 'stop', thing: 'container', object: 'containers of the project' },
}

const composeDeeds: Deeds = {
  says: composeSays,
  names: 'none',
  also: appliesFetched([`up|run|create|start ${addresses}`], ['up|run|create|start -f=-|--file=-']),
  when: isInUse,
  never: composeVolumes,
  work: ['kill'],
}

/** Options that give a container control of its host. */
const wide =
  '--privileged|--pid=host|--userns=host|--cap-add=all|--cap-add~sys_admin|--cap-add~sys_ptrace|--cap-add~sys_module|--security-opt~unconfined|--security-opt~label=disable|--device~/dev/sd|--device~/dev/nvme|--device~/dev/mem|--device~/dev/kmem'

/** The variables of a container: of a description, the format or the next program picks them. */
const ofContainer: Shown = {
  object: 'the variables of',
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

const dockerDeeds: Deeds = {
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
    'container prune': { object: 'all stopped containers', thing: 'container' },
    'image prune': { object: 'unused images', thing: 'package' },
    'network prune': { object: 'unused networks', thing: 'network' },
    'builder|buildx prune': { object: 'the cache of builds' },
    'scout cache': { object: 'the cache of scans' },
    'plugin|manifest|pod prune': { object: 'unused parts' },
    'buildx rm': { object: 'builder' },
    'container kill': { kind: 'stop', object: 'container', thing: 'container' },
    'container rm|remove --volumes|-v': { object: 'container, with its volumes', thing: 'data' },
    'container rm|remove': { object: 'container', thing: 'container' },
    'rm --volumes|-v': { object: 'container, with its volumes', thing: 'data' },
    'rm --all|-a': { object: 'all containers', thing: 'container' },
    rm: { object: 'container', thing: 'container' },
    'image rm|remove': { object: 'image', thing: 'package' },
    'rmi --all|-a': { object: 'all images', thing: 'package' },
    rmi: { object: 'image', thing: 'package' },
    'stop --all|-a': { kind: 'stop', object: 'all containers', thing: 'container' },
    'kill|stop': { kind: 'stop', object: 'container', thing: 'container' },
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
    {
      kind: 'grant',
      thing: 'machine',
      object: 'container',
      names: 'first',
      work: [`run|create|exec ${wide}`, `container run|create|exec ${wide}`],
    },
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

/** Commands of `docker compose` that only look. `config` needs an option that shows a part: all of it has variables. */
const composeLooks: Table = {
  options:
    'f file p project-name profile env-file project-directory parallel ansi progress H host context c +verbose +compatibility +D +debug',
  lines: `
    ps|logs|ls|images|top|port|version|events|stats|volumes|help !-o|--output
    config|convert --services|--images|--volumes|--networks|--profiles|--hash|--quiet|-q|--no-interpolate !--environment|-o|--output|--lock-image-digests`,
}

const engine: Table = {
  options:
    'H host context c config log-level l tlscacert tlscert tlskey connection url +D +debug +tls +tlsverify +remote +r',
  lines: `
    ps|images|inspect|logs|port|stats|top|version|info|events|history|diff|search
    container ls|list|ps|inspect|logs|port|stats|top|diff|exists
    image ls|list|inspect|history|exists|tree|search
    volume|network|plugin|secret|config|node|service|stack|context|machine|pod|manifest ls|list|ps|inspect|exists
    network|volume|pod|kube inspect
    service|stack|node logs|ps|services|tasks
    stack services
    context show
    system df|info|events|connection
    system connection list|ls ..0
    pod ps|stats|top|logs
    manifest inspect
    trust inspect
    buildx ls|inspect|du|version !--bootstrap
    buildx imagetools inspect
    run|exec --help [] ..0
    help`,
}

/** Judges `docker`. Options may stand between `docker` and `compose`. */
const dockerLooks: Judge = (look) => {
  const at = look.args.findIndex(({ value }) => value === 'compose')
  const before = look.args.slice(0, at)
  if (at !== -1 && readLook(before, 'H host context c l log-level').operands.length === 0)
    return matchesTable({ ...look, args: look.args.slice(at + 1) }, composeLooks)
  // Options that write a file, and formats that show the variables of a container.
  return !look.args.some(({ value }) => /^--[ci]idfile|\.Env\b/.test(value)) && matchesTable(look, engine)
}
/** Containers of this machine mostly run what is tried here. */
const triedStage: Deeds = { area: 'stages', stage: { named: 'options', isTried: true }, valued: 'e env' }

/** Docker, what takes its place, and compose: mounts, copies and builds, and the commands started in containers. */
export const dockerLike: Family['programs'] = {
  docker: {
    shared: true,
    saysWhatChanges: true,
    ...docker,
    obeys: imagesObeyed,
    output: setup(/^completion \w+$/),
    does: [
      dockerDeeds,
      { area: 'packages', ...manager({ publishes: ['push'] }) },
      triedStage,
      liveByVerbs(),
      imageBuilder,
    ],
    looks: [dockerLooks, enters('exec; compose exec')],
    namesSecrets: true,
  },
  // `container` is Apple's.
  'nerdctl nerdctl.lima finch container': {
    saysWhatChanges: true,
    ...docker,
    obeys: imagesObeyed,
    output: setup(/^completion \w+$/),
    does: [dockerDeeds, imageBuilder],
    looks: [dockerLooks, enters('exec; compose exec')],
  },
  podman: {
    saysWhatChanges: true,
    ...podmanClient,
    does: [dockerDeeds, triedStage, liveByVerbs(), imageBuilder],
    looks: [dockerLooks, enters('exec; compose exec')],
    namesSecrets: true,
  },
  'podman-remote balena-engine': {
    saysWhatChanges: true,
    ...podmanClient,
    does: [dockerDeeds, imageBuilder],
  },
  'docker-compose': {
    ...composeClient,
    does: [composeDeeds, triedStage, imageBuilder],
    looks: [composeLooks, enters('exec')],
  },
  'podman-compose': {
    ...composeClient,
    does: [composeDeeds, imageBuilder],
    looks: [composeLooks, enters('exec')],
  },
}

/** Starts the command of `docker run … IMAGE COMMAND…`, preceded by the value of `--entrypoint`. */
function startInContainer(line: Line, starts: Starts): void {
  const [image, ...own] = line.operands
  const entry = line.value('entrypoint')
  const words = [...(entry === undefined ? clientOf(image, own, starts) : entry.value === '' ? [] : [entry]), ...own]
  const user = line.value('u', 'user')?.value
  if (words.length > 0 && line.operands.length > 0)
    starts.words(words, {
      elsewhere: true,
      container: containerOf(line),
      ...viewOf(line),
      ...(user !== undefined && { user }),
    })
}

/**
 * Returns the client that an image is made for, whose words follow without its name: `docker run amazon/aws-cli s3 ls`. An
 * image for anything is given a program.
 */
function clientOf(
  image: ShellWord | undefined,
  words: readonly ShellWord[],
  { areProgram }: Starts,
): readonly ShellWord[] {
  const [, name = ''] = /(?:^|\/)([\w-]+)(?::[^/]*)?(?:@[^/]*)?$/.exec(image?.value ?? '') ?? []
  const client = [name, name.replace(/-cli$/, '')].map(known).find((one) => areProgram([one]))
  return client === undefined || areProgram(words) ? [] : [client]
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
