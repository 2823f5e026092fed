import { ask, definePolicy, deny } from 'hookgate/policy'
import { isLike, isUnder, namesOf } from './patterns.ts'

const isAbsolute = (path: string) => /^(?:[/\\]|[a-z]:)/i.test(path)

/** A path's names from its workspace root on: a workspace may itself lie in a folder that is protected. */
function namesInWorkspace(path: string, cwd: string, roots: readonly (readonly string[])[]): readonly string[] {
  const names = namesOf(isAbsolute(path) ? path : `${cwd}/${path}`)
  const around = roots.filter((root) => root.every((name, at) => name === names[at]))
  return names.slice(Math.max(0, ...around.map((root) => root.length)))
}

/** What may be a path in a shell's text, without its quotes, each once. */
const wordsOf = (command: string) => new Set(command.replaceAll(/["'\\]/g, '').split(/[\s;&|()<>=:,{}`]+/))

export default definePolicy({
  id: 'protected-paths',
  description: 'Keeps agents from changing what guards them, and from secrets',
  on: 'PreToolUse',
  tool: ['write', 'edit', 'read', 'search', 'shell'],
  params: {
    paths: {
      type: 'strings',
      default: ['.git', '.hookgate', '.claude', '.cline*'],
      description: 'may not be written: names, or `folder/name`, and all below them; `*` is any text of a name',
    },
    secrets: {
      type: 'strings',
      default: ['.env', '.env.*', '*.pem', 'id_rsa', 'id_ed25519', '.netrc', '.aws/credentials'],
      description: 'may be neither written nor read',
    },
    except: {
      type: 'strings',
      default: ['.env.example', '.env.sample', '.env.template'],
      description: 'names of files that are not protected',
    },
    shell: {
      type: 'string',
      oneOf: ['ask', 'deny', 'ignore'],
      default: 'ask',
      description: 'what comes of a shell command that names any of them',
    },
  },
  decide({ event, tool, params }) {
    const roots = event.workspaceRoots.map(namesOf)
    const secrets = params.secrets.map(namesOf)
    const all = [...params.paths.map(namesOf), ...secrets]
    const except = params.except.map((pattern) => pattern.toLowerCase())
    const isAmong = (path: string, patterns: readonly (readonly string[])[]) => {
      const names = namesInWorkspace(path, event.session.cwd, roots)
      return patterns.some((parts) => isUnder(names, parts)) && !except.some((one) => isLike(names.at(-1), one))
    }
    if (tool.kind === 'shell') {
      if (params.shell === 'ignore') return undefined
      const word = [...wordsOf(tool.command ?? '')].find((one) => isAmong(one, all))
      if (word === undefined) return undefined
      const reason = `the command names ${word}, which is protected`
      return params.shell === 'ask' ? ask(reason) : deny(`${reason}: leave it to the person`)
    }
    const isReading = tool.kind === 'read' || tool.kind === 'search'
    const path = tool.paths.find((one) => isAmong(one, isReading ? secrets : all))
    if (path === undefined) return undefined
    return deny(`${path} is protected and may not be ${isReading ? 'read' : 'written'}: leave it to the person`)
  },
  examples: [
    {
      name: 'writing a secret',
      given: { tool: 'write', input: { path: '.env' } },
      want: { effect: 'deny', reason: '.env is protected and may not be written: leave it to the person' },
    },
    { name: 'editing a secret', given: { tool: 'edit', input: { path: '/workspace/a/.env.local' } }, want: 'deny' },
    {
      name: 'reading a secret',
      given: { tool: 'read', input: { path: 'certs/server.pem' } },
      want: { effect: 'deny', reason: 'certs/server.pem is protected and may not be read: leave it to the person' },
    },
    {
      name: 'searching a secret',
      given: { tool: 'search', input: { path: '.env' } },
      want: { effect: 'deny', reason: 'may not be read' },
    },
    { name: 'a key', given: { tool: 'read', input: { path: '~/.ssh/id_rsa' } }, want: 'deny' },
    { name: 'a newer key', given: { tool: 'read', input: { path: '/home/me/.ssh/id_ed25519' } }, want: 'deny' },
    { name: 'passwords', given: { tool: 'read', input: { path: '/home/me/.netrc' } }, want: 'deny' },
    { name: 'a cloud', given: { tool: 'read', input: { path: '/home/me/.aws/credentials' } }, want: 'deny' },
    {
      name: 'another file of a cloud',
      given: { tool: 'read', input: { path: '/home/me/.aws/config' } },
      want: 'abstain',
    },
    { name: 'credentials of nothing', given: { tool: 'read', input: { path: 'src/credentials' } }, want: 'abstain' },
    { name: 'a public key', given: { tool: 'read', input: { path: 'id_rsa.pub' } }, want: 'abstain' },
    { name: 'an example of a secret', given: { tool: 'write', input: { path: '.env.example' } }, want: 'abstain' },
    { name: 'a sample', given: { tool: 'write', input: { path: 'a/.env.sample' } }, want: 'abstain' },
    { name: 'a template', given: { tool: 'write', input: { path: '.ENV.Template' } }, want: 'abstain' },
    { name: 'below an example', given: { tool: 'write', input: { path: '.env.example/.env' } }, want: 'deny' },
    { name: 'what guards the agent', given: { tool: 'write', input: { path: '.hookgate/hooks.json' } }, want: 'deny' },
    { name: 'hooks of git', given: { tool: 'write', input: { path: 'lib/.git/hooks/pre-push' } }, want: 'deny' },
    { name: 'settings of an agent', given: { tool: 'edit', input: { path: '.claude/settings.json' } }, want: 'deny' },
    {
      name: 'rules of another',
      given: { tool: 'edit', input: { path: '.clinerules/hooks/PreToolUse' } },
      want: 'deny',
    },
    {
      name: 'reading what guards it',
      given: { tool: 'read', input: { path: '.hookgate/hooks.json' } },
      want: 'abstain',
    },
    { name: 'searching it', given: { tool: 'search', input: { path: '.git/config' } }, want: 'abstain' },
    { name: 'a name that only begins so', given: { tool: 'write', input: { path: '.gitignore' } }, want: 'abstain' },
    { name: 'a name that only ends so', given: { tool: 'write', input: { path: 'a.env' } }, want: 'abstain' },
    { name: 'anything else', given: { tool: 'write', input: { path: 'src/a.ts' } }, want: 'abstain' },
    { name: 'no path', given: { tool: 'write', input: {} }, want: 'abstain' },
    { name: 'capital letters', given: { tool: 'write', input: { path: '.GIT/config' } }, want: 'deny' },
    { name: 'backslashes', given: { tool: 'write', input: { path: 'a\\.git\\config' } }, want: 'deny' },
    { name: 'another drive', given: { tool: 'write', input: { path: 'C:\\a\\.git\\config' } }, want: 'deny' },
    { name: 'a way around', given: { tool: 'write', input: { path: 'src/..//./.git/./config' } }, want: 'deny' },
    { name: 'a way out again', given: { tool: 'write', input: { path: '.git/../src/a.ts' } }, want: 'abstain' },
    {
      name: 'from within',
      given: { tool: 'write', input: { path: 'config' }, cwd: '/w/.git', workspaceRoots: ['/w'] },
      want: 'deny',
    },
    {
      name: 'a workspace that lies in one',
      given: { tool: 'write', input: { path: '/w/.claude/worktrees/x/a.ts' }, cwd: '/w/.claude/worktrees/x' },
      want: 'abstain',
    },
    {
      name: 'a drive with a workspace that lies in one',
      given: { tool: 'write', input: { path: 'C:/.claude/x/a.ts' }, cwd: '/a', workspaceRoots: ['c:\\.claude\\x'] },
      want: 'abstain',
    },
    {
      name: 'relative to a workspace that lies in one',
      given: {
        tool: 'write',
        input: { path: 'a.ts' },
        cwd: '/w/.claude/x',
        workspaceRoots: ['/w', '/w/.claude/x', '/v'],
      },
      want: 'abstain',
    },
    {
      name: 'outside of the workspace that lies in one',
      given: { tool: 'write', input: { path: '../settings.json' }, cwd: '/w/.claude/x' },
      want: 'deny',
    },
    {
      name: 'without a workspace',
      given: { tool: 'write', input: { path: '.git/config' }, workspaceRoots: [] },
      want: 'deny',
    },
    {
      name: 'at the top of the disk',
      given: { tool: 'write', input: { path: '/.git/config' }, workspaceRoots: [] },
      want: 'deny',
    },
    {
      name: 'a dot in between',
      given: { tool: 'write', input: { path: 'db/./a' }, params: { paths: ['db/a'] } },
      want: 'deny',
    },
    {
      name: 'a path of their own',
      given: { tool: 'edit', input: { path: 'db/Migrations/1.sql' }, params: { paths: ['/DB/migrations/'] } },
      want: 'deny',
    },
    {
      name: 'and not the usual ones',
      given: { tool: 'edit', input: { path: '.git/config' }, params: { paths: ['db'] } },
      want: 'abstain',
    },
    {
      name: 'a pattern that names nothing',
      given: { tool: 'edit', input: { path: 'a' }, params: { paths: ['', '/'] } },
      want: 'abstain',
    },
    {
      name: 'a path that ends before its pattern',
      given: { tool: 'edit', input: { path: 'db' }, params: { paths: ['db/*'] } },
      want: 'abstain',
    },
    {
      name: 'parts of a name in another order',
      given: { tool: 'edit', input: { path: 'abc' }, params: { paths: ['*c*b*'] } },
      want: 'abstain',
    },
    {
      name: 'a secret of their own',
      given: { tool: 'read', input: { path: 'ops/vault/a' }, params: { secrets: ['vault'] } },
      want: 'deny',
    },
    {
      name: 'and not the usual secrets',
      given: { tool: 'read', input: { path: '.env' }, params: { secrets: ['vault'] } },
      want: 'abstain',
    },
    {
      name: 'an exception of their own',
      given: { tool: 'edit', input: { path: '.git/Info' }, params: { except: ['INF*'] } },
      want: 'abstain',
    },

    {
      name: 'a shell command',
      given: { tool: 'shell', input: { command: 'cat .env' } },
      want: { effect: 'ask', reason: 'the command names .env, which is protected' },
    },
    { name: 'below one', given: { tool: 'shell', input: { command: 'rm -rf .git/hooks' } }, want: 'ask' },
    { name: 'in quotes', given: { tool: 'shell', input: { command: `cat '.e'"nv"` } }, want: 'ask' },
    { name: 'escaped', given: { tool: 'shell', input: { command: 'cat .e\\nv' } }, want: 'ask' },
    { name: 'as an output', given: { tool: 'shell', input: { command: 'echo a>.env' } }, want: 'ask' },
    { name: 'as an input', given: { tool: 'shell', input: { command: 'wc<.env' } }, want: 'ask' },
    { name: 'as a value', given: { tool: 'shell', input: { command: 'docker run --env-file=.env x' } }, want: 'ask' },
    { name: 'of a commit', given: { tool: 'shell', input: { command: 'git show HEAD:.env' } }, want: 'ask' },
    { name: 'one of several', given: { tool: 'shell', input: { command: 'cat {a,.env}' } }, want: 'ask' },
    { name: 'between others', given: { tool: 'shell', input: { command: 'ls;cat .env&&ls' } }, want: 'ask' },
    { name: 'before a pipe', given: { tool: 'shell', input: { command: 'cat .env|wc' } }, want: 'ask' },
    { name: 'in a subshell', given: { tool: 'shell', input: { command: '(cat .env)' } }, want: 'ask' },
    { name: 'in backticks', given: { tool: 'shell', input: { command: 'a `cat .env`' } }, want: 'ask' },
    { name: 'on a line', given: { tool: 'shell', input: { command: 'ls\n.env\nls' } }, want: 'ask' },
    {
      name: 'another command',
      given: { tool: 'shell', input: { command: 'git status && cat .env.example' } },
      want: 'abstain',
    },
    { name: 'no command', given: { tool: 'shell', input: {} }, want: 'abstain' },
    {
      name: 'a command, where it is refused',
      given: { tool: 'shell', input: { command: 'cat .env' }, params: { shell: 'deny' } },
      want: { effect: 'deny', reason: 'the command names .env, which is protected: leave it to the person' },
    },
    {
      name: 'a command, where it is ignored',
      given: { tool: 'shell', input: { command: 'cat .env' }, params: { shell: 'ignore' } },
      want: 'abstain',
    },
  ],
})
