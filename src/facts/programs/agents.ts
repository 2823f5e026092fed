/**
 * Agents, by their programs: with the options by which they start past their hooks, or past every question. What an
 * agent is given is a prompt, whatever it mentions.
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

/** Packages of agents that are started by their own names, and the program of each. */
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
