/**
 * By the program of each agent, options that start it without its hooks, or without any question. Its operands are a
 * prompt, and no commands.
 */
export const agents: Readonly<Record<string, string>> = {
  agy: '',
  aider: '--yes|--yes-always',
  amp: '',
  auggie: '',
  claude:
    '--bare|--setting-sources|--plugin-dir|--plugin-dir-no-mcp|--plugin-url|--permission-mode=bypasspermissions|--disable-slash-commands',
  cline: '-y|--auto-approve-all',
  cn: '--auto',
  codex: '--sandbox=danger-full-access|-s=danger-full-access|--ignore-user-config',
  copilot: '--allow-all|--allow-all-tools|--allow-all-paths',
  crush: '-y',
  'cursor-agent': '-f|--force',
  devin: '',
  droid: '--skip-permissions-unsafe|--auto=high',
  gemini: '-y|--approval-mode=yolo|-e=none|--extensions=none',
  goose: '--no-session-guard',
  grok: '--always-approve|--permission-mode=bypasspermissions',
  hermes: '--accept-hooks',
  kilo: '--pure|--auto',
  kimi: '-y|--yes|--auto-approve',
  'kiro-cli': '-a|--trust-all-tools',
  llm: '',
  openclaw: '',
  opencode: '--pure',
  pi: '-ne',
  q: '--trust-all-tools',
  qwen: '-y|--approval-mode=yolo|-e=none|--extensions=none',
  roo: '',
}

/** By a package's name under which an agent can be started too (`npx claude-code`), the agent's program. */
const packages: Readonly<Record<string, string>> = {
  'claude-code': 'claude',
  'copilot-cli': 'copilot',
  'gemini-cli': 'gemini',
  'opencode-ai': 'opencode',
  'qwen-code': 'qwen',
}

/** Returns the agent that a program starts; `undefined` if it starts none. */
export function agentNamed(program: string): string | undefined {
  const name = Object.hasOwn(packages, program) ? (packages[program] ?? program) : program
  return Object.hasOwn(agents, name) ? name : undefined
}
