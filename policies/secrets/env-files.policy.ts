import { ask, definePolicy, deny } from 'hookgate/policy'
import { secretReads } from './reads.ts'

export default definePolicy({
  id: 'env-files',
  description: 'Keeps the agent from reading the values in `.env` files',
  severity: 'high',
  on: 'PreToolUse',
  tool: ['shell', 'read', 'search', 'list', 'mcp', 'other'],
  params: {
    allowedFiles: {
      type: 'strings',
      default: [],
      description: 'files that may be read, by the end of their path or a folder in it; `*` matches any part of a name',
    },
  },
  decide({ tool, shell, paths, params }) {
    const reads = secretReads({ tool, shell, paths }, params.allowedFiles).filter(
      ({ secret, alias, command }) =>
        secret.kind === 'environment' &&
        (alias !== true || shell.flows.some(({ from, via }) => from === command && via === 'file')),
    )
    const worst = reads.find(({ secret }) => secret.sure) ?? reads[0]
    if (worst === undefined) return undefined
    const at = worst.command
    const { path, sure } = worst.secret
    if (!sure) return ask(`${path} sets variables that are often passwords: ask the person what they are`, { at })
    return deny(`${path} holds passwords and tokens: read .env.example for the names, and ask the person for a value`, {
      at,
    })
  },
  examples: [
    { name: 'printed', given: { input: { command: 'cat .env' } }, want: { effect: 'deny', reason: '.env.example' } },
    { name: 'a copy for others to fill in', given: { input: { command: 'cat .env.example' } }, want: 'abstain' },
    { name: 'of production', given: { input: { command: 'head -3 app/.env.production' } }, want: 'deny' },
    { name: 'said', given: { input: { command: 'echo cat .env' } }, want: 'abstain' },
    { name: 'searched', given: { input: { command: 'grep KEY .env.local' } }, want: 'deny' },
    { name: 'asked for a name', given: { input: { command: "grep -q '^API_KEY=' .env" } }, want: 'abstain' },
    { name: 'asked for a name, with its value', given: { input: { command: "grep '^API_KEY=' .env" } }, want: 'deny' },
    {
      name: 'asked for what looks like an option',
      given: { input: { command: 'grep -e -c -e = .env' } },
      want: 'deny',
    },
    { name: 'its lines', given: { input: { command: 'wc -l .env' } }, want: 'abstain' },
    { name: 'searched for', given: { input: { command: 'grep .env README.md' } }, want: 'abstain' },
    { name: 'on stdin', given: { input: { command: 'sort < .env' } }, want: 'deny' },
    { name: 'its mode', given: { input: { command: 'chmod 600 .env' } }, want: 'abstain' },
    { name: 'behind sudo', given: { input: { command: 'sudo -u app cat .env' } }, want: 'deny' },
    { name: 'deleted', given: { input: { command: 'rm -f .env' } }, want: 'abstain' },
    { name: 'in another folder', given: { input: { command: 'cat "$DIR/.env"' } }, want: 'deny' },
    { name: 'by a pattern', given: { input: { command: 'cat .env.*' } }, want: 'deny' },
    { name: 'another file by a pattern', given: { input: { command: 'cat *.md' } }, want: 'abstain' },
    { name: 'committed', given: { input: { command: 'git show HEAD~2:.env' } }, want: 'deny' },
    { name: 'a commit about it', given: { input: { command: 'git commit -m "no cat .env"' } }, want: 'abstain' },
    { name: 'run by the shell', given: { input: { command: 'source .env' } }, want: 'ask' },
    { name: 'a file that is read', given: { tool: 'read', input: { path: '.env' } }, want: 'deny' },
    { name: 'a template that is read', given: { tool: 'read', input: { path: '.env.template' } }, want: 'abstain' },
    { name: 'listed for', given: { tool: 'list', input: { path: '.', pattern: '**/.env' } }, want: 'deny' },
    { name: 'others listed', given: { tool: 'list', input: { path: '.', pattern: '**/*.ts' } }, want: 'abstain' },
    { name: 'searched by a tool', given: { tool: 'search', input: { path: '.env', pattern: 'K' } }, want: 'deny' },
    {
      name: 'searched for by a tool',
      given: { tool: 'search', input: { path: 'src', pattern: '.env' } },
      want: 'abstain',
    },
    { name: 'by a tool of a server', given: { tool: 'mcp', input: { path: 'app/.env' } }, want: 'deny' },
    { name: 'by a tool that is not known', given: { tool: 'other', input: { path: 'app/.env' } }, want: 'deny' },
    {
      name: 'allowed',
      given: { input: { command: 'cat test/.env' }, params: { allowedFiles: ['test/.env'] } },
      want: 'abstain',
    },
  ],
})
