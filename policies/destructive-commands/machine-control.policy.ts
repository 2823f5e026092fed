import { abstains, answerTo, ask, asks, definePolicy, denies, type Impact, strictest } from 'hookgate/policy'

/** Files in which shells and clients keep what was typed. */
const histories =
  /^(?:\.(?:bash|zsh|sh|ksh|python|psql|mysql|sqlite|node_repl)_history|\.history|\.zhistory|\.local\/share\/fish\/fish_history)$/

/**
 * Returns how an impact is answered: by a question if it is about single services, scheduled tasks and users; by how far
 * it can be undone (`rated`) if the whole machine depends on it. `undefined` if another rule judges it.
 */
function effectOf({ area, thing, extent }: Impact): 'rated' | 'ask' | undefined {
  if (area === 'machine') return 'rated'
  if (area === 'secret-stores') return thing === 'machine' ? 'rated' : undefined
  // `defences-off` judges what guards the machine.
  if (area !== 'system-services' || thing === 'guard') return undefined
  return extent === 'all' ? 'rated' : 'ask'
}

export default definePolicy({
  id: 'machine-control',
  severity: 'high',
  description: 'Refuses to stop the machine and to change its kernel; asks about services, users and mounts',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['machine', 'system-services', 'secret-stores'], access: ['write', 'delete'] },
  decide({ shell, impacts }) {
    const answers = impacts.flatMap((impact) => {
      const effect = effectOf(impact)
      return effect === undefined ? [] : [answerTo(impact, effect)]
    })
    // A shell adds to its history without a command.
    const wiped = shell.commands.findIndex(({ paths }) =>
      paths.some(
        ({ access, metadata, inHome = '' }) =>
          (access === 'write' || access === 'delete') && metadata !== true && histories.test(inHome),
      ),
    )
    if (wiped !== -1)
      answers.push(
        ask(
          `\`${shell.commands[wiped]?.program ?? ''}\` would change the history of a shell, the record of what was done: leave it to the person`,
          { at: wiped },
        ),
      )
    return strictest(answers)
  },
  examples: [
    denies('stopping', 'sudo shutdown -h now'),
    abstains('not stopping after all', 'shutdown -c'),
    denies('by systemd', 'systemctl reboot'),
    abstains('the state of a service', 'systemctl status nginx'),
    asks('the record of what was typed', 'rm ~/.bash_history'),
    asks('all of that record', 'cat /dev/null > ~/.zsh_history'),
    abstains('a look at that record’s age', 'ls -l ~/.bash_history'),
    denies('by the first process', 'init 0'),
    abstains('a project', 'npm init -y'),
    denies('a module', 'insmod x.ko'),
    abstains('the modules there are', 'lsmod'),
    asks('a setting', 'sysctl -w vm.swappiness=1'),
    abstains('what it is', 'sysctl vm.swappiness'),
    asks('a service', 'sudo systemctl stop nginx'),
    denies('a right of root', 'setcap cap_setuid+ep ./x'),
    abstains('a right to listen', 'setcap cap_net_bind_service+ep ./x'),
    denies('the network', 'ip link set dev eth0 down'),
    abstains('how the network is', 'ip link show dev eth0'),
    denies('keys in use', 'ssh-add -D'),
    abstains('which keys are in use', 'ssh-add -l'),
    asks('a user', 'userdel -r me'),
    abstains('in a message', 'git commit -m "reboot the server"'),
  ],
})
