import type { HookWords, Purpose } from './hook-words.ts'

export const languages = ['node', 'bash', 'python'] as const
export type Language = (typeof languages)[number]

const said: Readonly<Record<Purpose, { readonly summary: string; readonly pattern: string; readonly text: string }>> = {
  guard: {
    summary: 'refuses a forced push',
    pattern: 'git (.* )?push (.* )?(--force|-f)( |$)',
    text: 'A forced push rewrites what others have pulled: use --force-with-lease',
  },
  context: {
    summary: 'reminds the agent of the rules for components',
    pattern: 'component',
    text: 'CODING_STANDARDS: write function components, with typed props',
  },
}

/** Text that triggers the template's hook, for the test written beside it. */
const speakingExample: Readonly<Record<Purpose, string>> = {
  guard: 'git push --force origin main',
  context: 'add a component',
}

export function hookSource(words: HookWords, purpose: Purpose, language: Language): string {
  const { event, subject } = words
  const { text } = said[purpose]
  const what: Hook = { ...said[purpose], event, subject, silence: words.silence, ...answerOf(words, text) }
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
  /** JSON to print on stdout. If empty, `reason` goes to stderr with exit code 2 instead. */
  readonly answer: string
  readonly reason: string | undefined
  /** Output without an opinion, for an agent that treats empty output as an error. */
  readonly silence: string | undefined
}

/** Formats the answer. The JSON is put in a shell's single quotes, which no text of the templates contains. */
function answerOf({ answer }: HookWords, text: string): Pick<Hook, 'answer' | 'reason'> {
  return answer === undefined
    ? { answer: '', reason: text }
    : { answer: JSON.stringify(answer(text)), reason: undefined }
}

const lead = ({ event, summary }: Hook) => `${event} hook: ${summary}.`

function protocol({ reason, silence }: Hook): string {
  if (reason !== undefined) return 'The event comes as JSON on stdin; exit code 2 refuses, and stderr says why.'
  const nothing = silence === undefined ? 'printing nothing means no opinion.' : `\`${silence}\` means no opinion.`
  return `The event comes as JSON on stdin; one JSON object on stdout answers; ${nothing}`
}

const nodeHook = (hook: Hook) => `#!/usr/bin/env node
// ${lead(hook)}
// ${protocol(hook)}
import { readFileSync } from 'node:fs'

const event = JSON.parse(readFileSync(0, 'utf8'))
const text = event${hook.subject.map((key) => `?.${key}`).join('')} ?? ''

if (/${hook.pattern}/.test(text)) {
  ${hook.reason === undefined ? `console.log(JSON.stringify(${hook.answer}))` : `console.error('${hook.reason}')\n  process.exitCode = 2`}
}${hook.silence === undefined ? '' : ` else {\n  console.log('${hook.silence}')\n}`}
`

const bashHook = (hook: Hook) => `#!/usr/bin/env bash
# ${lead(hook)}
# ${protocol(hook)}
set -euo pipefail

text=$(jq -r '${hook.subject.map((key) => `.${key}?`).join(' | ')} // empty')

if grep -qE '${hook.pattern}' <<<"$text"; then
  ${hook.reason === undefined ? `printf '%s\\n' '${hook.answer}'` : `printf '%s\\n' '${hook.reason}' >&2\n  exit 2`}
${hook.silence === undefined ? '' : `else\n  printf '%s\\n' '${hook.silence}'\n`}fi
`

const pythonHook = (hook: Hook) => `#!/usr/bin/env python3
# ${lead(hook)}
# ${protocol(hook)}
import json
import re
import sys

event = json.load(sys.stdin)
text = event
for key in ${JSON.stringify(hook.subject)}:
    text = text.get(key) if isinstance(text, dict) else None

if re.search(r"${hook.pattern}", text or ""):
    ${hook.reason === undefined ? `print(${JSON.stringify(hook.answer)})` : `print(${JSON.stringify(hook.reason)}, file=sys.stderr)\n    sys.exit(2)`}
${hook.silence === undefined ? '' : `else:\n    print(${JSON.stringify(hook.silence)})\n`}`

/** Returns the test of a hook: it answers the example and nothing else. */
export function hookTest(words: HookWords, purpose: Purpose, hookFile: string, testFile: string): string {
  const { subject, silence, answer } = words
  const { text } = said[purpose]
  const nested = subject.reduceRight<string>((inner, key) => `{ ${key}: ${inner} }`, 'text')
  const spoken =
    answer === undefined
      ? `{ status: 2, answer: undefined, stderr: ${JSON.stringify(`${text}\n`)} }`
      : `{ status: 0, answer: ${JSON.stringify(answer(text))}, stderr: '' }`
  return `// Run it with: node --test ${testFile}
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const hook = fileURLToPath(new URL('./${hookFile}', import.meta.url))

function ask(text) {
  const { status, stdout, stderr } = spawnSync(hook, { input: JSON.stringify(${nested}), encoding: 'utf8' })
  return { status, answer: stdout === '' ? undefined : JSON.parse(stdout), stderr }
}

test('speaks where it should', () => {
  assert.deepEqual(ask(${JSON.stringify(speakingExample[purpose])}), ${spoken})
})

test('is silent about everything else', () => {
  assert.deepEqual(ask('npm test'), { status: 0, answer: ${silence ?? 'undefined'}, stderr: '' })
})
`
}
