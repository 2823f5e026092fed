import { definePolicy, deny } from 'hookgate/policy'
import { packageCallOf } from './managers.ts'
import { isAllowed, packagesOf } from './packages.ts'

export default definePolicy({
  id: 'global-installs',
  description: 'Refuses packages installed for the whole machine or as root: their scripts then run with all rights',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    globalPackages: {
      type: 'strings',
      default: [],
      description: 'packages that may be installed this way; `*` at the end matches anything',
    },
    allowRoot: { type: 'boolean', default: false, description: 'whether managers may run as root, as in a container' },
  },
  decide({ shell, params }) {
    for (const [at, command] of shell.commands.entries()) {
      const call = packageCallOf(command)
      if (call?.act !== 'install' && call?.act !== 'restore') continue
      const packages = packagesOf(call)
      if (packages.length > 0 && packages.every((one) => isAllowed(one, params.globalPackages))) continue
      const what = packages[0]?.text ?? 'them'
      if (call.everywhere && call.act === 'install') {
        return deny(
          `${call.manager} would install ${what} for the whole machine: install it into the project instead`,
          { at },
        )
      }
      if (call.asRoot && !params.allowRoot) {
        return deny(`${call.manager} would run scripts of packages as root: run it as yourself, in the project`, { at })
      }
    }
    return undefined
  },
  examples: [
    { name: 'with npm', given: { input: { command: 'npm install -g left-pad' } }, want: 'deny' },
    { name: 'of the project', given: { input: { command: 'npm install --save-dev left-pad' } }, want: 'abstain' },
    { name: 'with yarn', given: { input: { command: 'yarn global add left-pad' } }, want: 'deny' },
    { name: 'with yarn, of the project', given: { input: { command: 'yarn add left-pad' } }, want: 'abstain' },
    { name: 'as root', given: { input: { command: 'sudo pip3 install requests' } }, want: 'deny' },
    { name: 'as oneself', given: { input: { command: 'pip3 install requests' } }, want: 'abstain' },
    { name: 'past the system', given: { input: { command: 'pip install --break-system-packages a' } }, want: 'deny' },
    { name: 'what is global', given: { input: { command: 'npm ls -g' } }, want: 'abstain' },
    { name: 'its help', given: { input: { command: 'npm install -g --help' } }, want: 'abstain' },
    { name: 'said', given: { input: { command: 'echo npm install -g left-pad' } }, want: 'abstain' },
    {
      name: 'allowed',
      given: { input: { command: 'npm i -g pnpm@9' }, params: { globalPackages: ['pnpm'] } },
      want: 'abstain',
    },
    {
      name: 'in a container',
      given: { input: { command: 'sudo pip install a' }, params: { allowRoot: true } },
      want: 'abstain',
    },
  ],
})
