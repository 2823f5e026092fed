import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject, objectsIn, textAt } from '../../model/json.ts'
import {
  commandRule,
  hooksInGroups,
  type OwnRule,
  type OwnRulesSite,
  rulesOfTexts,
  untranslated,
} from '../install/own-rules.ts'

/** Reads the tool lists, hooks and policies of Gemini CLI. */
export function ownRules(site: OwnRulesSite): readonly OwnRule[] {
  const { scope, env, home, cwd } = site
  const folder = join(scope === 'user' ? env['GEMINI_CLI_HOME'] || home : cwd, '.gemini')
  const file = join(folder, 'settings.json')
  const settings = site.json(file)
  const policies = site.files(join(folder, 'policies')).filter((name) => name.endsWith('.toml'))
  return [
    ...(isJsonObject(settings) ? rulesInSettings(file, settings) : []),
    ...policies.flatMap((policy) => rulesInPolicies(policy, site.toml(policy))),
  ]
}

/** The lists in `tools`, each with its older name at the top of the file. */
const lists = [
  { key: 'exclude', older: 'excludeTools', effect: 'deny' },
  { key: 'allowed', older: 'allowedTools', effect: 'allow' },
] as const

function rulesInSettings(from: string, settings: JsonObject): readonly OwnRule[] {
  const tools = isJsonObject(settings['tools']) ? settings['tools'] : {}
  const listed = lists.flatMap(({ key, older, effect }) =>
    [
      { name: `tools.${key}`, list: tools[key] },
      { name: older, list: settings[older] },
    ].flatMap(({ name, list }) => rulesOfTexts(from, name, list, (text) => toolRule(from, effect, text))),
  )
  const core = [
    { name: 'tools.core', list: tools['core'] },
    { name: 'coreTools', list: settings['coreTools'] },
  ].filter(({ list }) => list !== undefined)
  return [
    ...listed,
    ...core.map(({ name }) =>
      untranslated(from, name, 'it names the only tools that there are; hookgate has no such list'),
    ),
    ...hooksInGroups(from, settings['hooks'], handlerOf, matcherOf),
  ]
}

/** A tool, by its name or its class; with a prefix in parentheses, the commands that begin with it. */
function toolRule(from: string, effect: 'deny' | 'allow', text: string): OwnRule {
  const [, tool = '', prefix] = /^([\w-]+)(?:\(([^]*)\))?$/.exec(text.trim()) ?? []
  const isShell = tool === 'run_shell_command' || tool === 'ShellTool'
  const rule = prefix === undefined ? (isShell ? 'shell' : tool) : isShell ? prefixRule(prefix) : undefined
  return rule === undefined || rule === ''
    ? untranslated(from, text, 'only a plain prefix of shell commands can be expressed')
    : { kind: 'permission', from, effect, text: rule }
}

const prefixRule = (prefix: string) => commandRule(prefix.trim().split(/\s+/))

/** Gemini CLI reads each matcher as a regular expression, where hookgate reads plain names as names. */
const matcherOf = (matcher: string) => (/^[\w\- ,|]+$/.test(matcher) ? `(?:${matcher})` : matcher)

/** Gemini CLI counts milliseconds, and gives hooks names. */
function handlerOf(handler: JsonObject): JsonObject {
  const { timeout } = handler
  const timeoutS = typeof timeout === 'number' ? { timeout: timeout / 1000 } : {}
  const kept = Object.entries(handler).filter(([key]) => key !== 'name' && key !== 'description')
  return { ...Object.fromEntries(kept), ...timeoutS, dialect: 'gemini-cli' }
}

const decisions: Readonly<Record<string, 'deny' | 'ask' | 'allow'>> = { deny: 'deny', ask_user: 'ask', allow: 'allow' }
const understood = new Set(['toolName', 'mcpName', 'commandPrefix', 'decision', 'priority', 'denyMessage', 'name'])

function rulesInPolicies(from: string, policies: Json | undefined): readonly OwnRule[] {
  const rules = isJsonObject(policies) ? objectsIn(policies['rule']) : []
  const priorities = new Set(rules.map(({ priority }) => priority))
  return [
    ...rules.flatMap((rule) => rulesOfPolicy(from, rule)),
    ...(priorities.size > 1 ? [untranslated(from, '`priority`', 'in hookgate `deny` always wins, then `ask`')] : []),
  ]
}

function rulesOfPolicy(from: string, rule: JsonObject): readonly OwnRule[] {
  const shown = JSON.stringify(rule)
  const effect = decisions[textAt(rule, 'decision') ?? '']
  if (effect === undefined) return [untranslated(from, shown, 'its `decision` is not known')]
  const other = Object.keys(rule).find((key) => !understood.has(key))
  if (other !== undefined) return [untranslated(from, shown, `hookgate has nothing like its \`${other}\``)]
  return textsOf(rule).map((text) =>
    text === undefined
      ? untranslated(from, shown, 'only tools, servers and plain prefixes of commands can be expressed')
      : { kind: 'permission', from, effect, text },
  )
}

const eachOf = (value: Json): readonly Json[] => (isJsonList(value) ? value : [value])
const isJsonList = (value: Json): value is readonly Json[] => Array.isArray(value)

function textsOf({ toolName, mcpName, commandPrefix }: JsonObject): readonly (string | undefined)[] {
  if (commandPrefix !== undefined) {
    return eachOf(commandPrefix).map((prefix) => (typeof prefix === 'string' ? prefixRule(prefix) : undefined))
  }
  const tools = toolName === undefined ? [undefined] : eachOf(toolName)
  if (typeof mcpName === 'string') {
    return tools.map((tool) => (typeof tool === 'string' ? `mcp__${mcpName}__${tool}` : `mcp__${mcpName}`))
  }
  return tools.map((tool) => {
    if (typeof tool !== 'string' || tool.includes('*')) return undefined
    return tool === 'run_shell_command' ? 'shell' : tool
  })
}
