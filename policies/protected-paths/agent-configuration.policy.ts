import { ask, definePolicy, deny, type TouchedPath } from 'hookgate/policy'
import { changesIn, inSomeHome, verbOf } from './touched.ts'

/** Settings, hooks, plugins and servers of agents, wherever they are; by a way from a workspace or a home directory. */
const settings =
  /(?:^|\/)(?:\.(?:claude|cline|clinerules|gemini|codex|copilot|cursor|opencode|windsurf|codeium|qwen|factory|kiro|amp|augment|roo|roomodes|kilocode|continue|goose|devin|hermes|crush|junie|trae|openhands|antigravity|kimi|pi)(?:\/|$)|\.(?:claude\.json|mcp\.json|cursorrules|cursorignore|windsurfrules|aider\.conf\.yml|clineignore|geminiignore|rooignore)$|(?:opencode|crush)\.jsonc?$|\.config\/(?:opencode|amp|devin|goose|zed|crush|github-copilot|claude|kilo|cagent)(?:\/|$)|documents\/cline\/|\.vscode\/(?:settings|tasks|launch|extensions|mcp)\.json$|\.zed\/(?:settings|tasks)\.json$|\.github\/hooks\/|\.config\/code\/user\/|library\/application support\/(?:claude|code\/user|cursor\/user)\/|etc\/(?:claude-code|codex|gemini-cli)\/)/i

/** What agents themselves write there all day. */
const daily: readonly string[] = [
  '.claude/plans',
  '.claude/projects',
  '.claude/todos',
  '.claude/worktrees',
  '.cursor/plans',
  '.cursor/worktrees',
  '.codex/sessions',
  '.gemini/tmp',
]

/** Of a path in a workspace only what is below its root counts: that may itself lie in `.claude/worktrees`. */
const wayOf = (path: TouchedPath) => path.inRoot ?? inSomeHome(path) ?? path.absolute?.slice(1)

export default definePolicy({
  id: 'agent-configuration',
  severity: 'high',
  description: "Asks before an agent changes its own or another agent's settings, hooks, plugins and servers",
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit'],
  params: {
    agentEffect: { type: 'string', oneOf: ['ask', 'deny'], default: 'ask', description: 'what happens' },
    agentExcept: {
      type: 'strings',
      default: daily,
      description: 'folders that may be changed, relative to a workspace or home directory',
    },
  },
  decide({ shell, paths, params }) {
    const found = changesIn(shell, paths).find(({ path }) => {
      const way = (wayOf(path) ?? '').replaceAll('\\', '/')
      return settings.test(way) && !params.agentExcept.some((one) => `/${way}/`.includes(`/${one}/`))
    })
    if (found === undefined) return undefined
    const reason = `this would ${verbOf(found)} ${found.named}, which tells an agent what it may do`
    return params.agentEffect === 'ask' ? ask(reason) : deny(`${reason}: tell the person what to change in it`)
  },
  examples: [
    { name: 'settings', given: { tool: 'write', input: { path: '.claude/settings.json' } }, want: 'ask' },
    {
      name: 'a file of nearly that name',
      given: { tool: 'write', input: { path: 'claude/settings.json' } },
      want: 'abstain',
    },
    { name: 'hooks', given: { tool: 'edit', input: { path: '.clinerules/hooks/PreToolUse' } }, want: 'ask' },
    { name: 'by a shell', given: { input: { command: 'echo a > ~/.codex/config.toml' } }, want: 'ask' },
    { name: 'reading', given: { input: { command: 'cat ~/.codex/config.toml' } }, want: 'abstain' },
    { name: 'deleting', given: { input: { command: 'rm -rf .cursor/rules' } }, want: 'ask' },
    { name: 'as text', given: { input: { command: 'echo "rm -rf .cursor"' } }, want: 'abstain' },
    { name: 'tasks of an editor', given: { tool: 'write', input: { path: '.vscode/tasks.json' } }, want: 'ask' },
    { name: 'plans', given: { tool: 'write', input: { path: '/home/u/.claude/plans/a.md' } }, want: 'abstain' },
    {
      name: 'a workspace that lies in one',
      given: { tool: 'write', input: { path: 'a.ts' }, cwd: '/w/.claude/x', workspaceRoots: ['/w/.claude/x'] },
      want: 'abstain',
    },
    {
      name: 'where it is refused',
      given: { tool: 'write', input: { path: '.mcp.json' }, params: { agentEffect: 'deny' } },
      want: 'deny',
    },
    {
      name: 'where it is allowed',
      given: { tool: 'write', input: { path: '.cline/a' }, params: { agentExcept: ['.cline'] } },
      want: 'abstain',
    },
  ],
})
