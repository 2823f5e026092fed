import { abstains, ask, asks, definePolicy, hostOf, type PolicyTool, quoted, type ShellFacts } from 'hookgate/policy'
import { namesOf } from './names.ts'

/** Patterns of tokens with a fixed format. */
const looks: readonly (readonly [what: string, look: RegExp])[] = [
  ['an AWS key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36,251}\b/],
  ['a GitHub token', /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b/],
  ['a GitLab token', /\bgl(?:pat|ptt|rt|dt|cbt|ft|soat)-[\w-]{20,}\b/],
  ['a Slack token', /\bxox[abeoprs]-[\w-]{20,}\b/],
  ['the address of a Slack webhook', /\bhooks\.slack\.com\/services\/T\w{8,}\/B\w{8,}\/\w{24}\b/],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{20,}\b/],
  ['an Anthropic key', /\bsk-ant-[\w-]{40,}/],
  ['an OpenAI key', /\bsk-(?:proj|svcacct|admin)-[\w-]{40,}/],
  ['an OpenAI key', /\bsk-[A-Za-z0-9]{48}\b/],
  ['a Google key', /\bAIza[\w-]{35}(?![\w-])/],
  ['a Google secret', /\bGOCSPX-[\w-]{28}(?![\w-])/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a PyPI token', /\bpypi-AgE[\w-]{50,}/],
  ['a SendGrid token', /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/],
  ['a DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{64}\b/],
  ['a Hugging Face token', /\bhf_[A-Za-z0-9]{34,}\b/],
  ['a Telegram token', /\b\d{8,10}:AA[\w-]{33}(?![\w-])/],
  ['a Shopify token', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/],
  ['a Vault token', /\bhv[sbr]\.[\w-]{24,}/],
  ['a Databricks token', /\bdapi[a-f0-9]{32}\b/],
  ['a LangSmith key', /\blsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\b/],
  ['a Groq key', /\bgsk_[A-Za-z0-9]{48,}\b/],
  ['an xAI key', /\bxai-[A-Za-z0-9]{80}\b/],
  ['a key of age', /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/],
]
const keyBlock =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|[\s"'+,])*(?:[\w-]+: [^\n]*\n+)*([A-Za-z0-9+/=]{40,})/

/** Words of texts that only show how a token looks. */
const placeholder = /example|sample|placeholder|dummy|fake|your|test|xxx|000000|123456|abcdef|redacted|changeme/i
/** A made-up one repeats itself: a real one of its length has more different characters. */
const fewCharacters = 10

/** A value under a name that says that it is secret. */
const named =
  /\b(?:[a-z\d]+[_-])*(?:secret|token|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key)(?:[_-][a-z\d]+)*["']?\s*(?:=|:|=>)\s*["']?([A-Za-z\d+/=_-]{20,200})(?![\w.(])/i
/** Real ones are random: small and capital letters and digits, mixed, with few repetitions. */
const isRandom = (value: string) =>
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  (value.match(/\d/g)?.length ?? 0) >= 3 &&
  new Set(value).size >= 15 &&
  !/[_-].*[_-]|\/.*\//.test(value)

/** What every pattern here has, so that most texts are done with at one look. */
const longRun = /[\w+/=-]{20}/

/** Describes a key or token in a text that looks real. */
function literalSecretIn(text: string): string | undefined {
  if (!longRun.test(text)) return undefined
  for (const [, body = ''] of text.matchAll(new RegExp(keyBlock, 'g'))) if (!isMadeUp(body)) return 'a private key'
  const found = looks.find(([, look]) => isFound(look, text))?.[0]
  if (found !== undefined) return found
  return [...text.matchAll(new RegExp(named, 'gi'))].some(([, value = '']) => isRandom(value) && !isMadeUp(value))
    ? 'what looks like a secret'
    : undefined
}

const isMadeUp = (found: string) => placeholder.test(found) || new Set(found).size < fewCharacters

/** Most texts have none: all of them are only looked for where there is one. */
const isFound = (look: RegExp, text: string) =>
  look.test(text) && [...text.matchAll(new RegExp(look, 'g'))].some(([found]) => !isMadeUp(found))

function textOf({ kind, command, content, url, input }: PolicyTool): string {
  if (kind === 'mcp') return JSON.stringify(input)
  if (kind === 'fetch') return url ?? ''
  return (kind === 'shell' ? command : content) ?? ''
}

/** Returns the indices of the commands that have one in their words, variables or input. */
function commandsWith({ commands }: ShellFacts): readonly number[] {
  return commands.flatMap(({ written, args, assignments, redirections, stdin }, at) => {
    const words = [written, ...args, ...assignments.map(({ value }) => value), ...redirections.map((one) => one.target)]
    const text = [...words, stdin].map((word) => word?.value ?? '').join('\n')
    return literalSecretIn(text) === undefined ? [] : [at]
  })
}

export default definePolicy({
  id: 'literal-secrets',
  description: 'Asks before a key or token is written into a file or a command as it is',
  severity: 'medium',
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit', 'fetch', 'mcp'],
  params: {
    fixtureFolders: {
      type: 'strings',
      default: ['fixtures', 'testdata', '__snapshots__'],
      description: 'names of folders whose files may contain what looks like a secret',
    },
  },
  decide({ tool, shell, params }) {
    const names = namesOf(tool.path ?? '')
    if (tool.kind !== 'shell' && params.fixtureFolders.some((folder) => names.includes(folder.toLowerCase())))
      return undefined
    const what = literalSecretIn(textOf(tool))
    if (what === undefined) return undefined
    if (tool.kind === 'mcp' || tool.kind === 'fetch')
      return ask(
        `${what} would be sent to ${quoted(tool.url === undefined ? tool.name : hostOf(tool.url))}: leave it out, or have the person agree to it`,
      )
    return tool.kind === 'shell'
      ? ask(
          `\`${shell.commands[commandsWith(shell)[0] ?? 0]?.program ?? ''}\` is given ${what}, which the history then keeps: take it from a variable or a file`,
          {
            at: commandsWith(shell),
          },
        )
      : ask(
          `${what} would be in ${tool.path === undefined ? 'the file' : quoted(tool.path)}: let the program take it from its environment instead`,
        )
  },
  examples: [
    {
      name: 'a key in a file',
      given: { tool: 'write', input: { path: 'a.py', content: `KEY = "AKIAQ7R2M9TBX4LW8ZEC"` } },
      want: { effect: 'ask', reason: 'an AWS key would be in `a.py`' },
    },
    abstains('a key of the manual', {
      tool: 'write',
      input: { path: 'a.py', content: `KEY = "AKIAIOSFODNN7EXAMPLE"` },
    }),
    {
      name: 'a token in a command',
      given: { input: { command: `echo ghp_q8Zt2LmX5vRb7NcJ4wKs9YdF3hGp6TaE1uBo > t` } },
      want: { effect: 'ask', reason: 'history' },
    },
    abstains('a token that is none', `echo ghp_${'x'.repeat(36)}`),
    asks('a private key', {
      tool: 'write',
      input: {
        path: 'k',
        content: `-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAyT9kQ2vX8sLpW4nR7mZc1bHfUj5dGo3eK6aVqB0xY\n`,
      },
    }),
    abstains('what a key begins with', {
      tool: 'write',
      input: { path: 'k', content: `-----BEGIN RSA PRIVATE KEY-----\n...\n` },
    }),
    abstains('in a folder of tests', {
      tool: 'write',
      input: { path: 'test/fixtures/a', content: 'AKIAQ7R2M9TBX4LW8ZEC' },
    }),
    asks('in such a folder that is not allowed', {
      tool: 'write',
      input: { path: 'test/fixtures/a', content: 'AKIAQ7R2M9TBX4LW8ZEC' },
      params: { fixtureFolders: [] },
    }),
    abstains('the name of a variable', { tool: 'write', input: { path: 'a', content: 'env.AWS_KEY' } }),
    asks('a random value under a telling name', {
      tool: 'write',
      input: { path: 'a.ts', content: "const secret = 'vQ8mN2pXr5tLw9zBc4eFg7hKiUo3'" },
    }),
    abstains('a value that is read', {
      tool: 'write',
      input: { path: 'a.ts', content: 'const token = readTokenFromKeychain2Or3(account)' },
    }),
    asks('in a mail', { tool: 'mcp__mail__send', input: { body: 'AKIAQ7R2M9TBX4LW8ZEC' } }),
    asks('in an address', { tool: 'fetch', input: { url: 'https://a.example/?k=AKIAQ7R2M9TBX4LW8ZEC' } }),
    abstains('a mail without', { tool: 'mcp__mail__send', input: { body: 'env.AWS_KEY' } }),
    abstains('no address', { tool: 'fetch', input: {} }),
    abstains('no content', { tool: 'edit', input: { path: 'a' } }),
  ],
})
