import { z } from 'zod'

/** The agents whose wire formats the gate speaks. A row here and a folder under `dialect/` make a new one. */
export const AgentName = z.enum([
  'claude-code',
  'cline',
  'gemini-cli',
  'codex',
  'copilot-cli',
  'qwen-code',
  'droid',
  'opencode',
  'cursor',
  'vscode',
  'windsurf',
])
export type AgentName = z.infer<typeof AgentName>

const titles: Readonly<Record<AgentName, string>> = {
  'claude-code': 'Claude Code',
  cline: 'Cline',
  'gemini-cli': 'Gemini CLI',
  codex: 'Codex',
  'copilot-cli': 'Copilot CLI',
  'qwen-code': 'Qwen Code',
  droid: 'droid',
  opencode: 'OpenCode',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
}

/** An agent as people write it. */
export const titleOf = (agent: AgentName): string => titles[agent]
