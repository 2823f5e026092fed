import type { ShellWord } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import type { Rows } from '../row.ts'
import { behind, changed } from '../words.ts'

/** Records the folders that a command may write in under another name: of `HERE:THERE`, what is here, but not the whole disk. */
function recordBinds(binds: readonly ShellWord[], recorder: EffectRecorder): void {
  for (const word of binds) {
    const [here = '', , how] = word.value.split(':')
    if (here !== '/' && how !== 'ro') recorder.touch(changed(word, here), 'into')
  }
}

/** Programs that start a command in another root folder, namespace or systemd unit. */
export const namespaces: Rows = {
  chroot: { options: 'userspec groups', first: 'names', starts: { own: 1, elsewhere: true } },
  'arch-chroot': { options: 'u', starts: { own: 1, elsewhere: true } },
  schroot: { options: 'c chroot u user d directory s shell o option p', starts: { elsewhere: true } },
  proot: {
    options: 'r rootfs b bind m mount w pwd cwd R S q qemu k kernel-release',
    starts: { elsewhere: true },
    effects: (line, recorder) => recordBinds(line.values('b', 'bind', 'm', 'mount'), recorder),
  },
  'systemd-nspawn': {
    options: 'D directory i image u user M machine bind bind-ro tmpfs E setenv template overlay',
    starts: { elsewhere: true },
    effects: (line, recorder) => recordBinds(line.values('bind'), recorder),
  },
  unshare: {
    options:
      'S setuid G setgid R root w=folder wd=folder map-user map-users map-group map-groups propagation setgroups monotonic boottime +user +pid +mount +net +ipc +uts +cgroup +time +fork +map-root-user',
    starts: {},
    idle: 'h V',
  },
  nsenter: { options: 't target S setuid G setgid w wdns=folder', starts: {}, idle: 'h V' },
  'systemd-run': {
    options:
      'H host M machine u unit p property description slice uid=user gid nice working-directory=folder E setenv on-active on-boot on-startup on-unit-active on-unit-inactive on-calendar timer-property path-property socket-property service-type expand-environment +user',
    starts: {},
    effects(line, recorder) {
      for (const word of line.values('p', 'property', 'socket-property')) {
        const [listen] = /^Listen\w+=/.exec(word.value) ?? []
        if (listen !== undefined) recorder.touch(behind(word, listen.length), 'bind')
      }
    },
    idle: 'h',
  },
  firejail: { starts: {}, idle: 'list tree top h' },
  bwrap: {
    options:
      'bind:2 bind-try:2 dev-bind:2 dev-bind-try:2 ro-bind:2 ro-bind-try:2 symlink:2 setenv:2 file:2 bind-data:2 ro-bind-data:2 chmod:2 bind-fd:2 ro-bind-fd:2 tmpfs dev proc mqueue dir chdir hostname uid gid unsetenv lock-file sync-fd remount-ro args argv0 exec-label file-label seccomp add-seccomp-fd block-fd userns-block-fd info-fd json-status-fd perms size cap-add cap-drop overlay-src tmp-overlay ro-overlay userns userns2 pidns',
    wholeNames: true,
    starts: {},
    effects(_, recorder, { args }) {
      const isBind = (at: number) => /^--(?:dev-)?bind(?:-try)?$/.test(args[at - 1]?.value ?? '')
      recordBinds(
        args.filter((_word, at) => isBind(at)),
        recorder,
      )
    },
  },
  'apptainer singularity': {
    operandsLast: true,
    operands: 'none',
    subcommands: {
      'exec, run, shell': {
        options: 'B bind mount H home pwd env env-file=read overlay S scratch W workdir add-caps drop-caps app',
        starts: { own: 1, elsewhere: true },
        effects: (line, recorder) => recordBinds(line.values('B', 'bind'), recorder),
      },
    },
  },
  ip: {
    options: 'n netns b=read batch=read',
    oneDash: true,
    operandsLast: true,
    operands: 'none',
    subcommands: { 'netns exec, vrf exec': { starts: { own: 1 } } },
  },
}
