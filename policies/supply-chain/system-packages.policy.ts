import { abstains, ask, asks, definePolicy, denies, deny, quoted } from 'hookgate/policy'
import { impactsOn } from './packages.ts'

export default definePolicy({
  id: 'system-packages',
  description: 'Asks before system programs are installed or removed, and refuses it when done as root',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['system-packages'] },
  params: {
    allowRoot: { type: 'boolean', default: false, description: 'whether managers may run as root, as in a container' },
    systemPackages: { type: 'strings', default: [], description: 'programs that may be installed, by name' },
  },
  decide({ impacts, shell, params }) {
    for (const { kind, names, words, by: at } of impactsOn(impacts, 'system-packages', 'install', 'delete')) {
      if (shell.commands[at]?.elsewhere === true) continue
      const isInstall = kind === 'install'
      if (isInstall && names.length > 0 && names.every((name) => params.systemPackages.includes(name))) continue
      const named =
        names.length === 0
          ? 'programs'
          : names.slice(0, 2).map(quoted).join(' and ') + (names.length > 2 ? ` and ${names.length - 2} more` : '')
      const what = `\`${words}\` would ${isInstall ? (/\bupgrade\b/.test(words) ? 'upgrade' : 'install') : 'remove'} ${named} for the whole machine`
      if (shell.commands[at]?.user === 'root' && !params.allowRoot) {
        return deny(`${what}, as root: say what you need it for, and let the person do it`, { at })
      }
      return ask(
        `${what}: ${isInstall ? 'use what is there, or tell the person what you need it for' : 'let the person do it'}`,
        { at },
      )
    }
    return undefined
  },
  examples: [
    denies('as root', 'sudo apt-get install -y jq'),
    abstains('what there is, as root', 'sudo apt update'),
    asks('with brew', 'brew install jq'),
    abstains('a try of it', 'brew upgrade -n'),
    abstains('about it', 'brew info jq'),
    asks('removed', 'apt-get autoremove'),
    abstains('a try', 'apt-get install -s jq'),
    denies('with pacman', 'sudo pacman -Syu jq'),
    abstains('searched', 'pacman -Ss jq'),
    denies('a file', 'sudo dpkg -i a.deb'),
    abstains('what a file has', 'dpkg -L jq'),
    asks('in a container', 'sudo apt-get install jq', { params: { allowRoot: true } }),
    abstains('allowed', 'sudo apt-get install -y jq', { params: { systemPackages: ['jq'] } }),
  ],
})
