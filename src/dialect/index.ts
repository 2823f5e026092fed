import { AgentName } from '../model/agents.ts'
import type { Dialect } from '../model/dialect.ts'
import { HookgateError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { claudeCode } from './claude-code/index.ts'
import { cline } from './cline/index.ts'
import { geminiCli } from './gemini-cli/index.ts'
import { codex } from './codex/index.ts'
import { copilotCli } from './copilot-cli/index.ts'
import { qwenCode } from './qwen-code/index.ts'
import { droid } from './droid/index.ts'
import { opencode } from './opencode/index.ts'
import { cursor } from './cursor/index.ts'
import { vscode } from './vscode/index.ts'
import { windsurf } from './windsurf/index.ts'

export const dialects: Readonly<Record<AgentName, Dialect>> = {
  'claude-code': claudeCode,
  cline,
  'gemini-cli': geminiCli,
  codex,
  'copilot-cli': copilotCli,
  'qwen-code': qwenCode,
  droid,
  opencode,
  cursor,
  vscode,
  windsurf,
}

/**
 * The dialect an event is in: the one that was named, else the only one that recognises its shape.
 *
 * @throws HookgateError `agentUnknown` where no dialect or more than one does; the environment is never asked, since
 * five agents export `CLAUDE_PROJECT_DIR`
 */
export function dialectOf(wire: JsonObject, named: AgentName | undefined): Dialect {
  if (named !== undefined) return dialects[named]
  const [only, ...others] = Object.values(dialects).filter((dialect) => dialect.recognises(wire))
  if (only !== undefined && others.length === 0) return only
  throw new HookgateError('agentUnknown', 'the event does not say which agent sent it', {
    remedy: `name it: --agent ${AgentName.options.join(' | ')}`,
  })
}
