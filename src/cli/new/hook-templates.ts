import type { AgentName } from '../../model/agents.ts'

export const languages = ['node', 'bash', 'python'] as const
export type Language = (typeof languages)[number]

/** A guard refuses; a context adds what the model should know. */
export type Purpose = 'guard' | 'context'

/** What a template has to know of the agent's wire format. */
interface Words {
  /** Where the text stands that the hook looks at, as a path into the event. */
  readonly subject: readonly string[]
  /** The JSON object of an answer; `TEXT` stands for what is said. */
  readonly answer: string
}

const text = 'TEXT'

function wordsOf(agent: AgentName, event: string, purpose: Purpose): Words {
  switch (agent) {
    case 'claude-code':
    case 'gemini-cli':
    case 'codex':
    case 'copilot-cli':
    case 'opencode':
    case 'cursor':
    case 'windsurf':
    case 'qwen-code':
    case 'droid':
    case 'vscode':
      return purpose === 'guard'
        ? {
            subject: ['tool_input', 'command'],
            answer: JSON.stringify({
              hookSpecificOutput: { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: text },
            }),
          }
        : {
            subject: ['prompt'],
            answer: JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } }),
          }
    case 'cline':
      return purpose === 'guard'
        ? {
            subject: ['preToolUse', 'parameters', 'command'],
            answer: JSON.stringify({ cancel: true, errorMessage: text }),
          }
        : {
            subject: ['userPromptSubmit', 'prompt'],
            answer: JSON.stringify({ cancel: false, contextModification: text }),
          }
  }
}

const said: Readonly<Record<Purpose, { readonly summary: string; readonly pattern: string; readonly text: string }>> = {
  guard: {
    summary: 'refuses a forced push',
    pattern: 'git (.* )?push (.* )?(--force|-f)( |$)',
    text: 'A forced push rewrites what others have pulled: use --force-with-lease',
  },
  context: {
    summary: 'reminds of the rules for components',
    pattern: 'component',
    text: 'CODING_STANDARDS: write function components, with typed props',
  },
}

/** The text that makes the template's hook speak, for the test written beside it. */
const speakingExample: Readonly<Record<Purpose, string>> = {
  guard: 'git push --force origin main',
  context: 'add a component',
}

export function hookSource(agent: AgentName, event: string, purpose: Purpose, language: Language): string {
  const { subject, answer } = wordsOf(agent, event, purpose)
  const what = { ...said[purpose], event, subject, answer: answer.replace(text, said[purpose].text) }
  switch (language) {
    case 'node':
      return nodeHook(what)
    case 'bash':
      return bashHook(what)
    case 'python':
      return pythonHook(what)
  }
}

interface Hook {
  readonly summary: string
  readonly event: string
  readonly pattern: string
  readonly subject: readonly string[]
  readonly answer: string
}

const lead = ({ event, summary }: Hook) => `${event} hook: ${summary}.`
const protocol = 'The event comes as JSON on stdin; one JSON object on stdout answers; printing nothing is no opinion.'

const nodeHook = (hook: Hook) => `#!/usr/bin/env node
// ${lead(hook)}
// ${protocol}
import { readFileSync } from 'node:fs'

const event = JSON.parse(readFileSync(0, 'utf8'))
const text = event${hook.subject.map((key) => `?.${key}`).join('')} ?? ''

if (/${hook.pattern}/.test(text)) {
  console.log(JSON.stringify(${hook.answer}))
}
`

const bashHook = (hook: Hook) => `#!/usr/bin/env bash
# ${lead(hook)}
# ${protocol}
set -euo pipefail

text=$(jq -r '${hook.subject.map((key) => `.${key}?`).join(' | ')} // empty')

if grep -qE '${hook.pattern}' <<<"$text"; then
  printf '%s\\n' '${hook.answer}'
fi
`

const pythonHook = (hook: Hook) => `#!/usr/bin/env python3
# ${lead(hook)}
# ${protocol}
import json
import re
import sys

event = json.load(sys.stdin)
text = event
for key in ${JSON.stringify(hook.subject)}:
    text = text.get(key) if isinstance(text, dict) else None

if re.search(r"${hook.pattern}", text or ""):
    print(${JSON.stringify(hook.answer)})
`

/** The hook's own test: it speaks on the example and is silent on anything else. */
export function hookTest(
  agent: AgentName,
  event: string,
  purpose: Purpose,
  hookFile: string,
  testFile: string,
): string {
  const { subject, answer } = wordsOf(agent, event, purpose)
  const nested = subject.reduceRight<string>((inner, key) => `{ ${key}: ${inner} }`, 'text')
  return `// Run it with: node --test ${testFile}
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const hook = fileURLToPath(new URL('./${hookFile}', import.meta.url))

function ask(text) {
  const { status, stdout, stderr } = spawnSync(hook, { input: JSON.stringify(${nested}), encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout === '' ? undefined : JSON.parse(stdout)
}

test('speaks where it should', () => {
  assert.deepEqual(ask(${JSON.stringify(speakingExample[purpose])}), ${answer.replace(text, said[purpose].text)})
})

test('is silent about everything else', () => {
  assert.equal(ask('npm test'), undefined)
})
`
}
