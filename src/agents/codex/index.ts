import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import { type InstalledHooks, type InstallSite, managedPath, ownFolder } from '../install/install.ts'
import { environment, inheritedVariables } from '../install/switch-variables.ts'
import { eventsNamedAlike, observed, refusable, unread } from '../table/events.ts'
import { prints, silentExit } from '../table/lints.ts'
import { isJsonObject } from '../../model/json.ts'
import { commandRule, hooksInGroups, type OwnRule, type OwnRulesSite, untranslated } from '../install/own-rules.ts'

/** Reads Codex's rules about commands, and its hooks. */
function ownRules(site: OwnRulesSite): readonly OwnRule[] {
  const folder = site.scope === 'user' ? ownFolder(site, 'CODEX_HOME', '.codex') : join(site.cwd, '.codex')
  const config = join(folder, 'config.toml')
  const hooks = join(folder, 'hooks.json')
  const settings = site.toml(config)
  const listed = site.json(hooks)
  const rules = site.files(join(folder, 'rules')).filter((name) => name.endsWith('.rules'))
  return [
    ...rules.flatMap((file) => rulesIn(file, site.text(file) ?? '')),
    ...(isJsonObject(listed)
      ? hooksInGroups(hooks, listed['hooks'], (handler) => ({ ...handler, dialect: 'codex' }))
      : []),
    ...(isJsonObject(settings) ? Object.keys(settings).flatMap((key) => unlike(config, key)) : []),
  ]
}

/** Settings of Codex that limit what it does, each with the reason why it stays there. */
const stays: Readonly<Record<string, string>> = {
  approval_policy: 'it says when Codex itself asks',
  sandbox_mode: 'it is about the sandbox that Codex itself runs commands in',
  sandbox_workspace_write: 'it is about the sandbox that Codex itself runs commands in',
}

const unlike = (config: string, key: string): readonly OwnRule[] =>
  stays[key] === undefined ? [] : [untranslated(config, key, stays[key])]

const decisions: Readonly<Record<string, 'deny' | 'ask' | 'allow'>> = {
  allow: 'allow',
  prompt: 'ask',
  forbidden: 'deny',
}

function rulesIn(from: string, text: string): readonly OwnRule[] {
  return callsIn(text).flatMap((call) => rulesOfCall(from, call))
}

function rulesOfCall(from: string, { name, named, source }: RuleCall): readonly OwnRule[] {
  if (named === undefined) return [untranslated(from, source, 'only literal arguments are understood')]
  if (name !== 'prefix_rule') return [untranslated(from, source, 'only `prefix_rule` is about commands alone')]
  const effect = decisions[String(named['decision'] ?? 'allow')]
  const words = alternatives(named['pattern'])
  if (effect === undefined || words === undefined) return [untranslated(from, source, 'it is not a known form of rule')]
  return words.map((one) => {
    const rule = commandRule(one)
    return rule === undefined
      ? untranslated(from, source, 'a word with a blank or a parenthesis cannot be written in a permission rule')
      : { kind: 'permission', from, effect, text: rule }
  })
}

/** More alternatives than these are no rule that a person wrote. */
const alternativesMax = 100

/** Returns every list of words that a pattern stands for: each of its elements is a word, or a choice of words. */
function alternatives(pattern: RuleValue | undefined): readonly (readonly string[])[] | undefined {
  if (!Array.isArray(pattern) || pattern.length === 0) return undefined
  let all: readonly (readonly string[])[] = [[]]
  for (const element of pattern as readonly RuleValue[]) {
    const words = typeof element === 'string' ? [element] : element
    all = all.flatMap((before) => words.flatMap((word) => (typeof word === 'string' ? [[...before, word]] : [])))
    if (all.length > alternativesMax || all.length === 0) return undefined
  }
  return all
}

/** A literal argument of a call in a rules file of Codex. */
type RuleValue = string | readonly RuleValue[]

/** A call in a rules file of Codex: `prefix_rule(pattern = ["git", "push"], decision = "prompt")`. */
interface RuleCall {
  readonly name: string
  /** The arguments by their names; `undefined` if one of them is not a literal. */
  readonly named: Readonly<Record<string, RuleValue>> | undefined
  readonly source: string
}

const token = /#[^\n]*|"""[^]*?"""|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|[A-Za-z_]\w*|\d+|[^\s]/g

/** Reads the calls of a rules file, which is Starlark: comments, and calls with literal arguments. */
function callsIn(text: string): readonly RuleCall[] {
  const tokens = [...text.matchAll(token)].filter(([one]) => !one.startsWith('#'))
  const texts = tokens.map(([one]) => one)
  const calls: RuleCall[] = []
  for (let at = 0; at < tokens.length; at++) {
    const name = texts[at] ?? ''
    if (!/^[A-Za-z_]/.test(name) || texts[at + 1] !== '(') continue
    const end = closing(texts, at + 1)
    const inside = texts.slice(at + 2, end)
    const source = text.slice(tokens[at]?.index, (tokens[end]?.index ?? text.length - 1) + 1).replaceAll(/\s+/g, ' ')
    calls.push({ name, named: argumentsOf(inside), source })
    at = end
  }
  return calls
}

/** Returns the index of the bracket that closes the one at an index. */
function closing(tokens: readonly string[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    if (/^[([{]$/.test(tokens[at] ?? '')) depth++
    else if (/^[)\]}]$/.test(tokens[at] ?? '') && --depth === 0) return at
  }
  return tokens.length
}

function argumentsOf(tokens: readonly string[]): Readonly<Record<string, RuleValue>> | undefined {
  const named: Record<string, RuleValue> = {}
  let rest = tokens
  while (rest.length > 0) {
    const [name = '', equals, ...behind] = rest
    const value = equals === '=' ? valueOf(behind) : undefined
    if (value === undefined) return undefined
    named[name] = value.value
    if (value.rest.length > 0 && value.rest[0] !== ',') return undefined
    rest = value.rest.slice(1)
  }
  return named
}

interface ReadValue {
  readonly value: RuleValue
  readonly rest: readonly string[]
}

function valueOf([first, ...rest]: readonly string[]): ReadValue | undefined {
  if (first === undefined) return undefined
  if (/^["']/.test(first)) return { value: unquoted(first), rest }
  if (first !== '[') return undefined
  const list: RuleValue[] = []
  let left: readonly string[] = rest
  while (left[0] !== ']') {
    const one = valueOf(left)
    if (one === undefined) return undefined
    list.push(one.value)
    left = one.rest[0] === ',' ? one.rest.slice(1) : one.rest
  }
  return { value: list, rest: left.slice(1) }
}

function unquoted(text: string): string {
  const quotes = text.startsWith('"""') ? 3 : 1
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
  return text.slice(quotes, -quotes).replaceAll(/\\([^])/g, (_, one: string) => escapes[one] ?? one)
}

/**
 * Registered timeout for the end of a session in Codex, in seconds. Codex waits no longer, whatever is configured.
 */
const registeredBriefTimeoutS = 3

const registeredBriefAnswerMs = 2500

const codexFolder = (site: InstallSite) => ownFolder(site, 'CODEX_HOME', '.codex')
const configOf = (site: InstallSite) => join(codexFolder(site), 'config.toml')
const managedFolder = '/etc/codex'
const managedFile = `${managedFolder}/requirements.toml`

/**
 * Describes Codex, as measured on 0.169 and 0.171.
 *
 * It has no `ask`: an answer with one is an error, and the tool runs, so a question becomes a refusal. A bare `allow`
 * is the same error; silence leaves the call to Codex's own approval. A field that an event does not support must not
 * be sent: one key that Codex does not know voids the whole answer.
 *
 * What its model types into a running program (`write_stdin`) reaches no hook, of whatever event, also from a script of
 * code mode (`exec`). Such a script reaches none either, but it has no files, no network and no processes: each call of a
 * tool that it makes is asked about, except `write_stdin`. A program is given a terminal only where the call of
 * `exec_command` has `tty`, which hooks are not told; all others have `/dev/null` for their input. The feature
 * `unified_exec_tty` ends that. Its `shell` starts no program but a shell, and `workdir` is the event's `cwd`.
 *
 * After a command, hooks get its output alone, without the exit code: one that has failed looks like one that ran.
 *
 * Of its 14 events, hookgate is asked at those in which something is to be decided or told. In `PreModelRequest`,
 * `PostModelRequest` and `Interrupt` there is no call of a tool.
 */
export const codex: AgentDescriptor<'codex'> = {
  name: 'codex',
  title: 'Codex',
  folders: ['.codex'],
  hookSettings: ['.codex/hooks.json', '.codex/config.toml', '.codex/.env'],
  offCommands: { program: 'codex', words: /^ features disable hooks\b/ },
  events: eventsNamedAlike({
    PreToolUse: { ...refusable, replaceInput: 'native', context: 'native' },
    // `updatedInput` is reserved here, and an answer with it is discarded.
    PermissionRequest: { ...refusable, ask: 'implicit', allow: 'native' },
    // Measured: the reason of a refusal takes the output's place.
    PostToolUse: { ...refusable, replaceOutput: 'asReason', stop: 'native', context: 'native' },
    UserPromptSubmit: { ...refusable, stop: 'native', context: 'native' },
    SessionStart: { ...observed, stop: 'native', context: 'native' },
    SubagentStart: { ...observed, stop: 'native', context: 'native' },
    Stop: { ...refusable, stop: 'native' },
    SubagentStop: { ...refusable, stop: 'native' },
    PreCompact: { ...observed, stop: 'native' },
    PostCompact: { ...observed, stop: 'native' },
    SessionEnd: unread,
  }),
  tools: {
    // `exec_command` has `cmd`; to hooks it mostly comes as `Bash` with `command`.
    shell: [['Bash', 'shell', 'shell_command', 'exec_command', 'local_shell'], { command: 'command', commands: 'cmd' }],
    read: ['view_image', { path: 'path' }],
    edit: ['apply_patch', { patch: 'command', content: 'command' }],
    newPatch: ['apply_patch', { patch: 'command', content: 'command' }],
    websearch: ['web_search', { pattern: 'query' }],
    agent: [['spawn_agent', 'Agent'], { content: 'message' }],
  },
  exposedEnv: ['CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_THREAD_ID'],
  lints: [
    silentExit('Codex'),
    {
      found: prints('permissionDecision', 'allow'),
      unless: /updatedInput/,
      message: 'an `allow` that changes no input is an error for Codex',
      remedy: 'print nothing to leave the call to Codex',
    },
    {
      found: prints('permissionDecision', 'ask'),
      message: 'Codex has no `ask`: the answer is an error, and the tool runs',
      remedy: 'answer `deny` with a reason',
    },
    {
      found: /["'](?:permission|user_message|agent_message|cancel|errorMessage|modifiedArgs)\\?["']\s*:/,
      message: 'Codex discards an answer with even one key that it does not know',
      remedy: 'remove keys that are not Codex’s own',
    },
  ],
  ownRules,
  sessions: () => import('./transcript.ts'),
  // It reads no other file of variables, and none of a project.
  variables: {
    places: (site) => [environment, { by: 'user', file: join(codexFolder(site), '.env') }],
    rows: inheritedVariables(['own', 'managed'], ['user']),
  },
  install: {
    kind: 'hooks-file',
    files: (site) => [
      {
        file: join(site.scope === 'user' ? codexFolder(site) : join(site.cwd, '.codex'), 'hooks.json'),
        at: 'hooks',
        holds: 'groups',
      },
    ],
    onlyKeys: ['hooks', 'description'],
    entry: ({ command, timeoutS }) => ({ type: 'command', command, timeout: timeoutS }),
    times: {
      SessionEnd: { timeoutS: registeredBriefTimeoutS, answerMs: registeredBriefAnswerMs },
    },
    switchedOff: (site) =>
      [configOf(site), join(site.cwd, '.codex', 'config.toml'), managedFile].flatMap((file) =>
        ['hooks', 'codex_hooks'].flatMap((key) =>
          site.settings.toml(file, 'features', key) === false
            ? [{ file, setting: `\`features.${key}\` is false` }]
            : [],
        ),
      ),
    obstacles: (site) =>
      site.settings.toml(managedFile, 'allow_managed_hooks_only') === true
        ? [`${managedFile}: \`allow_managed_hooks_only\` blocks users' own hooks`]
        : [],
    notes: (site) =>
      [configOf(site), managedFile].some((file) => site.settings.toml(file, 'features', 'unified_exec_tty') === false)
        ? []
        : [
            `what Codex’s model types into a running program reaches no hook: \`unified_exec_tty = false\` under \`[features]\` in ${configOf(site)} ends that`,
          ],
    problems: (site, installed) => [
      ...untrustedHooks(site, installed),
      ...(site.scope === 'project' ? projectTrust(site) : []),
    ],
    steps: () => [
      'Codex runs a hook only once you have trusted it: start `codex`, type `/hooks` and trust them; for a single `codex exec`, use `--dangerously-bypass-hook-trust`',
    ],
  },
  managed: {
    // A user's `~/.codex/.env` reaches the shell that starts a hook, and no setting keeps a variable from it.
    binds: 'advisory',
    knownFrom: 'measurement',
    // Where it is on Windows is not known.
    folders: { linux: managedFolder, darwin: managedFolder },
    file: 'requirements.toml',
    at: 'hooks',
    holds: 'tomlGroups',
    // Without it a user's or a trusted project's configuration, or an option, switches the hooks off.
    pins: [
      { path: ['features', 'hooks'], value: true },
      // What is typed into a running program reaches no hook, and only a program with a terminal can be typed into.
      { path: ['features', 'unified_exec_tty'], value: false },
    ],
    onlyManagedHooks: { path: ['allow_managed_hooks_only'], value: true },
    above: (site) =>
      site.platform === 'darwin' ? [managedPath(site, '/Library/Managed Preferences/com.openai.codex.plist')] : [],
    staysOpen: [
      'a user whose `~/.codex/.env` sets a variable of the dynamic loader, `SHELLOPTS` or `BASH_ENV` has hooks end before they begin',
      'requirements that the organization serves from the cloud stand above this file',
      'a hook that is late does not refuse: hookgate answers long before that',
    ],
  },
}

/** Reports hooks that the user has not trusted. Codex stores a hash for each; only Codex knows how it is computed. */
function untrustedHooks(site: InstallSite, { file, real, handlers }: InstalledHooks): readonly string[] {
  const stateOf = ({ event, entry, index }: InstalledHooks['handlers'][number], key: string) =>
    [file, real]
      .map((path) => `${path}:${snakeCase(event)}:${entry}:${index}`)
      .map((hook) => site.settings.toml(configOf(site), 'hooks', 'state', hook, key))
      .find((value) => value !== undefined)
  const untrusted = handlers.filter((handler) => stateOf(handler, 'trusted_hash') === undefined).length
  const off = handlers.filter((handler) => stateOf(handler, 'enabled') === false).map(({ event }) => event)
  return [
    ...(untrusted === 0
      ? []
      : [
          `${untrusted === handlers.length ? 'its hooks are' : `of its ${handlers.length} hooks, ${untrusted} ${untrusted === 1 ? 'is' : 'are'}`} not trusted, and Codex does not run them: start \`codex\`, type \`/hooks\` and trust them`,
        ]),
    ...(off.length === 0
      ? []
      : [`it is switched off at ${off.join(', ')}: switch it on again with \`/hooks\` in Codex`]),
  ]
}

const snakeCase = (event: string) => event.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase()

function projectTrust(site: InstallSite): readonly string[] {
  if (site.settings.toml(configOf(site), 'projects', site.cwd, 'trust_level') === 'trusted') return []
  return [`Codex ignores a project that is not trusted: start \`codex\` in ${site.cwd} and trust it`]
}
