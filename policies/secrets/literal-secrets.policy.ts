import { abstains, ask, asks, definePolicy, type PolicyTool, type ShellFacts } from 'hookgate/policy'
import { literalSecretIn } from './literal-secrets.ts'
import { namesOf } from './names.ts'

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
      return ask(`${what} would be sent to ${tool.url ?? tool.name}: leave it out, or have the person agree to it`)
    return tool.kind === 'shell'
      ? ask(`${what} is in this command, and then in the history: take it from a variable or a file instead`, {
          at: commandsWith(shell),
        })
      : ask(`${what} would be in ${tool.path ?? 'the file'}: let the program take it from its environment instead`)
  },
  examples: [
    {
      name: 'a key in a file',
      given: { tool: 'write', input: { path: 'a.py', content: `KEY = "AKIAQ7R2M9TBX4LW8ZEC"` } },
      want: { effect: 'ask', reason: 'an AWS key would be in a.py' },
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
