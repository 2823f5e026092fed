// Programs that run other programs, for an `if`, which is decided for every rule before any fact is known: by the words
// alone, and without knowing which options of each take a value. What each of them really starts, facts/shell/wrappers tells
// policies. A test holds the two together.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** What reads a shell's text; `.` and `source` read it into the shell that is running. */
export const shells = words('sh bash rbash dash zsh ksh mksh ash fish csh tcsh . source')

/** What makes commands of its words in ways of its own, so that any may come of them. */
export const composers = words('alias parallel sem')

/** What runs the words behind it, or what one of them holds. */
const prefixes = words(`
  command builtin exec eval trap coproc noglob nocorrect
  sudo sudo-rs doas dzdo su runuser su-exec gosu pkexec please run0 sg capsh setpriv chpst s6-setuidgid
  env genv env-cmd nohup time gtime timeout nice ionice chrt taskset numactl stdbuf setsid unbuffer caffeinate strace ltrace
  dtruss valgrind heaptrack rr catchsegv rlwrap faketime datefudge fakeroot fakechroot dbus-run-session dbus-launch xvfb-run
  torsocks torify tsocks proxychains proxychains4 trickle setarch arch linux32 linux64 i386 prlimit cpulimit softlimit choom
  systemd-run systemd-inhibit systemd-cat systemd-nspawn cgexec chronic ifne setlock flock xcrun dumb-init tini catatonit
  retry bear dtach abduco tsp daemonize detach script watch entr xargs gxargs busybox toybox coreutils uutils
  ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1
  chroot arch-chroot schroot proot unshare nsenter firejail bwrap lxc-attach wsl
  ssh slogin autossh sshpass mosh rsh remsh pdsh clush pssh parallel-ssh
  npx pnpx bunx uvx envchain`)

/** What does so behind one of its words: `docker exec web rm x`, but not `docker rm web`. */
const commanders = words(`
  docker podman nerdctl docker-compose podman-compose kubectl k oc k3s microk8s minikube crictl lxc incus pct jexec vagrant
  multipass limactl lima colima machinectl devcontainer heroku fly flyctl distrobox toolbox flatpak adb ip gcloud az
  uv pipx bundle bundler poetry pipenv rye hatch pixi conda mamba micromamba asdf mise rtx pyenv rbenv nodenv goenv jenv nvm
  fnm volta rustup rvm direnv aws-vault aws-okta saml2aws chamber op doppler infisical teller sops vault railway
  nix nix-shell guix flox devbox`)
const behind = words('exec run x shell develop ssh tool do env exec-env exec-file --')

/** What takes the word behind `run` for the name of a script. */
const scriptRunners = words('npm pnpm yarn bun pdm')
const behindScripts = words('exec x dlx exe')

/**
 * Where the words begin that a program may run: any of those from there on may be the first of a command.
 *
 * @param isUnknown whether something of a word is not known before it runs
 * @returns `undefined` for a program that runs none of its words
 */
export function ranFrom(
  name: string,
  given: readonly string[],
  isUnknown: (word: string) => boolean,
): number | undefined {
  if (shells.has(name) || prefixes.has(name)) return 1
  const starters = scriptRunners.has(name) ? behindScripts : commanders.has(name) ? behind : undefined
  if (starters === undefined) return undefined
  const at = given.findIndex((word, index) => index > 0 && (starters.has(word) || isUnknown(word)))
  return at < 0 ? undefined : at + 1
}

/** Whether a program may take another of its words for a command. */
export const isRunner = (name: string) =>
  shells.has(name) || prefixes.has(name) || composers.has(name) || commanders.has(name) || scriptRunners.has(name)
