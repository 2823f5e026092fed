import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { getNodeValue } from 'jsonc-parser'
import { agents, descriptorOf, subscribedEvents } from '../agents/registry.ts'
import { type OwnRule, type OwnRulesSite, untranslated } from '../agents/install/own-rules.ts'
import { makeDisk } from '../files/disk.ts'
import { parseToml } from '../files/settings-values.ts'
import { codeOf, errorText, HookgateError, isError, type Refusal } from '../model/errors.ts'
import type { AgentName } from '../model/event.ts'
import { Json, type JsonObject } from '../model/json.ts'
import type { Source } from '../model/rule.ts'
import { choiceOf, quoted } from '../model/text.ts'
import { isRule } from '../rules/load/draft.ts'
import { load } from '../rules/load/load.ts'
import { permissionEntry } from '../rules/load/permissions.ts'
import { rulesFileEvents } from '../rules/load/wire.ts'
import { lookAt, reasonOf } from './files/settings-file.ts'
import { ownHandler } from './http-groups/groups.ts'
import { boundsOf, type InstallContext } from './install-context.ts'
import { addItems, type JsonDocument, malformed, parseDocument } from './json/edit.ts'
import { type PlannedRulesFile, planRulesFile, rulesFileOf } from './rules-file.ts'

/** The planned change of a rules file by `hookgate import`. */
export interface PlannedImport extends Translation, PlannedRulesFile {}

/**
 * Plans the import of an agent's own rules. Reads the agent's files, and never changes them.
 *
 * @throws HookgateError `usage` if the agent has no rules of its own, `settingsMalformed`
 */
export function planImport(agent: AgentName, context: InstallContext): PlannedImport {
  const read = descriptorOf(agent)?.ownRules
  if (read === undefined) {
    const known = agents.flatMap(({ name, ownRules }) => (ownRules === undefined ? [] : [name]))
    const remedy = `rules can be imported from ${choiceOf(known)}`
    throw new HookgateError('usage', `${quoted(agent)} keeps no rules that could be imported`, { remedy })
  }
  const { scope, cwd, home } = context
  const source: Source = {
    id: `${scope}:hooks.json`,
    scope,
    file: rulesFileOf(context),
    workspaceRoot: scope === 'project' ? cwd : undefined,
    pluginRoot: undefined,
  }
  const translation = translate(read(ownRulesSite(context)), agent, source, home)
  return { ...translation, ...planRulesFile(context, (document) => withRules(document, translation)) }
}

/**
 * Adds rules to a rules file, in its own layout. What it has already is not added again.
 *
 * @throws HookgateError `settingsMalformed` if a part of the file is not what it should be
 */
function withRules(document: JsonDocument, { permissions, hooks }: Translation): JsonDocument {
  let merged = document
  for (const effect of ['deny', 'ask', 'allow'] as const) {
    const texts = permissions.filter((one) => one.effect === effect).map(({ text }) => text)
    merged = addItems(merged, ['permissions', effect], [...new Set(texts)])
  }
  for (const { event, group } of hooks) merged = addItems(merged, ['hooks', event], [group])
  return merged
}

type ImportedPermission = Extract<OwnRule, { kind: 'permission' }>
type Untranslated = Extract<OwnRule, { kind: 'untranslated' }>

/** A group with one hook, as it is written into hookgate's rules file. */
interface ImportedHook {
  readonly event: string
  readonly group: JsonObject
}

/** The rules of an agent in hookgate's form, each accepted by the loader, and those that have none. */
interface Translation {
  readonly permissions: readonly ImportedPermission[]
  readonly hooks: readonly ImportedHook[]
  readonly untranslated: readonly Untranslated[]
}

/** Translates the rules of an agent for a rules file. The loader itself judges what can be expressed. */
function translate(rules: readonly OwnRule[], agent: AgentName, source: Source, home: string): Translation {
  const permissions: ImportedPermission[] = []
  const hooks: ImportedHook[] = []
  const left: Untranslated[] = []
  const leave = (from: string, what: string, why: string) => {
    const one = untranslated(from, what, why)
    if (one.kind === 'untranslated' && !left.some((other) => isDeepStrictEqual(one, other))) left.push(one)
  }
  for (const rule of rules) {
    if (rule.kind === 'untranslated') leave(rule.from, rule.what, rule.why)
    else if (rule.kind === 'permission') {
      const entry = permissionEntry(rule.text, rule.effect, home)
      if ('message' in entry) leave(rule.from, `${rule.effect} ${rule.text}`, refusalText(entry))
      else permissions.push(rule)
    } else if (ownHandler(rule.handler) === undefined) {
      const hook = translatedHook(rule, agent)
      const why = hook === undefined ? 'hookgate has no such event' : loadProblem(hook, source, home)
      if (hook === undefined || why !== undefined) leave(rule.from, `a hook at ${rule.event}`, why ?? '')
      else if (!callsHookgate(hook, source, home)) hooks.push(hook)
    }
  }
  return { permissions, hooks, untranslated: left }
}

const refusalText = ({ message, remedy }: Pick<Refusal, 'message' | 'remedy'>) =>
  remedy === undefined ? message : `${message}; ${remedy}`

function translatedHook(
  { event, matcher, handler }: Extract<OwnRule, { kind: 'hook' }>,
  agent: AgentName,
): ImportedHook | undefined {
  const named = rulesFileEvents.includes(event) ? event : subscribedEvents(agent, event)?.events[0]
  if (named === undefined) return undefined
  return { event: named, group: { ...(matcher !== undefined && { matcher }), hooks: [handler] } }
}

/** Loads a rules file with this hook alone. */
function loaded({ event, group }: ImportedHook, source: Source, home: string) {
  const bytes = Buffer.from(JSON.stringify({ hooks: { [event]: [group] } }))
  const disk = { ...makeDisk(), read: () => bytes }
  return load({ kind: 'file', source, format: 'hookgate' }, disk, home)
}

/** Says why a hook does not load, or is never run. */
function loadProblem(hook: ImportedHook, source: Source, home: string): string | undefined {
  const { problems, entries } = loaded(hook, source, home)
  const error = problems.find(isError)
  if (error !== undefined) return refusalText(error)
  return entries.filter(isRule).flatMap(({ handler }) => {
    return handler.kind === 'builtin' && handler.builtin.kind === 'unsupported' ? [handler.builtin.why] : []
  })[0]
}

const callsHookgate = (hook: ImportedHook, source: Source, home: string) => loaded(hook, source, home).asking.length > 0

/**
 * Gives an agent's reader its files. Unlike for `status`, a file that does not parse is an error: its rules would be
 * left out unseen.
 */
function ownRulesSite(context: InstallContext): OwnRulesSite {
  const { scope, env, cwd, home, platform } = context
  // A project's link must not show a file of the user's, as an error or as a rule.
  const bytesOf = (file: string) => lookAt(file, boundsOf(context)).present?.bytes
  return {
    scope,
    env,
    cwd,
    home,
    platform,
    json(file) {
      const bytes = bytesOf(file)
      return bytes === undefined ? undefined : Json.parse(getNodeValue(parseDocument(bytes, file, 'allowed').root))
    },
    toml(file) {
      const bytes = bytesOf(file)
      if (bytes === undefined) return undefined
      try {
        return parseToml(bytes.toString())
      } catch (cause) {
        throw malformed({ file }, `it is not TOML: ${errorText(cause).split('\n')[0] ?? ''}`)
      }
    },
    text: (file) => bytesOf(file)?.toString(),
    files(folder) {
      try {
        return readdirSync(folder)
          .toSorted()
          .map((name) => join(folder, name))
      } catch (cause) {
        if (codeOf(cause) === 'ENOENT') return []
        const message = `it cannot be read (${reasonOf(cause)})`
        throw new HookgateError('settingsMalformed', message, { place: { file: folder } })
      }
    },
  }
}
