import { describe, expect, it } from 'vitest'
import type { HookUse } from '../../../src/agents/descriptor.ts'
import { scriptProblems } from '../../../src/cli/commands/check/rule-problems.ts'
import type { KnownAgent } from '../../../src/agents/registry.ts'

type Use = HookUse & { readonly dialect: KnownAgent }
const guard: Use = { dialect: 'claude-code', events: ['PreToolUse'], onFailure: 'continue' }
const clineGuard: Use = { dialect: 'cline', events: ['PreToolUse'], onFailure: 'continue' }

const found = (text: string, use: Use = guard, file = 'hook.sh') =>
  scriptProblems(file, text, use.dialect, use).map(({ place, message }) => `${place.line}:${place.column} ${message}`)

describe('a script for Claude Code', () => {
  it('that exits with 1 to block is warned that this does not block, with the place', () => {
    const text = '#!/bin/sh\nif grep -q rm; then\n  echo "no" >&2\n  exit 1\nfi\n'
    expect(found(text)).toEqual([expect.stringMatching(/^4:3 exit code 1 does not block/)])
  })

  it.each([
    ['node', 'hook.mjs', 'console.error("no")\nprocess.exit(1)\n'],
    ['python', 'hook.py', 'import sys\nsys.exit(1)\n'],
  ])('written in %s too', (_, file, text) => {
    expect(found(text, guard, file)).toEqual([expect.stringMatching(/^2:1 exit code 1 does not block/)])
  })

  it.each([
    ['exits with 2 elsewhere', 'command -v jq >/dev/null || exit 1\nexit 2\n', guard],
    [
      'refuses with JSON',
      `exit 1\necho '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}'`,
      guard,
    ],
    ['has its failures block', 'exit 1\n', { ...guard, onFailure: 'block' } satisfies Use],
    ['handles an event that cannot be refused', 'exit 1\n', { ...guard, events: ['SessionEnd'] } satisfies Use],
    ['only mentions it in a comment', '# never exit 1 here\nexit 0\n', guard],
  ])('that %s may exit with 1', (_, text, use) => {
    expect(found(text, use)).toEqual([])
  })

  it('that answers permissionDecision at the top level is shown where it belongs', () => {
    expect(found(`echo '{"permissionDecision":"deny"}'`)).toEqual([
      expect.stringContaining('at the top level is silently ignored'),
    ])
    expect(found('console.log(JSON.stringify({ permissionDecision: "deny" }))', guard, 'h.mjs')).toHaveLength(1)
  })

  it('that leaves hookEventName out is warned that its whole output is ignored', () => {
    const text = `echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}'`
    expect(found(text)).toEqual([expect.stringContaining('without `hookEventName`')])
  })

  it('that answers for another event than it handles is told which', () => {
    const text = `echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"x"}}'`
    expect(found(text)).toEqual([expect.stringContaining('the answer is for `PostToolUse`')])
    expect(found(text, { ...guard, events: ['PreToolUse', 'PostToolUse'] })).toEqual([])
  })

  it.each([
    ['hook.sh', '#!/bin/bash\necho "checking…"\necho \'{"decision":"block","reason":"no"}\'\n', '2:1'],
    ['hook.mjs', 'console.log("checking")\nconsole.log(JSON.stringify({ decision: "block" }))\n', '1:1'],
    ['hook.py', 'print("checking")\nprint(json.dumps({"decision": "block"}))\n', '1:1'],
  ])('that prints text beside the JSON (%s) is warned that its decision is lost', (file, text, place) => {
    expect(found(text, guard, file)).toEqual([expect.stringMatching(new RegExp(`^${place} text beside the JSON`))])
  })

  it.each([
    'echo "log" >&2\necho \'{"decision":"block"}\'\n',
    'echo "log" >> /tmp/log\necho \'{"decision":"block"}\'\n',
    'echo "$input" | jq -r .tool_name\necho \'{"decision":"block"}\'\n',
    'echo "just text"\n',
    'printf \'%s\\n\' \'{"decision":"block"}\'\n',
  ])('may print text where there is no JSON answer on stdout: %j', (text) => {
    expect(found(text)).toEqual([])
  })

  it('with a carriage return after its interpreter is shown why it will not start', () => {
    expect(found('#!/bin/sh\r\nexit 0\r\n')).toEqual([expect.stringMatching(/^1:10 the first line ends in a carriage/)])
  })
})

describe('a script for Cline', () => {
  it('that cancels and fails is warned that its cancel is discarded', () => {
    const text = `echo '{"cancel": true, "errorMessage": "no"}'\nexit 2\n`
    expect(found(text, clineGuard, 'PreToolUse')).toEqual([expect.stringMatching(/^2:1 Cline discards/)])
  })

  it('that uses an old name is shown the new one', () => {
    expect(found(`echo '{"shouldContinue": false}'`, clineGuard, 'PreToolUse')).toEqual([
      expect.stringContaining('`shouldContinue`, the old name'),
    ])
  })

  it('may log before its JSON, as Cline documents', () => {
    expect(found(`echo "working"\necho '{"cancel": false}'\n`, clineGuard, 'PreToolUse')).toEqual([])
  })
})

describe('a script for another agent', () => {
  const use = (dialect: KnownAgent, event: string): Use => ({ dialect, events: [event], onFailure: 'continue' })
  const claude = (decision: string) =>
    `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"${decision}"}}'\n`

  it.each([
    ['gemini-cli', 'BeforeTool', claude('deny'), 'does not read `permissionDecision`'],
    ['gemini-cli', 'BeforeTool', 'exit 2\n', 'not a refusal: Gemini CLI goes ahead'],
    ['codex', 'PreToolUse', claude('allow'), 'is an error for Codex'],
    ['codex', 'PreToolUse', claude('ask'), 'Codex has no `ask`'],
    ['codex', 'PreToolUse', `echo '{"decision":"block","reason":"x","cancel":true}'`, 'Codex discards an answer'],
    ['qwen-code', 'PreToolUse', 'sys.exit(2)\n', 'Qwen Code goes ahead'],
    ['droid', 'PreToolUse', `echo '{"decision":"block","reason":"x"}'`, 'droid ignores `decision: block`'],
    ['cursor', 'preToolUse', `echo '{"permission":"deny","user_message":"x"}'`, 'prints nothing blocks every tool'],
    ['windsurf', 'pre_run_command', `echo '{"decision":"block"}'`, 'does not read what a hook prints'],
  ] as const)('%s at %s is warned of its usual mistake (%#)', (agent, event, text, message) => {
    expect(found(text, use(agent, event))).toEqual([expect.stringContaining(message)])
  })

  it.each([
    ['gemini-cli', 'BeforeTool', `echo '{"decision":"deny","reason":"x"}'\n`],
    ['gemini-cli', 'BeforeTool', 'echo no >&2\nexit 2\n'],
    ['codex', 'PreToolUse', claude('deny')],
    ['codex', 'PreToolUse', claude('allow').replace('}}', ',"updatedInput":{"command":"ls"}}}')],
    ['copilot-cli', 'PreToolUse', claude('deny')],
    ['droid', 'Stop', `echo '{"decision":"block","reason":"x"}'`],
    ['droid', 'PreToolUse', claude('deny')],
    ['cursor', 'preToolUse', `echo '{"permission":"deny"}' || echo '{"permission":"allow"}'`],
    ['windsurf', 'pre_run_command', 'echo no >&2\nexit 2\n'],
  ] as const)('%s at %s is accepted where it is correct (%#)', (agent, event, text) => {
    expect(found(text, use(agent, event))).toEqual([])
  })
})

describe('a guard on an environment variable that no agent sets', () => {
  const told = (text: string, file = 'guard.sh') =>
    scriptProblems(file, text, 'claude-code', { events: ['PreToolUse'], onFailure: 'block' })
      .map(({ message }) => message)
      .filter((message) => message.includes('no agent sets'))

  it.each([
    ['[[ "$CLAUDE_TOOL_INPUT" == *rm* ]] && exit 2', 'CLAUDE_TOOL_INPUT'],
    ['if echo "${CLAUDE_FILE_PATHS}" | grep -q env; then exit 2; fi', 'CLAUDE_FILE_PATHS'],
    ['case $TOOL_NAME in Bash) exit 2;; esac', 'TOOL_NAME'],
    ['test -z "${CLAUDE_BASH_COMMAND:-}" || exit 2', 'CLAUDE_BASH_COMMAND'],
    ['[ "$GEMINI_TOOL_NAME" = run_shell_command ] && exit 2', 'GEMINI_TOOL_NAME'],
    ['[ "$CODEX_HOOK_EVENT" = x ] && exit 2', 'CODEX_HOOK_EVENT'],
    ['[ "$CURSOR_FILE_PATH" = .env ] && exit 2', 'CURSOR_FILE_PATH'],
    ['[ "$CLINE_TOOL_NAME" = x ] && exit 2', 'CLINE_TOOL_NAME'],
    ['echo $HOOK_EVENT_NAME', 'HOOK_EVENT_NAME'],
  ])('is a mistake in a shell script: %s', (line, variable) => {
    expect(told(`#!/bin/sh\n${line}\n`)).toEqual([`no agent sets \`${variable}\`, so it is always empty`])
  })

  it.each([
    ['guard.py', "import os, sys\nif 'rm' in os.environ.get('CLAUDE_TOOL_INPUT', ''):\n  sys.exit(2)\n"],
    ['guard.py', "import os\nname = os.environ['TOOL_NAME']\n"],
    ['guard.py', "import os\nname = os.getenv('CLAUDE_HOOK_EVENT')\n"],
    ['guard.js', 'if (process.env.CLAUDE_TOOL_NAME === "Bash") process.exit(2)\n'],
    ['guard.js', "if (process.env['CLAUDE_COMMAND'].includes('rm')) process.exit(2)\n"],
  ])('is a mistake in other languages: %s, %j', (file, text) => {
    expect(told(text, file)).toHaveLength(1)
  })

  it.each([
    'TOOL_NAME=$(jq -r .tool_name)\n[ "$TOOL_NAME" = Bash ] && exit 2',
    'read -r TOOL_INPUT\necho "$TOOL_INPUT"',
    'local TOOL_INPUT="$1"; echo "$TOOL_INPUT"',
    'export CLAUDE_TOOL_INPUT=x; echo $CLAUDE_TOOL_INPUT',
    'cd "$CLAUDE_PROJECT_DIR" || exit 1',
    'echo "$GROK_HOOK_EVENT" "$CLAUDE_ENV_FILE" "$CODEX_THREAD_ID"',
    '[ -n "$CLAUDE_GUARD_OFF" ] && exit 0',
    '[ -n "$CLAUDE_CONFIG_DIR" ] || exit 0',
    'echo "$FILE_PATH" "$COMMAND"',
    'tool_name=$(jq -r .tool_name); echo "$tool_name"; echo "${tool_input}"',
    '# CLAUDE_TOOL_INPUT is not set, so stdin is read',
  ])('is none in what sets it, in what an agent sets, and in a name of one’s own: %s', (text) => {
    expect(told(`#!/bin/sh\n${text}\n`)).toEqual([])
  })
})
