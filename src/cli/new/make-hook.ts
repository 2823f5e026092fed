import { existsSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import type { AgentName } from '../../model/event.ts'
import { HookgateError } from '../../model/errors.ts'
import { eventSpellings, subscribedEvents } from '../../agents/event-names.ts'
import { quoted } from '../../model/text.ts'
import { usage } from '../flags.ts'
import { hookSource, hookTest, type Language } from './hook-templates.ts'
import { type Purpose, spelledBy, templateEvents, wordsFor } from './hook-words.ts'
import { writeNew } from './write-new.ts'

const extensions: Readonly<Record<Language, string>> = { node: '.mjs', bash: '.sh', python: '.py' }

/** Returns the purpose of a hook at an event that has a template. */
function purposeOf(agent: AgentName, event: string, events: Readonly<Record<string, Purpose>>): Purpose {
  const purpose = Object.hasOwn(events, event) ? events[event] : undefined
  if (purpose !== undefined) return purpose
  const known = eventSpellings(agent)
  const templates = `there are templates for ${Object.keys(events).join(', ')}`
  if (known.includes(event)) throw usage(`there is no template for ${quoted(event)}: ${templates}`, 'new')
  throw usage(`${agent} has no event ${quoted(event)}: it has ${known.join(', ')}; ${templates}`, 'new')
}

/**
 * Writes a hook in an agent's format, its test, and its entry in hookgate's rules file, which names the agent.
 *
 * @returns a message for the person
 */
export async function agentHook(
  agent: AgentName,
  name: string,
  named: string,
  language: Language,
  dir: string,
  cwd: string,
): Promise<string> {
  const event = spelledBy(agent, named)
  const purpose = purposeOf(agent, event, await templateEvents(agent))
  const file = name.endsWith(extensions[language]) ? name : `${name}${extensions[language]}`
  const folder = join(dir, '.hookgate', 'hooks')
  const made = await writeHook(agent, event, purpose, language, join(folder, file))
  // A guard that fails must refuse.
  const handler = {
    type: 'command',
    // A project's hooks run at its root; not every agent has a variable for it.
    command: `./.hookgate/hooks/${file}`,
    timeout: 10,
    dialect: agent,
    ...(purpose === 'guard' && { onFailure: 'block' }),
  }
  const [common = event] = subscribedEvents(agent, event)?.events ?? []
  const entry = { hooks: { [common]: [{ ...(purpose === 'guard' && { matcher: 'shell' }), hooks: [handler] }] } }
  const rulesFile = join(dir, '.hookgate', 'hooks.json')
  const rules = `${JSON.stringify(entry, undefined, 2)}\n`
  const registered = existsSync(rulesFile)
  if (!registered) writeNew(rulesFile, rules)
  return [
    ...made.map((path) => `wrote ${relative(cwd, path)}`),
    registered ? `add to ${relative(cwd, rulesFile)}:\n\n${rules}` : `wrote ${relative(cwd, rulesFile)}`,
    `next: node --test ${relative(cwd, made[1])}`,
    '      hookgate trust, so that hookgate runs it',
    '',
  ].join('\n')
}

/** Writes a Cline hook and its test. @returns a message for the person */
export async function clineHook(event: string, language: Language, dir: string, cwd: string): Promise<string> {
  const purpose = purposeOf('cline', event, await templateEvents('cline'))
  const made = await writeHook('cline', event, purpose, language, join(dir, '.clinerules', 'hooks', event))
  return [
    ...made.map((path) => `wrote ${relative(cwd, path)}`),
    `next: node --test ${relative(cwd, made[1])}`,
    '      hookgate trust, so that hookgate runs it',
    '',
  ].join('\n')
}

/** Returns the test's path: beside the hook, named like it without its extension. */
const testOf = (file: string) => `${file.slice(0, file.length - extname(file).length)}.test.mjs`

async function writeHook(
  agent: AgentName,
  event: string,
  purpose: Purpose,
  language: Language,
  file: string,
): Promise<readonly [hook: string, test: string]> {
  const test = testOf(file)
  const words = await wordsFor(agent, event, purpose)
  if (words === undefined)
    throw new HookgateError('internal', `${agent} has no way to say what a template does at ${event}`)
  const taken = [file, test].find((path) => existsSync(path))
  if (taken !== undefined) {
    throw new HookgateError('usage', 'the file already exists', {
      place: { file: taken },
      remedy: 'choose another name',
    })
  }
  writeNew(file, hookSource(words, purpose, language), 0o755)
  writeNew(test, hookTest(words, purpose, basename(file), basename(test)))
  return [file, test]
}
