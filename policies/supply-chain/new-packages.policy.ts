import { abstains, ask, asks, definePolicy, quoted } from 'hookgate/policy'
import { hasOption, impactsOn, isAllowed, packagesOf } from './packages.ts'

export default definePolicy({
  id: 'new-packages',
  description: 'Asks before installing a package that the project does not have: its author can run code here',
  severity: 'medium',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['packages'] },
  params: {
    allowedPackages: {
      type: 'strings',
      default: [],
      description: 'packages that may be installed; `*` is any text: `@types/*`',
    },
    allowWithoutScripts: {
      type: 'boolean',
      default: true,
      description: 'whether a package may be installed if its scripts are not run: `npm install --ignore-scripts`',
    },
  },
  decide({ impacts, shell, params }) {
    for (const impact of impactsOn(impacts, 'packages', 'install')) {
      if (params.allowWithoutScripts && hasOption(impact, shell, 'ignore-scripts')) continue
      const fresh = packagesOf(impact).find(
        (one) => one.from !== 'folder' && !isAllowed(one, params.allowedPackages) && !isOwn(one.text),
      )
      if (fresh === undefined) continue
      const what = fresh.unknown ? 'a package that is only known when it runs' : quoted(fresh.text)
      return ask(
        `\`${impact.words}\` would ${impact.words.endsWith(' download') ? 'fetch' : 'install'} ${what}, whose code may then run here: let the person check that it is the one meant`,
        { at: impact.by },
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
    abstains('what the project has', 'npm ci && npm install'),
    asks('of pip', 'python3 -m pip install requests==2.31.0'),
    abstains('what is required', 'pip install -r requirements.txt'),
    abstains('pip itself', 'pip install -U pip setuptools wheel'),
    asks('pip from elsewhere', 'npm install pip'),
    asks('of uv', 'uv add --group dev ruff'),
    abstains('what uv has', 'uv sync --all-groups'),
    asks('of Rust', 'cargo add serde --features derive'),
    abstains('what is built', 'cargo build --features derive'),
    asks('of Go', 'go get example.com/a@latest'),
    abstains('what the module has', 'go get ./...'),
    asks('of Ruby', 'gem install rails -v 7.1'),
    asks('a plugin', 'kubectl krew install b'),
    abstains('a cluster', 'kubectl get install'),
    abstains('without scripts', 'npm i left-pad --ignore-scripts'),
    asks('without scripts, where that is not enough', 'npm i left-pad --ignore-scripts', {
      params: { allowWithoutScripts: false },
    }),
    abstains('allowed', 'npm i -D @types/node', { params: { allowedPackages: ['@types/*'] } }),
    abstains('in a commit message', 'git commit -m "npm install left-pad"'),
  ],
})

/** `./…`, and what only a checkout has. */
const isOwn = (text: string) => text === '.' || text.startsWith('./') || text.startsWith('../')
