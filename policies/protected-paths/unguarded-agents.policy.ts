import { abstains, ask, asks, definePolicy, denies, deny, type PolicyAnswer, type ShellCommand } from 'hookgate/policy'

/** Agents that run hooks, with the words by which they are started past them or past every question. */
const agents: Readonly<Record<string, RegExp>> = {
  claude:
    /^(?:--safe-mode|--bare|--(?:allow-)?dangerously-skip-permissions|--setting-sources(?:=.*)?|--plugin-(?:dir(?:-no-mcp)?|url)(?:=.*)?|--permission-mode=bypassPermissions|bypassPermissions|--disable-slash-commands)$/,
  codex:
    /^(?:--yolo|--dangerously-\S+|danger-full-access|--sandbox=danger-full-access|--ignore-user-config|--disable=\S*hooks?)$/,
  gemini: /^(?:-y|--yolo|--approval-mode=yolo|yolo)$/,
  qwen: /^(?:-y|--yolo|--approval-mode=yolo|yolo)$/,
  copilot: /^(?:--yolo|--allow-all(?:-tools|-paths)?)$/,
  'cursor-agent': /^(?:-f|--force|--yolo)$/,
  droid: /^--skip-permissions-unsafe$/,
  amp: /^--dangerously-allow-all$/,
  aider: /^--yes-always$/,
  'kiro-cli': /^(?:-a|--trust-all-tools)$/,
  q: /^--trust-all-tools$/,
  goose: /^--no-session-guard$/,
  crush: /^(?:-y|--yolo)$/,
  cline: /^(?:-y|--yolo|--auto-approve-all)$/,
  kilo: /^(?:--pure|--yolo|--auto)$/,
  grok: /^(?:--always-approve|--permission-mode=bypassPermissions|bypassPermissions)$/,
  kimi: /^(?:-y|--yolo|--yes|--auto-approve)$/,
  roo: /^--yolo$/,
  opencode: /^(?:--pure|--dangerously-\S+)$/,
  pi: /^(?:-ne|--no-extensions|--no-hooks)$/,
  hermes: /^(?:--safe-mode|--yolo|--accept-hooks)$/,
  agy: /^(?:--dangerously-\S+|--yolo)$/,
  devin: /^(?:--dangerously-\S+|--yolo)$/,
  openclaw: /^--(?:dangerously-\S+|no-plugins)$/,
  auggie: /^--dangerously-\S+$/,
}
const always = /^--(?:safe-mode|no-hooks|disable-hooks|no-extensions|no-plugins|skip-hooks|dangerously-\S+|yolo)$/

/** Subcommands that change how an agent is set up, and what they do to it. */
const areas = /^(?:plugins?|extensions?|hooks?|mcp|config|settings|features|permissions|skills)$/
const changes =
  /^(?:install|uninstall|remove|rm|disable|disable-all|enable|add|add-json|set|unset|update|import|link|trust|marketplace)$/

/** Settings that are given with the command, by which its hooks would not run. */
const withoutHooks =
  /"?disableAllHooks"?\s{0,9}:\s{0,9}true|(?:features\.)?(?:codex_)?hooks?(?:\.enabled)?\s{0,9}=\s{0,9}"?false|allow_?untrusted|"hooks"\s{0,9}:\s{0,9}\{\}/i

/** Variables that have an agent take its settings from elsewhere, and those that turn its hooks off. */
const homes =
  /^(?:CLAUDE_CONFIG_DIR|CLAUDE_CODE_PLUGIN_(?:DIRS|CACHE_DIR)|CODEX_HOME|GEMINI_CLI_HOME|COPILOT_HOME|OPENCODE_CONFIG(?:_DIR|_CONTENT)?|QWEN_HOME|GROK_HOME|KIMI_CODE_HOME|CLINE_DIR|HERMES_HOME|PI_CODING_AGENT_DIR|XDG_CONFIG_HOME|HOME)$/
const switches =
  /(?:^|_)(?:SAFE_MODE|PURE|YOLO|NO_HOOKS|DISABLE_(?:DEFAULT_)?(?:HOOKS|PLUGINS|EXTENSIONS)|SKIP_HOOKS|SKIP_PERMISSIONS|AUTO_APPROVE)(?:_|$)/
/** The agent's settings folder. */
const isUsual = (value: string) =>
  /\/\.(?:claude|codex|gemini|copilot|qwen|grok|kimi-code|cline|hermes|pi\/agent|config(?:\/opencode)?)\/?$/.test(value)

const wordsOf = ({ args }: ShellCommand) => args.map(({ value }) => value)

export default definePolicy({
  id: 'unguarded-agents',
  severity: 'high',
  description: 'Refuses to start agents without their hooks and questions; asks before one is reconfigured',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: Object.keys(agents) },
  decide({ shell }) {
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const own = Object.hasOwn(agents, command.program) ? agents[command.program] : undefined
      if (own === undefined) continue
      const words = wordsOf(command)
      if (words.some((word) => /^(?:-h|--help|--version|-v)$/.test(word))) continue
      const past = words.find((word) => own.test(word) || always.test(word))
      if (past !== undefined) {
        return deny(`${command.program} ${past} starts an unguarded agent: start it without ${past}`, { at })
      }
      const operands = words.filter((word) => !word.startsWith('-')).slice(0, 2)
      if (areas.test(operands[0] ?? '') && changes.test(operands[1] ?? '')) {
        question ??= ask(
          `${command.program} ${operands.join(' ')} changes what an agent may do: let the person review it first`,
          { at },
        )
      }
      // An option and its value may stand in two words.
      const off = words.findIndex((word, place) => word === '--disable' && /hooks?$/.test(words[place + 1] ?? ''))
      if (off !== -1)
        return deny(`${command.program} would be started without its hooks: leave ${words[off]} out`, { at })
      const setting = words.find((word) => withoutHooks.test(word))
      if (setting !== undefined)
        return deny(`${command.program} would be started without its hooks: leave ${setting.slice(0, 60)} out`, { at })
      const switched = command.assignments.find(
        ({ name, value }) => switches.test(name) && !/^(?:|0|false|no)$/i.test(value.value),
      )
      if (switched !== undefined)
        return deny(`${switched.name} starts ${command.program} with nothing guarding it: remove it`, { at })
      const home = command.assignments.find(({ name, value }) => homes.test(name) && !isUsual(value.value))
      if (home !== undefined)
        question ??= ask(`${home.name} makes ${command.program} take its settings from elsewhere`, { at })
    }
    return question
  },
  examples: [
    denies('past all questions', 'claude --dangerously-skip-permissions -p x'),
    denies('with code of a plugin above its hooks', 'claude --plugin-dir ./x -p y'),
    denies('with a plugin from elsewhere', 'claude --plugin-url=https://example.org/x.zip'),
    asks('with plugins that a variable names', 'CLAUDE_CODE_PLUGIN_DIRS=/tmp/x claude -p y'),
    abstains('an agent', 'claude -p "explain --dangerously-skip-permissions"'),
    denies('without its hooks', 'claude --safe-mode'),
    abstains('its help', 'claude --safe-mode --help'),
    denies('with its hooks turned off', 'codex --disable hooks'),
    abstains('with something else turned off', 'codex --disable web_search'),
    asks('a plugin', 'gemini extensions install ./x'),
    abstains('which plugins there are', 'gemini extensions list'),
    asks('other settings', 'CLAUDE_CONFIG_DIR=/tmp/x claude -p x'),
    denies('without its hooks, by a setting', `claude --settings '{"disableAllHooks": true}' -p x`),
    abstains('with other settings', `claude --settings '{"model": "x"}' -p x`),
    denies('by a variable', 'OPENCODE_PURE=1 opencode run x'),
    denies('past all questions, by another name', 'grok --always-approve -p x'),
    asks('other settings of a newer agent', 'KIMI_CODE_HOME=/tmp/x kimi -p x'),
    abstains('its usual settings', 'CODEX_HOME=~/.codex codex'),
    abstains('an option of another program', 'other --yolo'),
  ],
})
