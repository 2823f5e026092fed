import { ask, definePolicy } from 'hookgate/policy'
import { packageCallOf } from './managers.ts'
import { isAllowed, type Named, packagesOf } from './packages.ts'

export default definePolicy({
  id: 'new-packages',
  description: 'Asks before installing a package that the project does not have: its author can run code here',
  severity: 'medium',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    allowedPackages: {
      type: 'strings',
      default: [],
      description: 'packages that may be installed; `*` at the end matches anything: `@types/*`',
    },
    allowWithoutScripts: {
      type: 'boolean',
      default: true,
      description: 'whether a package may be installed if its scripts are not run: `npm install --ignore-scripts`',
    },
  },
  decide({ shell, params }) {
    for (const [at, command] of shell.commands.entries()) {
      const call = packageCallOf(command)
      if (call?.act !== 'install') continue
      if (params.allowWithoutScripts && call.options.has('ignore-scripts')) continue
      const fresh = packagesOf(call).find(
        (one) =>
          one.from !== 'folder' &&
          !isAllowed(one, params.allowedPackages) &&
          !isOwn(one.text) &&
          !isPythonsOwn(call.manager, one),
      )
      if (fresh === undefined) continue
      const what = fresh.unknown ? 'a package that is not known before it runs' : fresh.text
      return ask(
        `${call.manager} would install ${what}, whose code then runs here: let the person check it, because names are easily confused`,
        { at },
      )
    }
    return undefined
  },
  examples: [
    {
      name: 'of npm',
      given: { input: { command: 'npm install left-pad' } },
      want: { effect: 'ask', reason: 'left-pad' },
    },
    { name: 'what the project has', given: { input: { command: 'npm ci && npm install' } }, want: 'abstain' },
    { name: 'of pip', given: { input: { command: 'python3 -m pip install requests==2.31.0' } }, want: 'ask' },
    { name: 'what is required', given: { input: { command: 'pip install -r requirements.txt' } }, want: 'abstain' },
    { name: 'pip itself', given: { input: { command: 'pip install -U pip setuptools wheel' } }, want: 'abstain' },
    { name: 'pip from elsewhere', given: { input: { command: 'npm install pip' } }, want: 'ask' },
    { name: 'of uv', given: { input: { command: 'uv add --group dev ruff' } }, want: 'ask' },
    { name: 'what uv has', given: { input: { command: 'uv sync --all-groups' } }, want: 'abstain' },
    { name: 'of Rust', given: { input: { command: 'cargo add serde --features derive' } }, want: 'ask' },
    { name: 'what is built', given: { input: { command: 'cargo build --features derive' } }, want: 'abstain' },
    { name: 'of Go', given: { input: { command: 'go get example.com/a@latest' } }, want: 'ask' },
    { name: 'what the module has', given: { input: { command: 'go get ./...' } }, want: 'abstain' },
    { name: 'of Ruby', given: { input: { command: 'gem install rails -v 7.1' } }, want: 'ask' },
    { name: 'a plugin', given: { input: { command: 'kubectl krew install b' } }, want: 'ask' },
    { name: 'a cluster', given: { input: { command: 'kubectl get install' } }, want: 'abstain' },
    { name: 'without scripts', given: { input: { command: 'npm i left-pad --ignore-scripts' } }, want: 'abstain' },
    {
      name: 'without scripts, where that is not enough',
      given: { input: { command: 'npm i left-pad --ignore-scripts' }, params: { allowWithoutScripts: false } },
      want: 'ask',
    },
    {
      name: 'allowed',
      given: { input: { command: 'npm i -D @types/node' }, params: { allowedPackages: ['@types/*'] } },
      want: 'abstain',
    },
    { name: 'said', given: { input: { command: 'git commit -m "npm install left-pad"' } }, want: 'abstain' },
  ],
})

/** What every environment of Python has from its beginning, and is brought up to date in it. */
const isPythonsOwn = (manager: string, { name, from }: Named) =>
  (manager === 'pip' || manager === 'uv') && from === undefined && /^(?:pip|setuptools|wheel)$/.test(name)

/** `./…`, and what only a checkout has. */
const isOwn = (text: string) => text === '.' || text.startsWith('./') || text.startsWith('../')
