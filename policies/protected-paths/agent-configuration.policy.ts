import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  leavesPersonOut,
  setOf,
  type ShellFacts,
  type TextChange,
  type TouchedPath,
  unknownPart,
} from 'hookgate/policy'
import { type Change, changesIn, editsBelow, endInUnknown, inSomeHome, verbOf } from './touched.ts'
import { harmingInstruction, isProhibition } from './instructions.ts'

/** An agent's settings of a project, in which lists say what it may not do, or has to ask about. */
const settingsFile = /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/
/** Settings of other files that permit less with one value, and that value. */
const stricter =
  /^\s*(?:"security\.workspace\.trust\.(?:enabled|emptyWindow)"\s*:\s*true|"chat\.tools\.(?:global\.)?autoApprove"\s*:\s*false|"task\.allowAutomaticTasks"\s*:\s*"off")\s*,?\s*$/
const editor = /(?:^|\/)\.vscode\/settings\.json$/i

/** Matches a list of rules that deny or ask, with its entries as the second group. */
const lists = () => /("(?:deny|ask)"\s*:\s*\[)((?:\s*"(?:[^"\\]|\\.)*"\s*,?)*)(\s*\])?/g

/** Returns the rules that a text denies or asks about, and what else is in it but brackets. */
function rulesIn(text: string): { readonly rules: readonly string[]; readonly rest: string } {
  const rules: string[] = []
  const rest = text.replaceAll(lists(), (_, key: string, entries: string) => {
    rules.push(...[...entries.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([entry]) => `${key.slice(1, 4)} ${entry}`))
    return ''
  })
  return { rules, rest: rest.replaceAll(/"permissions"\s*:|[\s{}\],]/g, '') }
}

/** Lists in which an entry more permits less, and lists in which an entry less does. */
const refusing = setOf(['deny', 'ask', 'excludeTools', 'exclude', 'disallowedTools'])
const permitting = setOf(['allow', 'additionalDirectories'])

/** Values of settings, each of which permits less than those before it; `''` where there is none. */
const ladders: readonly (readonly [key: string, ...values: string[]])[] = [
  ['defaultMode', 'bypassPermissions', 'acceptEdits', '', 'default', 'plan'],
  ['disableBypassPermissionsMode', '', 'disable'],
  ['disableAutoMode', '', 'disable'],
  ['disableYoloMode', 'false', '', 'true'],
  ['enableAllProjectMcpServers', 'true', '', 'false'],
  ['approval_policy', 'never', 'on-failure', 'on-request', 'untrusted'],
  ['sandbox_mode', 'danger-full-access', 'workspace-write', 'read-only'],
  ['network_access', 'true', 'false'],
]

/** True if a value of a setting permits less than, or as much as, the one before. */
function isLess(key: string, before: unknown, after: unknown): boolean {
  const [, ...values] = ladders.find(([name]) => name === key) ?? []
  const [from, to] = [before, after].map((one) =>
    values.indexOf(typeof one === 'string' ? one : one === undefined ? '' : JSON.stringify(one)),
  )
  return from !== undefined && to !== undefined && from !== -1 && from <= to
}

/** True if settings permit no more than before: of what has changed, each part is known to permit less. */
function permitsLess(before: unknown, after: unknown, key = ''): boolean {
  if (JSON.stringify(before) === JSON.stringify(after)) return true
  if (refusing.has(key) || permitting.has(key)) {
    const [less, more] = (refusing.has(key) ? [before, after] : [after, before]).map((one): unknown => one ?? [])
    return (
      Array.isArray(less) && Array.isArray(more) && less.every((one) => typeof one === 'string' && more.includes(one))
    )
  }
  if (!isObject(before ?? {}) || !isObject(after ?? {})) return isLess(key, before, after)
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...was.keys(), ...is.keys()])].every((name) => permitsLess(was.get(name), is.get(name), name))
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (value: unknown) => new Map<string, unknown>(isObject(value) ? Object.entries(value) : [])

/** Reads JSON that has no comments; `undefined` for anything else. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A line of TOML that sets one value of a ladder. */
const setting = /^\s*(\w+)\s*=\s*(?:"([\w-]*)"|(true|false))\s*(?:#.*)?$/
const valuesIn = (text: string) =>
  text.split('\n').flatMap((line): [string, string][] => {
    const [, key, quoted, plain] = setting.exec(line) ?? []
    return line.trim() === '' ? [] : [[key ?? '', quoted ?? plain ?? '']]
  })

/** True for lines of TOML that set the value that permits least, wherever in the file they stand. */
function setsLeast(removed: string, added: string): boolean {
  const [before, after] = [valuesIn(removed), valuesIn(added)]
  return (
    before.length === after.length &&
    after.every(
      ([key, value], at) =>
        before[at]?.[0] === key &&
        ladders.find(([name]) => name === key)?.at(-1) === value &&
        isLess(key, before[at]?.[1], value),
    )
  )
}

/** True for a change of settings after which an agent may do less than before, and nothing else is other. */
function isStricter(way: string, { removed, added, file: whole }: TextChange): boolean {
  if (added === '' && whole === undefined) return false
  if (editor.test(way)) return added.split('\n').every((line) => line.trim() === '' || stricter.test(line))
  if (way.endsWith('.toml')) return setsLeast(removed, added)
  const [old, made] = whole === undefined ? [] : [jsonOf(whole.before), jsonOf(whole.after)]
  if (old !== undefined && made !== undefined) return permitsLess(old, made)
  if (!settingsFile.test(way)) return false
  const [before, after] = [rulesIn(removed), rulesIn(added)]
  return (
    before.rest === after.rest &&
    after.rules.length > before.rules.length &&
    before.rules.every((rule) => after.rules.includes(rule))
  )
}

/** Texts of a project that an agent follows when a person or a file's name asks for them: rules, commands, skills. */
const instructing =
  /(?:^|\/)(?:\.(?:cursor|windsurf|augment|continue|trae|roo|kilocode|claude)\/rules[\w-]*\/[^\n]+|\.(?:clinerules|kiro\/steering|junie|openhands\/microagents)\/[^\n]+|\.(?:claude|cursor|gemini|qwen|codex|opencode|factory|copilot|crush|kimi|pi|kilocode)\/(?:commands?|agents?|droids|skills?|prompts|output-styles|modes)\/[^\n]+|\.(?:claude|gemini|qwen|codex)\/(?:claude|gemini|qwen|agents))\.(?:mdc?|markdown)$|(?:^|\/)\.(?:cursorrules|windsurfrules)$/i

/** Lines in front of such a text that grant what a person is asked about, or run something by themselves. */
const granting =
  /^\s*(?:hooks|mcp-?servers|disallowed-?tools)\s*:|^\s*permission-?mode\s*:\s*(?!plan\b|default\b)\S|^\s*allowed-?tools\s*:.{0,400}\bbash\b(?!\((?!\s*[*:]))|^\s*allowed-?tools\s*:.{0,400}["'\s,[]\*/im
/** Commands that no text of a project needs to tell an agent, or that run in the moment in which it is asked for. */
const running =
  /^(?![^\S\n]{0,40}\|)[^\n]{0,300}\|\s{0,40}(?:sudo\s{1,40})?(?:(?:ba|z|da|k)?sh|iex)\b(?![^\S\n]{0,40}\|)|\bbase64\s+(?:-d|-D|--decode)|\bsudo\b|\brm\s+-\w*r\w*\s+(?:["']?(?:~|\/(?!tmp\b)|\$\{?HOME))|\bchmod\s+(?:-R\s+)?[0-7]?777\b|bypassPermissions|danger-full-access|--yolo\b|--trust-all|\bpush\s[^\n]{0,80}(?:--force(?!-)|\s-f\b)|!`[^`\n]{0,200}(?:\b(?:curl|wget|nc|ssh|env|printenv|rm|eval|node|python3?)\b|\.env\b)/im
/** Says to take orders from elsewhere. */
const elsewhere =
  /\b(?:fetch|download|open|load|read|get)\b[^\n]{0,200}https?:[^\n]{0,200}\b(?:follow|obey|execute|run it|do what)\b/i
/** Characters that a person does not see: they may say anything. */
const unseen = /[\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069]|\uDB40[\uDC00-\uDC7F]/

/** A longer text was not written by hand, and is not read to its end. */
const longest = 40_000

/**
 * True for a text for agents that asks for nothing but work: it grants nothing, hides nothing, and says nothing that
 * harms or takes the person out. What is taken away may be work as well, but no prohibition.
 *
 * @param way of the file in its workspace
 */
function isOrdinaryInstruction(way: string, { removed, added }: TextChange): boolean {
  if (!instructing.test(way) || added === '' || added.length > longest || unseen.test(added)) return false
  const prohibitions = [removed, added].map((text) => text.split('\n').filter(isProhibition).length)
  return (
    (prohibitions[0] ?? 0) <= (prohibitions[1] ?? 0) &&
    ![granting, running, elsewhere].some((look) => look.test(added)) &&
    !leavesPersonOut(added) &&
    harmingInstruction(added) === undefined
  )
}

/** An editor's settings for a project: most say how code looks, some what runs or what an agent may do unasked. */
const editorFile = /(?:^|\/)\.vscode\/settings\.json$/i

/** Settings that run nothing, load nothing and permit nothing, whatever their values. */
const ordinary =
  /^(?:(?:editor|search|explorer|emmet|css|less|scss)\.[\w.]+|cSpell\.(?:words|userWords|ignoreWords|ignorePaths|enabled|language)|(?:\[[\w-]+\]){1,9}|source\.(?:organizeImports|fixAll)(?:\.\w+)*|files\.(?:eol|encoding|autoSave|insertFinalNewline|trimFinalNewlines|trimTrailingWhitespace|exclude|watcherExclude|associations)|workbench\.(?:colorTheme|iconTheme)|prettier\.(?:semi|singleQuote|tabWidth|useTabs|printWidth|trailingComma|requireConfig)|eslint\.(?:enable|validate|format\.enable|useFlatConfig)|(?:typescript|javascript)\.(?:preferences|format|suggest|inlayHints|updateImportsOnFileMove)\.[\w.]+|python\.(?:analysis\.(?:typeCheckingMode|diagnosticMode|autoImportCompletions|extraPaths)|linting\.(?:enabled|\w+Enabled)|formatting\.provider|terminal\.activate\w+|testing\.(?:pytestEnabled|unittestEnabled|pytestArgs|autoTestDiscoverOnSaveEnabled)))$/

/** The project's own interpreter and compiler, which its commands run as well. */
const projectTools = () =>
  /"python\.defaultInterpreterPath"\s*:\s*"(?:\$\{workspaceFolder\}\/|\.\/)?(?:[\w-]+\/){0,4}\.?venv\/bin\/python3?"|"typescript\.tsdk"\s*:\s*"(?:\.\/)?node_modules\/typescript\/lib"/g
/** Lists and patterns of files, whose key stands before them. */
const nested = () =>
  /("[\w.]{1,60}"\s*:\s*)\[[^[\]{}]*\]|("files\.(?:exclude|watcherExclude|associations)"\s*:\s*)\{[^{}]*\}/g

function isOrdinaryLine(line: string): boolean {
  const text = line.trim()
  if (/^[\s{}\],]*$/.test(text) || text.startsWith('//')) return true
  const keys = [...text.matchAll(/"([^"]*)"\s*:/g)]
  return (
    keys[0]?.index === text.search(/[^\s{}\],]/) &&
    !text.includes('\\') &&
    text.split('"').length % 2 === 1 &&
    keys.every(([, key = '']) => ordinary.test(key))
  )
}

/** True for a change of an editor's settings in a project that says how code looks, and nothing more. */
const isOrdinaryEditorSetting = (way: string, { removed, added }: TextChange): boolean =>
  editorFile.test(way) &&
  added !== '' &&
  [removed, added].every((text) =>
    text.replace(projectTools(), '').replace(nested(), '$1$2 0').split('\n').every(isOrdinaryLine),
  )

/** Folders whose files an agent reads as its configuration, or that hold what its hooks run. */
const components =
  /(?:^|\/)\.?(?:hooks?|agents?|subagents?|droids|commands|prompts|skills?|rules[^/]*|cline|clinerules|workflows|modes|output-styles|steering|instructions|guidelines|memor(?:y|ies)|microagents|plugins?|extensions?|mcp[^/]*|tools|scripts?|bin|lib|helpers|policies|themes|keybindings)(?:\/|$)/i

/** Folders in which agents and their scripts keep what they have done, and nothing that is read as configuration. */
const records =
  /^\.?(?:state|logs?|cache|caches|tmp|temp|backups?|archives?|old|trash|history|sessions|transcripts|notes|plans|todos|tasks|reports|research|reviews|handoffs?|scratch|drafts|metrics|telemetry|debug|worktrees|shell-snapshots|file-history|statsig)(?:\/|$)/i

/** Files that nothing reads as configuration, wherever they are: leftovers and records. */
const leftover =
  /(?:^|[/\\])(?:\.DS_Store|Thumbs\.db|desktop\.ini|\.gitkeep)$|\.(?:log|tmp|temp|bak|orig|rej|old|backup|swp|pid|lock)$|~$/i
/** Files of data, which are none outside of the folders of components. A database may hold approvals and conversations. */
const data = /\.(?:csv|tsv|txt|jsonl|ndjson|png|jpe?g|gif|svg|pdf|html?|diff|patch|zip|gz|out|err)$/i
/** A text directly in an agent's folder, other than its instructions. */
const text = /^[^/]+\.mdx?$/i
const instructions =
  /claude|agents?|gemini|qwen|codex|copilot|cursor|instruction|guideline|rule|memory|system|soul|identity|user|tools?|context|prompt|override/i
const program = /\.(?:sh|bash|zsh|fish|py|rb|pl|php|lua|[cm]?[jt]sx?|ps1|bat|cmd|exe)$/i

/** True for a file of an agent's folder that cannot change what the agent does, by the way of it below that folder. */
function isRecord(folder: string, way: string, { path }: Change): boolean {
  if (leftover.test(path.unresolved === true ? path.written : way)) return true
  if (way.includes(unknownPart) || way.includes('..') || path.unresolved === true) return false
  const isPattern = /[*?[{(]/.test(way)
  if (isPattern && way.includes('/')) return false
  if (records.test(way)) return path.access === 'delete' || !program.test(way)
  if (components.test(folder) || components.test(way)) return false
  return data.test(way) || (!isPattern && text.test(way) && !instructions.test(way))
}

/** True for a file that is only let run. */
const isMadeRunnable = ({ path: { rights, recursive } }: Change): boolean =>
  rights?.includes('runs') === true && recursive !== true

/** Settings, hooks, plugins and servers of agents, wherever they are; by a way from a workspace or a home directory. */
const settings =
  /(?:^|\/)(?:\.(?:claude|cline|clinerules|gemini|codex|copilot|cursor|opencode|windsurf|codeium|qwen|factory|kiro|amp|augment|roo|roomodes|kilocode|continue|goose|devin|hermes|crush|junie|trae|openhands|antigravity|grok|kimi|kimi-code|kilo|pi|openclaw)(?:\/|$)|\.(?:claude\.json|mcp\.json|cursorrules|cursorignore|windsurfrules|aider\.conf\.yml|clineignore|geminiignore|rooignore)$|(?:opencode|crush)\.jsonc?$|\.config\/(?:opencode|amp|devin|goose|zed|crush|github-copilot|claude|kilo|cagent)(?:\/|$)|documents\/cline\/|\.vscode\/(?:settings|tasks|launch|extensions|mcp)\.json$|\.zed\/(?:settings|tasks)\.json$|\.github\/hooks\/|\.config\/code\/user\/|library\/application support\/(?:claude|code\/user|cursor\/user)\/|etc\/(?:claude-code|codex|gemini-cli|grok)\/)/i

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
      // Of an editor's folder, only some files are settings.
      const folder = settings.exec(way) ?? (editsBelow(change, shell) ? settings.exec(`${way}/settings.json`) : null)
      if (folder === null || isRecord(folder[0], belowOf(way, folder, change.path), change)) return false
      if (isOrdinary(change, changes)) return false
      return !params.agentExcept.some((one) => `/${way}/`.includes(`/${one}/`))
    })
    if (found === undefined) {
      const changer = hookChanger(shell)
      if (changer === undefined) return undefined
      return ask(
        `\`${shell.commands[changer]?.program ?? ''}\` would change a program that an agent's settings start, such as a hook: have the person change it`,
        { at: changer },
      )
    }
    const { at } = found
    const reason = `this would ${verbOf(found)} ${found.named}, which tells an agent what it may do: have the person change it`
    return params.agentEffect === 'ask' ? ask(reason, { at }) : deny(reason, { at })
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
