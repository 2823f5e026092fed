import { abstains, definePolicy, denies, deny, quoted } from 'hookgate/policy'
import { impactsOn, isAllowed, packagesOf } from './packages.ts'

export default definePolicy({
  id: 'global-installs',
  description: 'Refuses packages installed for the whole machine or as root: their scripts then run with all rights',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['packages'] },
  params: {
    globalPackages: {
      type: 'strings',
      default: [],
      description: 'packages that may be installed this way; `*` is any text',
    },
    allowRoot: { type: 'boolean', default: false, description: 'whether managers may run as root, as in a container' },
  },
  decide({ impacts, shell, params }) {
    for (const impact of impactsOn(impacts, 'packages', 'install')) {
      const { by: at, thing, words } = impact
      const packages = packagesOf(impact)
      if (packages.length > 0 && packages.every((one) => isAllowed(one, params.globalPackages))) continue
      const what = packages[0] === undefined ? 'packages' : quoted(packages[0].text)
      if (thing === 'machine') {
        return deny(`\`${words}\` would install ${what} for the whole machine: install it into the project instead`, {
          at,
        })
      }
      if (shell.commands[at]?.user === 'root' && !params.allowRoot) {
        return deny(`\`${words}\` would run scripts of packages as root: run it as yourself, in the project`, { at })
      }
    }
    return undefined
  },
  examples: [
    denies('with npm', 'npm install -g left-pad'),
    abstains('of the project', 'npm install --save-dev left-pad'),
    denies('with yarn', 'yarn global add left-pad'),
    abstains('with yarn, of the project', 'yarn add left-pad'),
    denies('as root', 'sudo pip3 install requests'),
    abstains('as oneself', 'pip3 install requests'),
    denies('past the system', 'pip install --break-system-packages a'),
    abstains('what is global', 'npm ls -g'),
    abstains('its help', 'npm install -g --help'),
    abstains('only printed', 'echo npm install -g left-pad'),
    abstains('allowed', 'npm i -g pnpm@9', { params: { globalPackages: ['pnpm'] } }),
    abstains('in a container', 'sudo pip install a', { params: { allowRoot: true } }),
  ],
})
