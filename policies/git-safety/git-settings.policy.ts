import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'git-settings',
  severity: 'high',
  description: 'Asks before git is configured to run other programs, or to contact servers other than those named',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['git'] },
  params: {
    allowedSettings: {
      type: 'strings',
      default: [],
      description: 'settings that may be changed: `core.hookspath`, in small letters',
    },
  },
  decide: ({ impacts, params }) =>
    judge(
      impacts,
      ({ kind, thing, names }) =>
        // A remote that is a shell command.
        (kind === 'run' && thing === 'repository') ||
        (thing === 'setting' && !names.some((name) => params.allowedSettings.includes(name.toLowerCase()))),
    ),
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
