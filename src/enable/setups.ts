import type { AgentName } from '../model/agents.ts'
import { codex } from './agents/codex.ts'
import { geminiCli } from './agents/gemini-cli.ts'
import { qwenCode } from './agents/qwen-code.ts'
import type { AgentSetup } from './asked.ts'
import { claudeCodeSetup } from './claude-code/setup.ts'
import { clineSetup } from './cline/setup.ts'
import { setupBy } from './hooks-file/setup.ts'

/** How hookgate is registered with each agent. */
export const setups: { readonly [Agent in AgentName]?: AgentSetup } = {
  'claude-code': claudeCodeSetup,
  cline: clineSetup,
  'gemini-cli': setupBy(geminiCli),
  codex: setupBy(codex),
  'qwen-code': setupBy(qwenCode),
}
