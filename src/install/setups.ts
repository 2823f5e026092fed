import type { AgentName } from '../model/agents.ts'
import { codex } from './agents/codex.ts'
import { copilotCli } from './agents/copilot-cli.ts'
import { cursor } from './agents/cursor.ts'
import { droid } from './agents/droid.ts'
import { geminiCli } from './agents/gemini-cli.ts'
import { qwenCode } from './agents/qwen-code.ts'
import { vscode } from './agents/vscode.ts'
import { windsurf } from './agents/windsurf.ts'
import type { Installer } from './install-context.ts'
import { claudeCodeSetup } from './claude-code/setup.ts'
import { clineSetup } from './cline/setup.ts'
import { setupBy } from './hooks-file/setup.ts'
import { opencodeSetup } from './opencode/setup.ts'

/** How hookgate is registered with each agent. */
export const setups: { readonly [Agent in AgentName]: Installer } = {
  'claude-code': claudeCodeSetup,
  cline: clineSetup,
  'gemini-cli': setupBy(geminiCli),
  codex: setupBy(codex),
  'copilot-cli': setupBy(copilotCli),
  'qwen-code': setupBy(qwenCode),
  droid: setupBy(droid),
  opencode: opencodeSetup,
  cursor: setupBy(cursor),
  vscode: setupBy(vscode),
  windsurf: setupBy(windsurf),
}
