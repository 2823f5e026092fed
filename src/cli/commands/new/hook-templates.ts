export const hookLanguages = ['node', 'bash', 'python'] as const
export type HookLanguage = (typeof hookLanguages)[number]

/** The parts of an agent's wire format that the source of a guard uses. */
export interface GuardWords {
  /** The agent's name for the event. */
  readonly event: string
  /** Path of the command in the event. */
  readonly subject: readonly string[]
  /** The output that refuses; `undefined` if the agent reads only exit code 2 and stderr. */
  readonly answer: object | undefined
  /** Output without an opinion; `undefined` if empty output is allowed. */
  readonly silence: string | undefined
}

export const guardedCommand = 'git push --force origin main'
export const refusalReason = 'A forced push rewrites what others have pulled: use --force-with-lease'
const summary = 'refuses a forced push'
/** A regular expression of JavaScript, of `grep -E` and of Python. */
const pattern = 'git (.* )?push (.* )?(--force|-f)( |$)'

/** Returns the source of a hook that guards shell commands. It puts JSON in single quotes, which no answer contains. */
export function hookSource(words: GuardWords, language: HookLanguage): string {
  return { node: nodeHook, bash: bashHook, python: pythonHook }[language](words)
}

function protocol({ answer, silence }: GuardWords): string {
  if (answer === undefined) return 'The event comes as JSON on stdin; exit code 2 refuses, and stderr says why.'
  const nothing = silence === undefined ? 'printing nothing means no opinion.' : `\`${silence}\` means no opinion.`
  return `The event comes as JSON on stdin; one JSON object on stdout answers; ${nothing}`
}

const nodeHook = (words: GuardWords) => `#!/usr/bin/env node
// ${words.event} hook: ${summary}.
// ${protocol(words)}
import { readFileSync } from 'node:fs'

const event = JSON.parse(readFileSync(0, 'utf8'))
const command = event${words.subject.map((key) => `?.${key}`).join('')} ?? ''

if (/${pattern}/.test(command)) {
  ${words.answer === undefined ? `console.error('${refusalReason}')\n  process.exitCode = 2` : `console.log(JSON.stringify(${JSON.stringify(words.answer)}))`}
}${words.silence === undefined ? '' : ` else {\n  console.log('${words.silence}')\n}`}
`

const bashHook = (words: GuardWords) => `#!/usr/bin/env bash
# ${words.event} hook: ${summary}.
# ${protocol(words)}
set -euo pipefail

command=$(jq -r '${words.subject.map((key) => `.${key}?`).join(' | ')} // empty')

if grep -qE '${pattern}' <<<"$command"; then
  ${words.answer === undefined ? `printf '%s\\n' '${refusalReason}' >&2\n  exit 2` : `printf '%s\\n' '${JSON.stringify(words.answer)}'`}
${words.silence === undefined ? '' : `else\n  printf '%s\\n' '${words.silence}'\n`}fi
`

const pythonHook = (words: GuardWords) => `#!/usr/bin/env python3
# ${words.event} hook: ${summary}.
# ${protocol(words)}
import json
import re
import sys

command = json.load(sys.stdin)
for key in ${JSON.stringify(words.subject)}:
    command = command.get(key) if isinstance(command, dict) else None

if re.search(r"${pattern}", command or ""):
    ${words.answer === undefined ? `print(${JSON.stringify(refusalReason)}, file=sys.stderr)\n    sys.exit(2)` : `print(${JSON.stringify(JSON.stringify(words.answer))})`}
${words.silence === undefined ? '' : `else:\n    print(${JSON.stringify(words.silence)})\n`}`

/** Returns the test of a hook: it refuses the example and nothing else. */
export function hookTest({ subject, silence, answer }: GuardWords, hookFile: string, testFile: string): string {
  const event = subject.reduceRight<string>((inner, key) => `{ ${key}: ${inner} }`, 'command')
  const refusal =
    answer === undefined
      ? `{ status: 2, answer: undefined, stderr: ${JSON.stringify(`${refusalReason}\n`)} }`
      : `{ status: 0, answer: ${JSON.stringify(answer)}, stderr: '' }`
  return `// Run it with: node --test ${testFile}
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const hook = fileURLToPath(new URL('./${hookFile}', import.meta.url))

function run(command) {
  const { status, stdout, stderr } = spawnSync(hook, { input: JSON.stringify(${event}), encoding: 'utf8' })
  return { status, answer: stdout === '' ? undefined : JSON.parse(stdout), stderr }
}

test('refuses a forced push', () => {
  assert.deepEqual(run('${guardedCommand}'), ${refusal})
})

test('has no opinion on another command', () => {
  assert.deepEqual(run('npm test'), { status: 0, answer: ${silence ?? 'undefined'}, stderr: '' })
})
`
}
