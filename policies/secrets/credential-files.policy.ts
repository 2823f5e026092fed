import { abstains, ask, asks, definePolicy, denies, deny, quoted } from 'hookgate/policy'
import { secretReads } from './reads.ts'
import { readParams } from './params.ts'

/** Commands that read a key or password, and harmless ones like them. */
const credentialFileExamples = [
  denies('a key of ssh', 'cat ~/.ssh/id_ed25519'),
  abstains('its public half', 'cat ~/.ssh/id_ed25519.pub'),
  abstains('the settings of ssh', 'cat ~/.ssh/config'),
  abstains('a key to log in with', 'ssh -i ~/.ssh/id_rsa host uptime'),
  denies('a key by another program', 'head -c 99 ~/.ssh/work'),
  abstains('a key that is said', 'echo ~/.ssh/id_rsa'),
  denies('credentials of a cloud', 'cat ~/.aws/credentials'),
  abstains('settings of a cloud', 'cat ~/.aws/config'),
  denies('by a pattern', 'cat /home/*/.aws/cred*'),
  abstains('by a pattern with a name of no secret', 'cat */src/*'),
  denies('by a pattern with a name of one', 'cat */*/.npmrc'),
  abstains('what a search leaves out', "find . -type f -not -name '*.pem' -exec grep -l a {} +"),
  denies('what a search finds, as an argument', 'cat $(find . -name id_rsa)'),
  abstains('how many lines are in what may be secret', 'wc -l data/*.csv'),
  denies('what a search finds besides', "find . -not -name a -name '*.pem' -exec cat {} +"),
  abstains(
    'a folder that a search passes by',
    "find . -path '*/node_modules/*' -prune -o -name package.json -exec jq .name {} +",
  ),
  abstains('by a pattern for everything', 'cat src/*'),
  denies('a copy', 'cp ~/.netrc copy'),
  abstains('its name', 'ls -l ~/.netrc'),
  denies('by another name', 'ln -s ~/.kube/config x && cat x'),
  denies('as a URL', 'curl file:///etc/shadow'),
  denies('as another user', 'sudo cat /etc/shadow'),
  abstains('everybody can read it', 'cat /etc/passwd'),
  denies('a private key', 'cat deploy/server.key'),
  abstains('what is public of a key', 'openssl rsa -in deploy/server.key -pubout'),
  denies('all of a key', 'openssl rsa -in deploy/server.key -text'),
  abstains('a certificate', 'cat deploy/ca.pem'),
  abstains('a made-up key', 'cat test/fixtures/server.key'),
  asks('whatever is found among them, before the name is looked at', 'find ~/.ssh -exec cat {} \\; -name "*.pub"'),
  abstains('public halves that are found', 'find ~/.ssh -name "*.pub" -exec cat {} \\;'),
  asks('in a folder of keys', 'cat ~/.ssh/"$KEY"'),
  abstains('a deleted key', 'rm ~/.ssh/id_rsa'),
  asks('what was typed', 'tail ~/.bash_history'),
  abstains('in a message', 'git commit -m "read ~/.aws/credentials"'),
  denies('a file that is read', { tool: 'read', input: { path: '/home/u/.docker/config.json' } }),
  abstains('another of that name', { tool: 'read', input: { path: 'src/config.json' } }),
  denies('searched', { tool: 'search', input: { path: '/home/u/.netrc', pattern: 'x' } }),
  abstains('another searched', { tool: 'search', input: { path: 'src', pattern: 'netrc' } }),
  denies('listed for', { tool: 'list', input: { path: '.', pattern: '**/id_rsa*' } }),
  abstains('others listed', { tool: 'list', input: { path: '.', pattern: '**/*.json' } }),
  denies('by a tool of a server', { tool: 'mcp', input: { path: '/home/u/.netrc' } }),
  abstains('another by such a tool', { tool: 'mcp', input: { path: '/home/u/notes' } }),
  denies('by a tool that is not known', { tool: 'other', input: { path: '/etc/shadow' } }),
  abstains('another by that', { tool: 'other', input: { path: '/etc/hosts' } }),
  abstains('allowed', 'cat dev/local.key', { params: { allowedFiles: ['dev/*.key'] } }),
] as const

const isFolder = /(?:^|[\\/])\.(?:ssh|gnupg)[\\/]?$/
const holds = (what: string) => [`holds ${what}`, `may hold ${what}`] as const
const aKey = ['is a private key', 'may be a private key'] as const

export default definePolicy({
  id: 'credential-files',
  description: 'Keeps the agent from reading keys, passwords and tokens',
  severity: 'critical',
  on: 'PreToolUse',
  tool: ['shell', 'read', 'search', 'list', 'fetch', 'browser', 'mcp', 'other'],
  carried: ['prompt'],
  interest: { access: ['read', 'execute', 'delete'] },
  params: readParams,
  decide({ tool, shell, paths, impacts, params }) {
    const reads = secretReads({ tool, shell, paths, impacts }, params.allowedFiles).filter(
      ({ secret, alias, command }) =>
        secret.kind !== 'environment' &&
        (alias !== true || shell.flows.some(({ from, via }) => from === command && via === 'file')),
    )
    const worst = reads.find(({ secret }) => secret.sure && secret.kind !== 'likely') ?? reads[0]
    if (worst === undefined) return undefined
    const at = worst.command
    const { path, kind, sure } = worst.secret
    const name = quoted(path)
    if (kind === 'likely')
      return ask(`this would read ${name}, which may hold passwords or tokens: have the person look at it`, { at })
    const [is, mayBe] = kind !== 'key' ? holds('credentials') : isFolder.test(path) ? holds('private keys') : aKey
    if (!sure)
      return ask(`this would read ${name}, which ${mayBe}: name the file that you need, or ask the person for it`, {
        at,
      })
    return deny(`this would read ${name}, which ${is}: have the program that needs it read it itself`, { at })
  },
  examples: credentialFileExamples,
})
