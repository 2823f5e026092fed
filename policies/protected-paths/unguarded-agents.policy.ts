import { type PolicyAnswer, ask, definePolicy, deny, type ShellCommand } from 'hookgate/policy'

/** Agents that run hooks, with the words by which they are started past them or past every question. */
const agents: Readonly<Record<string, RegExp>> = {
  claude:
    /^(?:--safe-mode|--bare|--(?:allow-)?dangerously-skip-permissions|--setting-sources(?:=.*)?|--permission-mode=bypassPermissions|bypassPermissions|--disable-slash-commands)$/,
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
  kilo: /^(?:--yolo|--auto)$/,
  roo: /^--yolo$/,
  opencode: /^(?:--pure|--dangerously-\S+)$/,
  pi: /^(?:-ne|--no-extensions|--no-hooks)$/,
  hermes: /^(?:--safe-mode|--yolo|--accept-hooks)$/,
  agy: /^(?:--dangerously-\S+|--yolo)$/,
  devin: /^(?:--dangerously-\S+|--yolo)$/,
  auggie: /^--dangerously-\S+$/,
}
const always = /^--(?:safe-mode|no-hooks|disable-hooks|no-extensions|no-plugins|skip-hooks|dangerously-\S+|yolo)$/

/** Subcommands that change how an agent is set up, and what they do to it. */
const areas = /^(?:plugins?|extensions?|hooks?|mcp|config|settings|features|permissions|skills)$/
const changes =
  /^(?:install|uninstall|remove|rm|disable|disable-all|enable|add|add-json|set|unset|update|import|link|trust|marketplace)$/

/** Variables that have an agent take its settings from elsewhere. */
const homes =
  /^(?:CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME|COPILOT_HOME|OPENCODE_CONFIG(?:_DIR)?|QWEN_HOME|CLINE_DIR|HERMES_HOME|PI_CODING_AGENT_DIR)$/

const wordsOf = ({ args }: ShellCommand) => args.map(({ value }) => value)

export default definePolicy({
  id: 'unguarded-agents',
  severity: 'high',
  description: 'Refuses to start agents past their hooks and questions; asks before one is set up otherwise',
  on: 'PreToolUse',
  tool: 'shell',
  decide({ shell }) {
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const own = Object.hasOwn(agents, command.program) ? agents[command.program] : undefined
      if (own === undefined) continue
      const words = wordsOf(command)
      if (words.some((word) => /^(?:-h|--help|--version|-v)$/.test(word))) continue
      const past = words.find((word) => own.test(word) || always.test(word))
      if (past !== undefined) {
        return deny(`${command.program} ${past} starts an agent that nothing guards: start it without ${past}`, { at })
      }
      const operands = words.filter((word) => !word.startsWith('-')).slice(0, 2)
      if (areas.test(operands[0] ?? '') && changes.test(operands[1] ?? '')) {
        question ??= ask(
          `${command.program} ${operands.join(' ')} changes what an agent may do: let the person look at it first`,
          { at },
        )
      }
      const home = command.assignments.find(({ name }) => homes.test(name))
      if (home !== undefined)
        question ??= ask(`${home.name} has ${command.program} take its settings from elsewhere`, { at })
    }
    return question
  },
  examples: [
    {
      name: 'past all questions',
      given: { input: { command: 'claude --dangerously-skip-permissions -p x' } },
      want: 'deny',
    },
    {
      name: 'an agent',
      given: { input: { command: 'claude -p "explain --dangerously-skip-permissions"' } },
      want: 'abstain',
    },
    { name: 'without its hooks', given: { input: { command: 'claude --safe-mode' } }, want: 'deny' },
    { name: 'its help', given: { input: { command: 'claude --safe-mode --help' } }, want: 'abstain' },
    { name: 'a plugin', given: { input: { command: 'gemini extensions install ./x' } }, want: 'ask' },
    { name: 'which plugins there are', given: { input: { command: 'gemini extensions list' } }, want: 'abstain' },
    { name: 'other settings', given: { input: { command: 'CLAUDE_CONFIG_DIR=/tmp/x claude -p x' } }, want: 'ask' },
    { name: 'an option of another program', given: { input: { command: 'other --yolo' } }, want: 'abstain' },
  ],
})
