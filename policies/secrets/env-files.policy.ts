import { abstains, ask, asks, definePolicy, denies, deny, quoted } from 'hookgate/policy'
import { secretReads } from './reads.ts'
import { readParams } from './params.ts'

export default definePolicy({
  id: 'env-files',
  description: 'Keeps the agent from reading the values in `.env` files',
  severity: 'high',
  on: 'PreToolUse',
  tool: ['shell', 'read', 'search', 'list', 'fetch', 'browser', 'mcp', 'other'],
  interest: { access: ['read', 'execute', 'delete'] },
  params: readParams,
  decide({ tool, shell, paths, impacts, params }) {
    const reads = secretReads({ tool, shell, paths, impacts }, params.allowedFiles).filter(
      ({ secret, alias, command }) =>
        secret.kind === 'environment' &&
        (alias !== true || shell.flows.some(({ from, via }) => from === command && via === 'file')),
    )
    const worst = reads.find(({ secret }) => secret.sure) ?? reads[0]
    if (worst === undefined) return undefined
    const at = worst.command
    const { path, sure } = worst.secret
    if (!sure)
      return ask(
        `this would show what is in ${quoted(path)}, which may hold passwords: ask the person for what you need`,
        { at },
      )
    return deny(
      `this would read ${quoted(path)}, with passwords and tokens: read \`.env.example\` for the names, and ask for a value`,
      {
        at,
      },
    )
  },
  examples: [
    { name: 'printed', given: { input: { command: 'cat .env' } }, want: { effect: 'deny', reason: '.env.example' } },
    abstains('a copy for others to fill in', 'cat .env.example'),
    denies('of production', 'head -3 app/.env.production'),
    abstains('only printed', 'echo cat .env'),
    denies('searched', 'grep KEY .env.local'),
    abstains('searched for a name', "grep -q '^API_KEY=' .env"),
    denies('searched for a name, with its value', "grep '^API_KEY=' .env"),
    denies('searched for what looks like an option', 'grep -e -c -e = .env'),
    abstains('a variable that is no secret', "grep '^PORT=' .env"),
    denies('variables that begin so', "grep '^P' .env"),
    abstains('names alone', 'cut -d= -f1 .env'),
    denies('values alone', 'cut -d= -f2 .env'),
    abstains('names alone, by sed', "sed 's/=.*//' .env"),
    denies('all but names', "sed 's/.*=//' .env"),
    abstains('names alone, by awk', "awk -F= '{print $1}' .env"),
    abstains('its lines', 'wc -l .env'),
    abstains('searched for', 'grep .env README.md'),
    denies('on stdin', 'sort < .env'),
    abstains('its mode', 'chmod 600 .env'),
    denies('behind sudo', 'sudo -u app cat .env'),
    abstains('deleted', 'rm -f .env'),
    denies('in another folder', 'cat "$DIR/.env"'),
    denies('by a pattern', 'cat .env.*'),
    abstains('another file by a pattern', 'cat *.md'),
    denies('committed', 'git show HEAD~2:.env'),
    abstains('a commit about it', 'git commit -m "no cat .env"'),
    abstains('run by the shell', 'source .env && npm start'),
    asks('run by the shell, and shown', 'source .env; env'),
    asks('run by a shell that shows it', 'set -x; . ./.env'),
    abstains('with its values hidden', "sed 's/=.*/=***/' .env"),
    denies('with one value hidden', "sed 's/^A=.*/A=***/' .env"),
    abstains('names alone, by another program', 'cat .env | sort | cut -d = -f 1'),
    abstains('made variables', 'export $(grep -v "^#" .env | xargs)'),
    denies('a file that is read', { tool: 'read', input: { path: '.env' } }),
    abstains('a template that is read', { tool: 'read', input: { path: '.env.template' } }),
    abstains('its name listed', { tool: 'list', input: { path: '.', pattern: '**/.env' } }),
    denies('searched by a tool', { tool: 'search', input: { path: '.env', pattern: 'K' } }),
    denies('searched in a folder', { tool: 'search', input: { path: '.', pattern: 'K', glob: '.env*' } }),
    abstains('variables that are no secret', { tool: 'search', input: { path: '.env', pattern: 'DB_HOST|DB_PORT' } }),
    abstains('searched for by a tool', { tool: 'search', input: { path: 'src', pattern: '.env' } }),
    denies('by a tool of a server', { tool: 'mcp', input: { path: 'app/.env' } }),
    denies('by a tool that is not known', { tool: 'other', input: { path: 'app/.env' } }),
    abstains('allowed', 'cat test/.env', { params: { allowedFiles: ['test/.env'] } }),
  ],
})
