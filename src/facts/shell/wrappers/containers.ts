import { readOptions } from '../../../model/options.ts'
import type { Unwrap } from '../unwrap.ts'
import { prefix } from './prefix.ts'
import { subcommands } from './subcommands.ts'
import { behindDashes, joined, names } from './words.ts'

const runOptions =
  names(`a add-host annotation attach blkio-weight blkio-weight-device cap-add cap-drop cgroup-parent cgroupns
  cidfile cpu-period cpu-quota cpu-rt-period cpu-rt-runtime c cpu-shares cpus cpuset-cpus cpuset-mems detach-keys device
  device-cgroup-rule device-read-bps device-read-iops device-write-bps device-write-iops dns dns-option dns-search
  domainname e env env-file entrypoint expose gpus group-add health-cmd health-interval health-retries
  health-start-period health-timeout h hostname ip ip6 ipc isolation kernel-memory l label label-file link
  link-local-ip log-driver log-opt mac-address m memory memory-reservation memory-swap memory-swappiness mount name
  network net network-alias oom-score-adj pid pids-limit platform p publish pull restart runtime security-opt shm-size
  stop-signal stop-timeout storage-opt sysctl tmpfs ulimit u user userns uts v volume volume-driver volumes-from w
  workdir pod secret systemd tz umask arch os variant`)

/** `docker run … IMAGE COMMAND…`; `--entrypoint` is put in front of the command. */
const containerRun: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, { valued: runOptions, operandsLast: true })
  const entry = read.value('entrypoint')
  const words = [...(entry === undefined || entry.value === '' ? [] : [entry]), ...read.operands.slice(1)]
  const user = read.value('u', 'user')?.value
  if (words.length > 0 && read.operands.length > 0)
    starts.words(words, { elsewhere: true, ...(user !== undefined && { user }) })
}

const exec = prefix({
  valued: names('detach-keys e env env-file u user w workdir index preserve-fds'),
  own: 1,
  elsewhere: true,
  users: names('u user'),
})

const composeRun = prefix({
  valued: names(
    `e env entrypoint l label name p publish u user v volume w workdir cap-add cap-drop pull env-from-file`,
  ),
  own: 1,
  elsewhere: true,
})

const composeOptions = names('f file p project-name profile project-directory env-file parallel progress ansi')

/** Compose is a subcommand with options of its own in front of its subcommands. */
const compose = subcommands({ valued: composeOptions }, { exec, run: composeRun })

const docker = subcommands(
  {
    valued: names(
      'H host c context config l log-level tlscacert tlscert tlskey connection url root runroot namespace n a address',
    ),
  },
  {
    exec,
    run: containerRun,
    create: containerRun,
    'container exec': exec,
    'container run': containerRun,
    'container create': containerRun,
    compose,
  },
)

/** What stands behind `--`; without it, what stands behind the pod, as it used to be. */
const kubeExec: Unwrap = ({ args }, starts) => {
  const valued = names(
    'c container n namespace f filename pod-running-timeout context kubeconfig cluster user s server',
  )
  const words = behindDashes(args) ?? readOptions(args, { valued }).operands.slice(1)
  if (words.length > 0) starts.words(words, { elsewhere: true })
}

/** A pod of its own for a command: `kubectl run NAME --image=I -- COMMAND…`, `kubectl debug`. */
const kubeDashed: Unwrap = ({ args }, starts) => {
  const words = behindDashes(args)
  if (words !== undefined && words.length > 0) starts.words(words, { elsewhere: true })
}

const kubectl = subcommands(
  {
    valued: names('n namespace context kubeconfig cluster user s server token as as-group request-timeout v cache-dir'),
  },
  { exec: kubeExec, run: kubeDashed, debug: kubeDashed, rsh: { own: 1, elsewhere: true } },
)

/** A script for a machine elsewhere, as an option's value. */
const scriptThere =
  (valued: string, option: string): Unwrap =>
  ({ args }, starts) => {
    const read = readOptions(args, { valued: names(`${valued} ${option}`) })
    const text = read.value(...names(option))
    const behind = behindDashes(args)
    if (text !== undefined) starts.script(text, { elsewhere: true })
    else if (behind !== undefined && behind.length > 0) starts.script(joined(behind), { elsewhere: true })
  }

const there = { own: 1, elsewhere: true } as const

/** A distribution or a device next door, whose shell gets the words. */
const wsl: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, {
    valued: names('d distribution u user cd e exec shell-type system'),
    operandsLast: true,
  })
  const at = args.findIndex(({ value }) => value === '-e' || value === '--exec')
  const words = at === -1 ? read.operands : args.slice(at + 1)
  if (words.length === 0) return
  starts.wrapper()
  if (at === -1) starts.script(joined(words))
  else starts.words(words)
}

const adb = subcommands(
  { valued: names('s t H P L') },
  {
    shell: ({ args }, starts) => {
      const read = readOptions(args, { valued: ['e'], operandsLast: true })
      if (read.operands.length > 0) starts.script(joined(read.operands), { elsewhere: true })
    },
  },
)

/** Programs that start others in a container, in a namespace, or on another machine. */
export const containers: Readonly<Record<string, Unwrap>> = {
  docker,
  podman: docker,
  nerdctl: docker,
  'docker-compose': compose,
  'podman-compose': compose,
  kubectl,
  k: kubectl,
  oc: kubectl,
  k3s: subcommands({}, { kubectl, crictl: subcommands({}, { exec: there }) }),
  microk8s: subcommands({}, { kubectl }),
  minikube: subcommands({ valued: names('p profile') }, { ssh: scriptThere('n node', 'command'), kubectl }),
  crictl: subcommands({}, { exec: there }),
  lxc: subcommands({}, { exec: { ...there, valued: names('env cwd user group mode') } }),
  incus: subcommands({}, { exec: { ...there, valued: names('env cwd user group mode') } }),
  'lxc-attach': prefix({
    valued: names('n name s e f rcfile P lxcpath a arch l logpriority o logfile v set-var u uid g gid'),
    elsewhere: true,
  }),
  pct: subcommands({}, { exec: there }),
  jexec: prefix({ valued: names('u U d'), own: 1, elsewhere: true }),
  vagrant: subcommands({}, { ssh: scriptThere('p', 'c command') }),
  multipass: subcommands({}, { exec: { ...there, valued: names('d working-directory') } }),
  limactl: subcommands({}, { shell: { ...there, valued: names('workdir shell') } }),
  lima: prefix({ elsewhere: true }),
  colima: subcommands({}, { ssh: kubeDashed }),
  machinectl: subcommands({}, { shell: { ...there, valued: names('uid E setenv M machine') } }),
  'systemd-nspawn': prefix({
    valued: names('D directory i image u user M machine bind bind-ro tmpfs E setenv template overlay'),
    elsewhere: true,
  }),
  devcontainer: subcommands(
    {},
    { exec: { valued: names('workspace-folder container-id config remote-env id-label'), elsewhere: true } },
  ),
  heroku: subcommands(
    {},
    {
      run: { valued: names('a app r remote s size e env'), elsewhere: true },
      'run:detached': { valued: names('a app'), elsewhere: true },
    },
  ),
  fly: subcommands({}, { 'ssh console': scriptThere('a app s r region', 'C command') }),
  flyctl: subcommands({}, { 'ssh console': scriptThere('a app s r region', 'C command') }),
  distrobox: subcommands({}, { enter: kubeDashed }),
  toolbox: subcommands({}, { run: { valued: names('c container d distro r release') } }),
  flatpak: subcommands({}, { run: containerlessFlatpak }),
  wsl,
  adb,
  chroot: prefix({ valued: names('userspec groups'), own: 1, elsewhere: true }),
  'arch-chroot': prefix({ valued: ['u'], own: 1, elsewhere: true }),
  schroot: prefix({ valued: names('c chroot u user d directory s shell o option p'), elsewhere: true }),
  proot: prefix({ valued: names('r rootfs b bind m mount w pwd cwd R S q qemu k kernel-release'), elsewhere: true }),
  unshare: prefix({
    valued: names(
      'S setuid G setgid R root w wd map-user map-users map-group map-groups propagation setgroups monotonic boottime',
    ),
    folders: names('w wd'),
    idle: names('h V'),
  }),
  nsenter: prefix({ valued: names('t target S setuid G setgid w wdns'), folders: ['wdns'], idle: names('h V') }),
  'systemd-run': prefix({
    valued: names(`H host M machine unit p property description slice uid gid nice working-directory E setenv on-active
      on-boot on-startup on-unit-active on-unit-inactive on-calendar timer-property path-property socket-property
      service-type expand-environment`),
    folders: ['working-directory'],
    users: ['uid'],
    idle: ['h'],
  }),
  firejail: prefix({ idle: names('list tree top h') }),
  bwrap: bubblewrap,
  ip: subcommands({ valued: names('n netns b batch') }, { 'netns exec': { own: 1 }, 'vrf exec': { own: 1 } }),
}

function containerlessFlatpak(...[{ args }, starts]: Parameters<Unwrap>): void {
  const program = args.find(({ value }) => value.startsWith('--command='))
  const read = readOptions(args, { operandsLast: true })
  if (program !== undefined)
    starts.words([{ value: program.value.slice('--command='.length) }, ...read.operands.slice(1)])
}

/** Bubblewrap's options take one value, two or none; what follows the last of them is the command. */
function bubblewrap(...[{ args }, starts]: Parameters<Unwrap>): void {
  const two = new Set(
    names(
      '--bind --bind-try --dev-bind --dev-bind-try --ro-bind --ro-bind-try --symlink --setenv --file --bind-data --ro-bind-data --chmod --bind-fd --ro-bind-fd',
    ),
  )
  const none =
    /^--(?:unshare-\S+|share-net|new-session|die-with-parent|as-pid-1|clearenv|help|version|disable-userns|assert-userns-disabled)$/
  let at = 0
  while (at < args.length) {
    const { value = '' } = args[at] ?? {}
    if (!value.startsWith('--')) break
    if (value === '--') {
      at++
      break
    }
    at += two.has(value) ? 3 : none.test(value) ? 1 : 2
  }
  if (at >= args.length) return
  starts.wrapper()
  starts.words(args.slice(at))
}
