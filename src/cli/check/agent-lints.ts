import type { AgentName } from '../../model/agents.ts'
import type { Lint } from './lint.ts'

// What is right for one agent and read over by another. Each looks for what a script says, and for nothing that says the
// same rightly beside it.

/** `"key": "value"`, in a text of JSON or of a program, whatever quotes stand around it. */
const said = (key: string, value: string) => new RegExp(String.raw`\b${key}\\?["']?\s*[:=]\s*\\?["']${value}\b`)

/** A finding where a text says one thing and not another. */
function where(found: RegExp, unless: RegExp | undefined, message: string, remedy: string): Lint {
  return ({ text }) => {
    const at = text.search(found)
    return at < 0 || unless?.test(text) === true ? [] : [{ at, message, remedy }]
  }
}

const silentExit = (agent: string) =>
  where(
    /\bexit 2\b|\bexit\(2\)|exitCode = 2\b/,
    /stderr|>&2|console\.error/,
    `exit code 2 with nothing on stderr is not a refusal: ${agent} goes ahead`,
    'print the reason to stderr',
  )

const foreignDecision = (agent: string, remedy: string) =>
  where(
    said('permissionDecision', '(?:deny|ask)'),
    said('decision', '(?:deny|block)'),
    `${agent} does not read \`permissionDecision\`, and goes ahead`,
    remedy,
  )

/** The mistakes that are made again and again in hooks for each agent. */
export const agentLints: { readonly [Agent in AgentName]?: readonly Lint[] } = {
  'gemini-cli': [silentExit('Gemini CLI'), foreignDecision('Gemini CLI', 'print `{"decision": "deny", "reason": …}`')],
  codex: [
    silentExit('Codex'),
    where(
      said('permissionDecision', 'allow'),
      /updatedInput/,
      'an `allow` that changes no input is an error for Codex',
      'print nothing to leave the call to Codex',
    ),
    where(
      said('permissionDecision', 'ask'),
      undefined,
      'Codex has no `ask`: the answer is an error, and the tool runs',
      'answer `deny` with a reason',
    ),
    where(
      /["'](?:permission|user_message|agent_message|cancel|errorMessage|modifiedArgs)\\?["']\s*:/,
      undefined,
      'Codex discards an answer with even one key that it does not know',
      'remove keys that are not Codex’s own',
    ),
  ],
  'qwen-code': [silentExit('Qwen Code')],
  droid: [
    (script, use) =>
      use.events.includes('PreToolUse')
        ? where(
            said('decision', 'block'),
            said('permissionDecision', 'deny'),
            'droid ignores `decision: block` before a tool, and goes ahead',
            'print `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", …}}`',
          )(script, use)
        : [],
  ],
  cursor: [
    (script, use) =>
      use.events.some((event) => /^(?:preToolUse|before(?:Shell|MCP)Execution|PreToolUse)$/.test(event))
        ? where(
            said('permission', 'deny'),
            said('permission', 'allow'),
            'a hook that prints nothing blocks every tool in Cursor',
            'print `{"permission": "allow"}` if there is nothing to say',
          )(script, use)
        : [],
  ],
  windsurf: [
    where(
      /["'](?:permission|decision|permissionDecision|cancel)\\?["']\s*:/,
      /\bexit 2\b|exit\(2\)|exitCode = 2/,
      'Windsurf does not read what a hook prints to stdout',
      'exit with 2, and print the reason to stderr',
    ),
  ],
}
