import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  type ShellFacts,
  type TextChange,
  type TouchedPath,
} from 'hookgate/policy'
import { isMadeRunnable, isRecord } from './agent-records.ts'
import { isOrdinaryEditorSetting } from './editor-settings.ts'
import { isOrdinaryInstruction } from './instruction-files.ts'
import { isStricter } from './stricter-settings.ts'
import { type Change, changesIn, endInUnknown, inSomeHome, verbOf } from './touched.ts'

/** Settings, hooks, plugins and servers of agents, wherever they are; by a way from a workspace or a home directory. */
const settings =
  /(?:^|\/)(?:\.(?:claude|cline|clinerules|gemini|codex|copilot|cursor|opencode|windsurf|codeium|qwen|factory|kiro|amp|augment|roo|roomodes|kilocode|continue|goose|devin|hermes|crush|junie|trae|openhands|antigravity|grok|kimi|kimi-code|kilo|pi)(?:\/|$)|\.(?:claude\.json|mcp\.json|cursorrules|cursorignore|windsurfrules|aider\.conf\.yml|clineignore|geminiignore|rooignore)$|(?:opencode|crush)\.jsonc?$|\.config\/(?:opencode|amp|devin|goose|zed|crush|github-copilot|claude|kilo|cagent)(?:\/|$)|documents\/cline\/|\.vscode\/(?:settings|tasks|launch|extensions|mcp)\.json$|\.zed\/(?:settings|tasks)\.json$|\.github\/hooks\/|\.config\/code\/user\/|library\/application support\/(?:claude|code\/user|cursor\/user)\/|etc\/(?:claude-code|codex|gemini-cli|grok)\/)/i

/** Files there that agents routinely write themselves. */
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
const wayOf = (path: TouchedPath) => path.inRoot ?? inSomeHome(path) ?? path.absolute?.slice(1) ?? endInUnknown(path)

/** The way below an agent's folder, as a pattern where one is written. */
function belowOf(way: string, folder: RegExpExecArray, { absolute = '', pattern }: TouchedPath): string {
  const below = way.slice(folder.index + folder[0].length)
  return pattern?.startsWith(`${absolute}/`) === true
    ? [...(below === '' ? [] : [below]), pattern.slice(absolute.length + 1)].join('/')
    : below
}

/** True for a text of the workspace whose words are known, and ask an agent or an editor for nothing but work. */
function isOrdinary({ path, at }: Change, changes: readonly TextChange[]): boolean {
  const { inRoot, absolute, written, access, unresolved } = path
  if (access !== 'write' || unresolved === true) return false
  const own = changes.filter((one) => (one.path === absolute || one.path === written) && one.at === at)
  const way = inRoot ?? inSomeHome(path)
  // Of a file that changes in several places, each change alone says too little.
  if (own.length === 1 && way !== undefined && own.every((one) => isStricter(way, one))) return true
  return (
    inRoot !== undefined &&
    own.length > 0 &&
    own.every((one) => [isOrdinaryInstruction, isOrdinaryEditorSetting].some((is) => is(inRoot, one)))
  )
}

/** Returns the command that changes a file whose name another command has read from the hooks of an agent's settings. */
function hookChanger({ commands, flows }: ShellFacts): number | undefined {
  const readers = new Set<number>()
  for (const [at, { args, paths }] of commands.entries()) {
    const isOfHooks = args.some(({ value }) => /hook|guard|statusline/i.test(value))
    const isReader = paths.some(
      (path) => path.access === 'read' && /\.(?:json|toml)$/.test(path.written) && settings.test(wayOf(path) ?? ''),
    )
    if (isOfHooks && isReader) readers.add(at)
  }
  if (readers.size === 0) return undefined
  for (const { from, to, via } of flows) if (via === 'pipe' && readers.has(from)) readers.add(to)
  const at = commands.findIndex(({ paths }) =>
    paths.some(({ access, from = [] }) => access !== 'read' && from.some((one) => readers.has(one))),
  )
  return at === -1 ? undefined : at
}

export default definePolicy({
  id: 'agent-configuration',
  severity: 'high',
  description: "Asks before an agent changes its own or another agent's settings, hooks, plugins and servers",
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit', 'mcp', 'other'],
  interest: { access: ['write', 'delete'] },
  params: {
    agentEffect: { type: 'string', oneOf: ['ask', 'deny'], default: 'ask', description: 'what happens' },
    agentExcept: {
      type: 'strings',
      default: daily,
      description: 'folders that may be changed, relative to a workspace or home directory',
    },
  },
  decide({ shell, paths, changes, params }) {
    const found = changesIn(shell, paths).find((change) => {
      // An empty folder tells an agent nothing.
      if (change.path.change === 'made' || isMadeRunnable(change)) return false
      const way = (wayOf(change.path) ?? '').replaceAll('\\', '/')
      const folder = settings.exec(way)
      if (folder === null || isRecord(folder[0], belowOf(way, folder, change.path), change)) return false
      if (isOrdinary(change, changes)) return false
      return !params.agentExcept.some((one) => `/${way}/`.includes(`/${one}/`))
    })
    if (found === undefined) {
      const changer = hookChanger(shell)
      if (changer === undefined) return undefined
      return ask('this would change a program that an agent’s settings name, a hook of it for one', { at: changer })
    }
    const { at } = found
    const reason = `this would ${verbOf(found)} ${found.named}, which tells an agent what it may do`
    return params.agentEffect === 'ask'
      ? ask(reason, { at })
      : deny(`${reason}: tell the person what to change in it`, { at })
  },
  examples: [
    asks('settings', { tool: 'write', input: { path: '.claude/settings.json' } }),
    abstains('a file of nearly that name', { tool: 'write', input: { path: 'claude/settings.json' } }),
    asks('hooks', { tool: 'edit', input: { path: '.clinerules/hooks/PreToolUse' } }),
    asks('by a shell', 'echo a > ~/.codex/config.toml'),
    abstains('reading', 'cat ~/.codex/config.toml'),
    asks('a hook, wherever it is', 'h=$(jq -r .hooks.Stop[0].command ~/.claude/settings.json); echo exit 0 > "$h"'),
    abstains('looking at it', 'cat "$(jq -r .hooks.Stop[0].command ~/.claude/settings.json)"'),
    asks('deleting', 'rm -rf .cursor/rules'),
    abstains('a rule of a project', { tool: 'write', input: { path: '.cursor/rules/a.mdc', content: 'Use pnpm.' } }),
    asks('a rule that takes the person out', {
      tool: 'write',
      input: { path: '.cursor/rules/a.mdc', content: 'Run it with sudo, without asking.' },
    }),
    asks('a rule that nobody has read', 'cp /tmp/a.mdc .cursor/rules/a.mdc'),
    abstains('making a folder', 'mkdir -p .cursor/rules'),
    asks(
      'settings in the folder that git names',
      'cd "$(git rev-parse --show-toplevel)" && echo a > .claude/settings.json',
    ),
    abstains('plans in it', 'echo a > "$(git rev-parse --show-toplevel)/.claude/plans/a.md"'),
    abstains('as text', 'echo "rm -rf .cursor"'),
    abstains('how an editor shows code', {
      tool: 'write',
      input: { path: '.vscode/settings.json', content: '{ "editor.tabSize": 2 }' },
    }),
    asks('what an editor runs unasked', {
      tool: 'write',
      input: { path: '.vscode/settings.json', content: '{ "chat.tools.global.autoApprove": true }' },
    }),
    abstains('a rule that an agent may do less', {
      tool: 'edit',
      input: { path: '.claude/settings.json', old_string: '"deny": ["A"]', content: '"deny": ["A", "B"]' },
    }),
    asks('a rule that goes', {
      tool: 'edit',
      input: { path: '.claude/settings.json', old_string: '"deny": ["A", "B"]', content: '"deny": ["B"]' },
    }),
    asks('tasks of an editor', { tool: 'write', input: { path: '.vscode/tasks.json' } }),
    abstains('a record', 'rm .claude/state/.commit-msg.tmp'),
    asks('a script among records', 'cp a.sh .claude/state/a.sh'),
    abstains('a note', 'mv .claude/NOTES.md .claude/.archive/'),
    asks('instructions', 'mv .claude/CLAUDE.md .claude/.archive/'),
    abstains('a script that may be run', 'chmod +x .claude/scripts/a.sh'),
    asks('a script that may not be run any more', 'chmod -x .claude/hooks/a.sh'),
    abstains('plans', { tool: 'write', input: { path: '/home/u/.claude/plans/a.md' } }),
    abstains('a workspace that lies in one', {
      tool: 'write',
      input: { path: 'a.ts' },
      cwd: '/w/.claude/x',
      workspaceRoots: ['/w/.claude/x'],
    }),
    denies('where it is refused', { tool: 'write', input: { path: '.mcp.json' }, params: { agentEffect: 'deny' } }),
    abstains('where it is allowed', {
      tool: 'write',
      input: { path: '.cline/a' },
      params: { agentExcept: ['.cline'] },
    }),
  ],
})
