import { abstains, ask, asks, definePolicy, denies, deny } from 'hookgate/policy'
import { gitCallsIn } from './git.ts'
import { riskOf, settingsIn } from './settings.ts'

export default definePolicy({
  id: 'git-settings',
  severity: 'high',
  description: 'Asks before git is configured to run other programs, or to contact servers other than those named',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub'] },
  params: {
    allowedSettings: {
      type: 'strings',
      default: [],
      description: 'settings that may be changed: `core.hookspath`, in small letters',
    },
  },
  decide({ shell, params }) {
    const program = gitCallsIn(shell).find(({ args }) => args.some(({ value }) => value.startsWith('ext::')))
    if (program !== undefined)
      return deny('a remote that begins with ext:: is a shell command: name a server', { at: program.at })
    for (const { at, ...setting } of settingsIn(shell)) {
      if (params.allowedSettings.includes(setting.name)) continue
      const risk = riskOf(setting)
      if (risk !== undefined)
        return ask(`${setting.name} makes git ${risk.does}: do without it, or let the person set it`, { at })
    }
    return undefined
  },
  examples: [
    asks('hooks of another folder', 'git config core.hooksPath /tmp/x'),
    abstains('where hooks are', 'git config core.hooksPath'),
    asks('for one call', 'git -c core.fsmonitor=./x status'),
    abstains('switched off for one', 'git -c core.fsmonitor=false status'),
    asks('an alias that is a command', "git config --global alias.x '!sh x'"),
    abstains('an alias', 'git config --global alias.st status'),
    asks('passwords', "git config credential.helper '!f() { a; }; f'"),
    abstains('a name', 'git config user.name "Ada"'),
    asks('another server', 'git config url.https://x/.insteadOf https://y/'),
    abstains('no pager', 'git -c core.pager=cat log'),
    denies('a remote that is a program', "git clone 'ext::sh -c x'"),
    abstains('a remote', 'git clone https://host/x.git'),
    asks('a template', 'git init --template=/tmp/x'),
    abstains('hooks of the project, where projects have them', 'git config core.hooksPath .githooks'),
    asks('a remote to which everything is pushed by force', 'git config remote.origin.push +main'),
    abstains('a remote to which a branch is pushed', 'git config remote.origin.push HEAD'),
    asks('the same for one call', 'git -c remote.origin.mirror push'),
    asks('an alias that forces', "git config alias.p 'push --force'"),
    abstains('an alias that pushes', "git config alias.p 'push --force-with-lease'"),
    abstains('where it is allowed', 'git config core.hooksPath build/x', {
      params: { allowedSettings: ['core.hookspath'] },
    }),
  ],
})
