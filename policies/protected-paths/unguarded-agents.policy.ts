import { abstains, ask, asks, definePolicy, denies, deny, type PolicyAnswer, type ShellCommand } from 'hookgate/policy'

/** Agents that run hooks, with the words by which they are started past them or past every question. */
const agents: Readonly<Record<string, RegExp>> = {
  claude:
    /^(?:--safe-mode|--bare|--(?:allow-)?dangerously-skip-permissions|--setting-sources(?:=.*)?|--plugin-(?:dir(?:-no-mcp)?|url)(?:=.*)?|--permission-mode=bypassPermissions|bypassPermissions|--disable-slash-commands)$/,
  codex:
    /^(?:--yolo|--dangerously-\S+|danger-full-access|--sandbox=danger-full-access|--ignore-user-config|--disable=\S*hooks?)$/,
  gemini: /^(?:-y|--yolo|--approval-mode=yolo|yolo|(?:-e|--extensions)=none)$/,
  qwen: /^(?:-y|--yolo|--approval-mode=yolo|yolo|(?:-e|--extensions)=none)$/,
  copilot: /^(?:--yolo|--allow-all(?:-tools|-paths)?)$/,
  'cursor-agent': /^(?:-f|--force|--yolo)$/,
  droid: /^(?:--skip-permissions-unsafe|--auto=high)$/,
  amp: /^--dangerously-allow-all$/,
  aider: /^--yes(?:-always)?$/,
  cn: /^--auto$/,
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
/** Packages that are started by their own names, and the program of each. */
const programs: Readonly<Record<string, string>> = {
  'claude-code': 'claude',
  'gemini-cli': 'gemini',
  'qwen-code': 'qwen',
  'opencode-ai': 'opencode',
  'copilot-cli': 'copilot',
  amp: 'amp',
}
const always = /^--(?:safe-mode|no-hooks|disable-hooks|no-extensions|no-plugins|skip-hooks|dangerously-\S+|yolo)$/

/** Subcommands that change how an agent is set up, and what they do to it. */
const areas = /^(?:plugins?|extensions?|hooks?|mcp|config|settings|features|permissions|skills)$/
const changes =
  /^(?:install|uninstall|remove|rm|disable|disable-all|enable|add|add-json|set|unset|update|import|link|trust|marketplace)$/

/** Settings that are given with the command, by which its hooks would not run. */
const withoutHooks =
  /"?disableAllHooks"?\s{0,9}:\s{0,9}true|(?:features\.)?(?:codex_)?hooks?(?:\.enabled)?\s{0,9}=\s{0,9}"?false|allow_?untrusted|"hooks"\s{0,9}:\s{0,9}\{\}|"(?:default|permission)Mode"\s{0,9}:\s{0,9}"bypassPermissions"/i
/** Options that give an agent other settings, and settings that change what it may do. */
const settingsOption = /^--settings(?:-file)?$/
const guarding = /"(?:hooks|permissions|enabledPlugins|env|sandbox|apiKeyHelper|disable\w{0,30}|allow\w{0,30})"\s{0,9}:/

/** Options that name tools of which no person is asked any more, and the tools that can do everything. */
const toolsOption = /^--(?:allowed-?tools|allow-tools?|trust-tools|allow|permission)$/i
const wideTool = /^(?:\*|bash|shell|run_shell_command|execute_bash|launch-process(?::allow)?)(?:\((?:[:*]*)\))?$/i

/** Variables that have an agent take its settings from elsewhere, and those that turn its hooks off. */
const homes =
  /^(?:HOME|XDG_CONFIG_HOME|(?:CLAUDE|CODEX|GEMINI|COPILOT|OPENCODE|QWEN|GROK|KIMI|CLINE|HERMES|PI|KIRO|FACTORY|DROID|AMP|CURSOR|AUGMENT|GOOSE|CRUSH|AIDER|DEVIN|KILO|ROO|OPENCLAW)_(?!PROJECT|HOOK)(?:[A-Z]+_)*(?:HOME|CONFIG|SETTINGS|DIRS?|PERMISSIONS?)(?:_[A-Z]+)*)$/
const switches =
  /(?:^|_)(?:SAFE_MODE|PURE|YOLO|NO_HOOKS|CODE_SIMPLE|DISABLE_(?:DEFAULT_)?(?:HOOKS|PLUGINS|EXTENSIONS)|SKIP_HOOKS|SKIP_PERMISSIONS|AUTO_APPROVE)(?:_|$)/
/** An agent's own settings in a home; elsewhere, a folder of that name is another one. */
const usual =
  /^(?:~|\/root|(?:\/[a-z]|[A-Za-z]:)?[\\/](?:home|Users)[\\/][^\\/]+)[\\/]\.(?:amp|augment|claude|cline(?:\/data)?|codex|copilot|cursor|factory|gemini|grok|hermes|kimi|kimi-code|kiro|openclaw|pi\/agent|qwen|config(?:\/(?:amp|crush|goose|kilo|opencode))?)(?:[\\/](?:settings(?:\.local)?\.json)?)?$/
/** Variables whose usual value is a home itself. */
const homeVariable = /^(?:GEMINI_CLI_HOME|FACTORY_HOME_OVERRIDE)$/
const someHome = /^(?:~|\/root|(?:\/[a-z]|[A-Za-z]:)?[\\/](?:home|Users)[\\/][^\\/]+)[\\/]?$/
/** The settings of the project, which the agent reads anyway. */
const ofProject = /^(?:\.\/)?\.[\w-]+\/settings(?:\.local)?\.json$/

/** Returns the words that an option has, in its own word or behind it, up to the next option. */
function valuesOf(words: readonly string[], option: RegExp): readonly string[] {
  return words.flatMap((word, at) => {
    const [, name = '', joined] = /^(--[\w-]+)(?:=([\s\S]*))?$/.exec(word) ?? []
    if (!option.test(name)) return []
    if (joined !== undefined) return [joined]
    const behind = words.slice(at + 1)
    const end = behind.findIndex((one) => one.startsWith('-'))
    return end === -1 ? behind : behind.slice(0, end)
  })
}

/** A tool among those that are allowed that can do everything: `Bash`, `Bash(*)`; `Bash(git log:*)` is none. */
const wideIn = (words: readonly string[]) =>
  valuesOf(words, toolsOption)
    .flatMap((value) => value.split(/[,\s]+(?![^(]*\))/))
    .find((tool) => wideTool.test(tool))

/** Settings from elsewhere, or a part of them that changes what an agent may do. */
const otherSettings = (words: readonly string[]) =>
  valuesOf(words, settingsOption)
    .slice(0, 1)
    .find((value) =>
      value.trimStart().startsWith('{') ? guarding.test(value) : !usual.test(value) && !ofProject.test(value),
    )

/** The variables that a command sees which the text sets for it, or for all that follows. */
const variablesOf = (command: ShellCommand, before: readonly ShellCommand[]) => [
  ...command.assignments.map(({ name, value }) => ({ name, value: value.value })),
  ...before
    .filter(({ program }) => program === 'export')
    .flatMap(({ args }) =>
      args.map(({ value }) => ({ name: value.split('=')[0] ?? '', value: value.replace(/^[^=]*=?/, '') })),
    ),
]

/** Programs that keep a command from its own files, its network or its environment, and leave it on this machine. */
const encloses = /^(?:firejail|systemd-run|run0|unshare|nsenter|sandbox-exec|landrun|flatpak-spawn|snap)$/
const emptied = /^(?:-|-[a-zA-Z]*i|--ignore-environment|-uHOME|--unset=HOME)$/

/** Says where an agent would be started that is not the person's own surroundings, in which its hooks are registered. */
function surroundingsOf(command: ShellCommand, all: readonly ShellCommand[]): string | undefined {
  if (command.elsewhere === true || command.view !== undefined) return 'in another root folder, container or machine'
  if (command.user !== undefined) return `as ${command.user}`
  for (let at = command.startedBy; at !== undefined; at = all[at]?.startedBy) {
    const starter = all[at]
    if (starter === undefined) return undefined
    if (encloses.test(starter.program)) return `within ${starter.program}`
    const words = wordsOf(starter)
    const isEmptied = words.some((word, place) => emptied.test(word) || (word === 'HOME' && words[place - 1] === '-u'))
    if (starter.program === 'env' && isEmptied && !words.some((word) => word.startsWith('HOME=')))
      return 'without its environment'
  }
  return undefined
}

const wordsOf = ({ args }: ShellCommand) => args.map(({ value }) => value)

export default definePolicy({
  id: 'unguarded-agents',
  severity: 'high',
  description: 'Refuses to start agents without their hooks and questions; asks before one is reconfigured',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { words: [...Object.keys(agents), ...Object.keys(programs)] },
  decide({ shell }) {
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const program = programs[command.program] ?? command.program
      const own = Object.hasOwn(agents, program) ? agents[program] : undefined
      if (own === undefined) continue
      const words = wordsOf(command)
      if (words.some((word) => /^(?:-h|--help|--version|-v)$/.test(word))) continue
      const past = words.find(
        (word, place) => own.test(word) || always.test(word) || own.test(`${word}=${words[place + 1]}`),
      )
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
      const wide = wideIn(words)
      if (wide !== undefined)
        question ??= ask(`${command.program} would run ${wide} without asking: name the commands that it needs`, { at })
      const other = otherSettings(words)
      if (other !== undefined)
        question ??= ask(
          `${command.program} would take settings from ${other.slice(0, 60)}: let the person review them first`,
          { at },
        )
      const variables = variablesOf(command, shell.commands.slice(0, at))
      const switched = variables.find(({ name, value }) => switches.test(name) && !/^(?:|0|false|no)$/i.test(value))
      if (switched !== undefined)
        return deny(`${switched.name} starts ${command.program} with nothing guarding it: remove it`, { at })
      const home = variables.find(
        ({ name, value }) =>
          homes.test(name) && !usual.test(value) && !(homeVariable.test(name) && someHome.test(value)),
      )
      if (home !== undefined)
        question ??= ask(`${home.name} makes ${command.program} take its settings from elsewhere`, { at })
      const apart = surroundingsOf(command, shell.commands)
      if (apart !== undefined)
        question ??= ask(
          `${command.program} would be started ${apart}, where its hooks may not run: let the person do it`,
          {
            at,
          },
        )
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
    abstains('its usual home', 'GEMINI_CLI_HOME=~ gemini -p x'),
    asks('a folder of the same name elsewhere', 'CODEX_HOME=/tmp/x/.codex codex'),
    asks('settings from elsewhere', 'claude --settings /tmp/s.json -p x'),
    asks('a file of the same name elsewhere', 'claude --settings /tmp/.claude/settings.json -p x'),
    abstains('its own settings', 'claude --settings .claude/settings.json -p x'),
    asks('settings that change what it may do', `claude --settings '{"enabledPlugins": {"a@b": false}}' -p x`),
    asks('a shell of which nobody is asked', 'claude -p x --allowedTools "Read,Bash(*)"'),
    abstains('commands of which nobody is asked', 'claude -p x --allowedTools "Bash(git log:*)" Read'),
    abstains('a prompt about it', 'claude -p "use --allowedTools Bash"'),
    asks('other settings, by a variable that was set before', 'export CODEX_HOME=/tmp/x; codex exec y'),
    denies('a package by its own name', 'npx opencode-ai run --pure x'),
    denies('an option and its value in two words', 'droid exec --auto high x'),
    abstains('an option of another program', 'other --yolo'),
    asks('in a sandbox that hides its settings', 'bwrap --ro-bind / / --tmpfs ~ claude -p x'),
    asks('in another sandbox', 'firejail --private codex exec x'),
    asks('in another root folder', 'proot -r /srv/root claude -p x'),
    asks('without its environment', 'env -i PATH=$PATH claude -p x'),
    asks('without its home', 'env -u HOME claude -p x'),
    asks('as a service', 'systemd-run --user --pipe gemini -p x'),
    asks('in a container', 'docker run --rm -v $PWD:/w node:24 npx @anthropic-ai/claude-code -p x'),
    asks('in a container that runs', 'docker exec -it dev claude -p x'),
    asks('as somebody else', 'sudo -u build qwen -p x'),
    asks('on another machine', 'ssh build01 claude -p x'),
    abstains('its version there', 'docker exec dev claude --version'),
    abstains('behind harmless launchers', 'nohup timeout 600 env CI=1 claude -p x'),
  ],
})
