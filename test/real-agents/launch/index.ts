import type { Pinned } from '../pins.ts'
import { claudeCode } from './claude-code.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { copilotCli } from './copilot-cli.ts'
import { droid } from './droid.ts'
import { geminiCli } from './gemini-cli.ts'
import { grokBuild } from './grok-build.ts'
import { kilo } from './kilo.ts'
import { kimiCode } from './kimi-code.ts'
import type { Launch } from './launch.ts'
import { openclaw } from './openclaw.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwenCode } from './qwen-code.ts'

export const launches: Readonly<Record<Pinned, Launch>> = {
  'claude-code': claudeCode,
  cline,
  'gemini-cli': geminiCli,
  codex,
  'copilot-cli': copilotCli,
  'qwen-code': qwenCode,
  droid,
  opencode,
  kilo,
  'grok-build': grokBuild,
  'kimi-code': kimiCode,
  pi,
  openclaw,
}
