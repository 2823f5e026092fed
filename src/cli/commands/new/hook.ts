import { existsSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import {
  descriptorOf,
  eventSpellings,
  type KnownAgent,
  spellingOf,
  subscribedEvents,
  titleOf,
} from '../../../agents/registry.ts'
import { dialectOf } from '../../../agents/index.ts'
import { shellCall } from '../../../agents/neutral-call.ts'
import { HookgateError } from '../../../model/errors.ts'
import { isJsonObject, type Json, parseJsonObject } from '../../../model/json.ts'
import { PolicyId } from '../../../model/policy.ts'
import { abstention, type Verdict } from '../../../model/verdict.ts'
import { usage } from '../../command.ts'
import { undoMade } from '../../consent.ts'
import { refuseExisting, writeNew } from './policy.ts'

export const hookLanguages = ['node', 'bash', 'python'] as const
type HookLanguage = (typeof hookLanguages)[number]
const extensions: Readonly<Record<HookLanguage, string>> = { node: '.mjs', bash: '.sh', python: '.py' }

/**
 * Writes a hook in an agent's format and its test, and registers the hook with hookgate unless it is found by its name.
 *
 * @returns a message for the person
 * @throws HookgateError `usage`
 */
export async function makeHook(
  name: string,
  agent: KnownAgent,
  language: HookLanguage,
  { dir, cwd }: { readonly dir: string; readonly cwd: string },
): Promise<string> {
  if (!/^[\w.-]{1,100}$/.test(name) || name.startsWith('.')) throw usage(`\`${name}\` is not a valid file name`, 'new')
  const words = await guardWordsOf(agent)
  const isInFolder = descriptorOf(agent)?.install.kind === 'hook-folders'
  if (isInFolder && name !== words.event) throw usage(wrongName(name, agent, words.event), 'new')
  const extension = extensions[language]
  const file = isInFolder || name.endsWith(extension) ? name : `${name}${extension}`
  const hook = join(dir, isInFolder ? '.clinerules/hooks' : '.hookgate/hooks', file)
  const test = `${hook.slice(0, hook.length - extname(hook).length)}.test.mjs`
  refuseExisting(hook, test)
  writeNew(hook, hookSource(words, language), 0o755)
  writeNew(test, hookTest(words, basename(hook), basename(test)))
  const registered = isInFolder ? undefined : registerHook(agent, file, { dir, cwd })
  const made = [hook, test, ...(registered?.made ?? [])].map((path) => relative(cwd, path))
  return [
    ...[hook, test].map((path) => `wrote ${relative(cwd, path)}`),
    ...(registered === undefined ? [] : [registered.text]),
    `next: node --test ${relative(cwd, test)}`,
    '      hookgate trust, so that hookgate runs it',
    undoMade(made),
    '',
  ].join('\n')
}

const wrongName = (name: string, agent: KnownAgent, event: string) =>
  eventSpellings(agent).includes(name)
    ? `there is no template for \`${name}\`, only for \`${event}\``
    : `${titleOf(agent)} calls a hook by its event: name it \`${event}\`, not \`${name}\``

/** Writes the project's rules file with the hook, or returns what to add to the file that is there. */
function registerHook(
  agent: KnownAgent,
  file: string,
  { dir, cwd }: { readonly dir: string; readonly cwd: string },
): { readonly text: string; readonly made: readonly string[] } {
  // A project's hooks run at its root; not every agent has a variable for it. A guard that fails must refuse.
  const command = `./.hookgate/hooks/${file}`
  const id = PolicyId.safeParse(basename(file, extname(file))).data
  const own = { type: 'command', command, timeout: 10, dialect: agent, onFailure: 'block' }
  const handler = id === undefined ? own : { id, ...own }
  const rules = { hooks: { PreToolUse: [{ matcher: 'shell', hooks: [handler] }] } }
  const text = `${JSON.stringify(rules, undefined, 2)}\n`
  const rulesFile = join(dir, '.hookgate', 'hooks.json')
  const shown = relative(cwd, rulesFile)
  if (existsSync(rulesFile)) return { text: `add to ${shown}:\n\n${text}`, made: [] }
  writeNew(rulesFile, text)
  return { text: `wrote ${shown}`, made: [rulesFile] }
}

/** Finds out, by the agent's dialect, how its hooks read a shell command and refuse it. */
async function guardWordsOf(agent: KnownAgent): Promise<GuardWords> {
  const common = 'PreToolUse'
  const event = subscribedEvents(agent, common) === undefined ? spellingOf(agent, common, undefined) : common
  const dialect = await dialectOf(agent)
  const wire = await shellCall(agent, guardedCommand, '/', 's', event)
  const subject = pathTo(wire, guardedCommand)
  if (event === undefined || subject === undefined)
    throw new HookgateError('internal', `${titleOf(agent)} has no event of a shell command`)
  const decoded = dialect.decodeEvent(wire, { nowMs: 0, env: {}, cwd: '/' })
  const printed = (verdict: Verdict) => parseJsonObject(dialect.encodeVerdict(decoded, verdict).stdout)
  const abstains = printed(abstention)
  return {
    event,
    subject,
    answer: printed({ ...abstention, decision: 'deny', reason: refusalReason }),
    silence: abstains && Object.keys(abstains).length > 0 ? JSON.stringify(abstains) : undefined,
  }
}

/** Returns the keys that lead to a text in an event. */
function pathTo(value: Json, text: string): readonly string[] | undefined {
  if (value === text) return []
  if (!isJsonObject(value)) return undefined
  for (const [key, part] of Object.entries(value)) {
    const rest = pathTo(part, text)
    if (rest !== undefined) return [key, ...rest]
  }
  return undefined
}

/** The parts of an agent's wire format that the source of a guard uses. */
interface GuardWords {
  /** The agent's name for the event. */
  readonly event: string
  /** The keys that lead to the command in the event. */
  readonly subject: readonly string[]
  /** The output that refuses; `undefined` if the agent reads only exit code 2 and stderr. */
  readonly answer: object | undefined
  /** Output without an opinion; `undefined` if empty output is allowed. */
  readonly silence: string | undefined
}

const guardedCommand = 'git push --force origin main'
const refusalReason = 'A forced push rewrites what others have pulled: use --force-with-lease'
const summary = 'refuses a forced push'
/** A regular expression of JavaScript, of `grep -E` and of Python. */
const pattern = 'git (.* )?push (.* )?(--force|-f)( |$)'

/** Returns the source of a hook that guards shell commands. It puts JSON in single quotes, which no answer contains. */
function hookSource(words: GuardWords, language: HookLanguage): string {
  return { node: nodeHook, bash: bashHook, python: pythonHook }[language](words)
}

/** Returns the comment of a hook about what it reads and answers. */
function protocolText({ answer, silence }: GuardWords): string {
  if (answer === undefined) return 'The event comes as JSON on stdin; exit code 2 refuses, and stderr says why.'
  const nothing = silence === undefined ? 'printing nothing means no opinion.' : `\`${silence}\` means no opinion.`
  return `The event comes as JSON on stdin; one JSON object on stdout answers; ${nothing}`
}

const nodeHook = (words: GuardWords) => `#!/usr/bin/env node
// ${words.event} hook: ${summary}.
// ${protocolText(words)}
import { readFileSync } from 'node:fs'

const event = JSON.parse(readFileSync(0, 'utf8'))
const command = event${words.subject.map((key) => `?.${key}`).join('')} ?? ''

if (/${pattern}/.test(command)) {
  ${words.answer === undefined ? `console.error('${refusalReason}')\n  process.exitCode = 2` : `console.log(JSON.stringify(${JSON.stringify(words.answer)}))`}
}${words.silence === undefined ? '' : ` else {\n  console.log('${words.silence}')\n}`}
`

const bashHook = (words: GuardWords) => `#!/usr/bin/env bash
# ${words.event} hook: ${summary}.
# ${protocolText(words)}
set -euo pipefail

command=$(jq -r '${words.subject.map((key) => `.${key}?`).join(' | ')} // empty')

if grep -qE '${pattern}' <<<"$command"; then
  ${words.answer === undefined ? `printf '%s\\n' '${refusalReason}' >&2\n  exit 2` : `printf '%s\\n' '${JSON.stringify(words.answer)}'`}
${words.silence === undefined ? '' : `else\n  printf '%s\\n' '${words.silence}'\n`}fi
`

const pythonHook = (words: GuardWords) => `#!/usr/bin/env python3
# ${words.event} hook: ${summary}.
# ${protocolText(words)}
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
function hookTest({ subject, silence, answer }: GuardWords, hookFile: string, testFile: string): string {
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
