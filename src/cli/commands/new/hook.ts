import { usage } from '../../command.ts'
import { existsSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import { eventSpellings, spellingOf, subscribedEvents } from '../../../agents/event-names.ts'
import { dialectOf } from '../../../agents/index.ts'
import { descriptorOf, type KnownAgent, titleOf } from '../../../agents/registry.ts'
import { shellCall } from '../../../agents/neutral-call.ts'
import { HookgateError } from '../../../model/errors.ts'
import { isJsonObject, type Json, parseJsonObject } from '../../../model/json.ts'
import { PolicyId } from '../../../model/policy.ts'
import { abstention, type Verdict } from '../../../model/verdict.ts'
import {
  guardedCommand,
  type GuardWords,
  hookSource,
  type HookLanguage,
  hookTest,
  refusalReason,
} from './hook-templates.ts'
import { refuseExisting, writeNew } from './write-new.ts'

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
  const words = await guardWords(agent)
  const isInFolder = descriptorOf(agent)?.install.kind === 'hook-folders'
  if (isInFolder && name !== words.event) throw usage(wrongName(name, agent, words.event), 'new')
  const extension = extensions[language]
  const file = isInFolder || name.endsWith(extension) ? name : `${name}${extension}`
  const hook = join(dir, isInFolder ? '.clinerules/hooks' : '.hookgate/hooks', file)
  const test = `${hook.slice(0, hook.length - extname(hook).length)}.test.mjs`
  refuseExisting(hook, test)
  writeNew(hook, hookSource(words, language), 0o755)
  writeNew(test, hookTest(words, basename(hook), basename(test)))
  return [
    ...[hook, test].map((path) => `wrote ${relative(cwd, path)}`),
    ...(isInFolder ? [] : [registeredText(agent, file, { dir, cwd })]),
    `next: node --test ${relative(cwd, test)}`,
    '      hookgate trust, so that hookgate runs it',
    '',
  ].join('\n')
}

const wrongName = (name: string, agent: KnownAgent, event: string) =>
  eventSpellings(agent).includes(name)
    ? `there is no template for \`${name}\`, only for \`${event}\``
    : `${titleOf(agent)} calls a hook by its event: name it \`${event}\`, not \`${name}\``

/** Writes hookgate's rules file with the hook, or says what to add to the one that is there. */
function registeredText(
  agent: KnownAgent,
  file: string,
  { dir, cwd }: { readonly dir: string; readonly cwd: string },
): string {
  // A project's hooks run at its root; not every agent has a variable for it. A guard that fails must refuse.
  const command = `./.hookgate/hooks/${file}`
  const id = PolicyId.safeParse(basename(file, extname(file))).data
  const own = { type: 'command', command, timeout: 10, dialect: agent, onFailure: 'block' }
  const handler = id === undefined ? own : { id, ...own }
  const rules = { hooks: { PreToolUse: [{ matcher: 'shell', hooks: [handler] }] } }
  const text = `${JSON.stringify(rules, undefined, 2)}\n`
  const rulesFile = join(dir, '.hookgate', 'hooks.json')
  const shown = relative(cwd, rulesFile)
  if (existsSync(rulesFile)) return `add to ${shown}:\n\n${text}`
  writeNew(rulesFile, text)
  return `wrote ${shown}`
}

/** Derives from the agent's dialect how a hook of it reads a shell command and refuses it. */
async function guardWords(agent: KnownAgent): Promise<GuardWords> {
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

function pathTo(value: Json, text: string): readonly string[] | undefined {
  if (value === text) return []
  if (!isJsonObject(value)) return undefined
  for (const [key, part] of Object.entries(value)) {
    const rest = pathTo(part, text)
    if (rest !== undefined) return [key, ...rest]
  }
  return undefined
}
