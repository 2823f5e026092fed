import { ask, definePolicy, deny } from 'hookgate/policy'
import { gitCallsIn } from './git.ts'
import { riskOf, settingsIn } from './settings.ts'

export default definePolicy({
  id: 'git-settings',
  severity: 'high',
  description: 'Asks before git is configured to run other programs, or to contact servers other than those named',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    allowedSettings: {
      type: 'strings',
      default: [],
      description: 'settings that may be changed: `core.hookspath`, in small letters',
    },
  },
  decide({ shell, params }) {
    const program = gitCallsIn(shell).find(({ args }) => args.some(({ value }) => value.startsWith('ext::')))
    if (program !== undefined) return deny('a remote that begins with ext:: is a shell command: name a server')
    for (const setting of settingsIn(shell)) {
      if (params.allowedSettings.includes(setting.name)) continue
      const risk = riskOf(setting)
      if (risk !== undefined)
        return ask(`${setting.name} makes git ${risk.does}: do without it, or let the person set it`)
    }
    return undefined
  },
  examples: [
    { name: 'hooks of another folder', given: { input: { command: 'git config core.hooksPath /tmp/x' } }, want: 'ask' },
    { name: 'where hooks are', given: { input: { command: 'git config core.hooksPath' } }, want: 'abstain' },
    { name: 'for one call', given: { input: { command: 'git -c core.fsmonitor=./x status' } }, want: 'ask' },
    {
      name: 'switched off for one',
      given: { input: { command: 'git -c core.fsmonitor=false status' } },
      want: 'abstain',
    },
    {
      name: 'an alias that is a command',
      given: { input: { command: "git config --global alias.x '!sh x'" } },
      want: 'ask',
    },
    { name: 'an alias', given: { input: { command: 'git config --global alias.st status' } }, want: 'abstain' },
    { name: 'passwords', given: { input: { command: "git config credential.helper '!f() { a; }; f'" } }, want: 'ask' },
    { name: 'a name', given: { input: { command: 'git config user.name "Somebody"' } }, want: 'abstain' },
    {
      name: 'another server',
      given: { input: { command: 'git config url.https://x/.insteadOf https://y/' } },
      want: 'ask',
    },
    { name: 'no pager', given: { input: { command: 'git -c core.pager=cat log' } }, want: 'abstain' },
    { name: 'a remote that is a program', given: { input: { command: "git clone 'ext::sh -c x'" } }, want: 'deny' },
    { name: 'a remote', given: { input: { command: 'git clone https://host/x.git' } }, want: 'abstain' },
    { name: 'a template', given: { input: { command: 'git init --template=/tmp/x' } }, want: 'ask' },
    {
      name: 'where it is allowed',
      given: {
        input: { command: 'git config core.hooksPath .husky' },
        params: { allowedSettings: ['core.hookspath'] },
      },
      want: 'abstain',
    },
  ],
})
