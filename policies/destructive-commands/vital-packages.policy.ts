import { abstains, answerTo, asks, definePolicy } from 'hookgate/policy'

export default definePolicy({
  id: 'vital-packages',
  severity: 'high',
  description: 'Asks before packages are removed by a pattern, or packages that the system depends on',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['system-packages'] },
  decide({ shell, impacts }) {
    const vital = impacts.find(({ area, kind, undo, by }) => {
      const command = typeof by === 'number' ? shell.commands[by] : undefined
      const isOfSystem = area === 'system-packages' && kind === 'delete' && undo === 'never'
      // A container has a system of its own.
      return isOfSystem && command?.container === undefined
    })
    return vital && answerTo(vital, 'ask')
  },
  examples: [
    asks('by a pattern', "sudo apt-get purge -y 'python3*'"),
    abstains('one package', 'sudo apt-get remove -y nodejs'),
    asks('what starts the machine', 'sudo apt remove systemd'),
    abstains('a dry run', 'apt-get remove -s systemd'),
    asks('with dnf', "dnf remove 'openssl*'"),
    abstains('installing', 'sudo dnf install openssl-devel'),
    asks('with pacman', 'sudo pacman -Rdd glibc'),
    abstains('another with pacman', 'sudo pacman -Rs htop'),
    abstains('in a container', `docker run --rm debian sh -c "apt-get purge -y 'python3*'"`),
    asks('on another machine', "ssh web-1 sudo apt-get purge -y 'python3*'"),
  ],
})
