import { join } from 'node:path'
import type { ProtocolSupport } from '../../model/dialect.ts'
import { type Json, type JsonObject, objectsIn } from '../../model/json.ts'
import { quoted } from '../../model/text.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import { type InstallSite, ownFolder } from '../install/install.ts'
import { eventsNamedAlike, refusable, unread } from '../table/events.ts'
import { prints } from '../table/lints.ts'

const kimiFolder = (site: InstallSite) => ownFolder(site, 'KIMI_CODE_HOME', '.kimi-code')

const configOf = (site: InstallSite) => join(kimiFolder(site), 'config.toml')

const decided: ProtocolSupport = { ...refusable, notice: 'dropped' }

/**
 * Describes Kimi Code, as measured on 2.1.0 with `kimi -p`.
 *
 * A refusal is all that it reads: an `ask` runs the tool, another input is ignored. One key that it does not know, in any
 * hook, voids all hooks.
 */
export const kimiCode: AgentDescriptor<'kimi-code'> = {
  name: 'kimi-code',
  title: 'Kimi Code',
  folders: ['.kimi-code'],
  hookSettings: ['.kimi-code/config.toml'],
  ownFields: ['client_type'],
  events: eventsNamedAlike({
    PreToolUse: decided,
    PostToolUse: unread,
    PostToolUseFailure: unread,
    PermissionRequest: unread,
    UserPromptSubmit: { ...decided, context: 'native' },
    // The turn goes on once.
    Stop: decided,
    StopFailure: unread,
    SessionStart: unread,
    SessionEnd: unread,
    SubagentStart: unread,
    SubagentStop: unread,
    PreCompact: unread,
    PostCompact: unread,
    Notification: unread,
  }),
  tools: {
    shell: ['Bash', { command: 'command' }],
    read: ['Read', { path: 'path' }],
    write: ['Write', { path: 'path', content: 'content' }],
    edit: ['Edit', { path: 'path', content: 'new_string', replaced: 'old_string' }],
    search: ['Grep', { path: 'path', pattern: 'pattern', glob: 'glob' }],
    list: ['Glob', { path: 'path', glob: 'pattern' }],
    fetch: ['FetchURL', { url: 'url' }],
    agent: [['Agent', 'CronCreate'], { content: 'prompt' }],
  },
  exposedEnv: [],
  lints: [
    {
      found: prints('decision', '(?:deny|block)'),
      unless: prints('permissionDecision', 'deny'),
      message: 'Kimi Code does not read `decision`, and goes ahead',
      remedy: 'print `{"hookSpecificOutput": {"permissionDecision": "deny", …}}`, or exit with 2',
    },
    {
      found: prints('permissionDecision', 'ask'),
      message: 'Kimi Code has no `ask`: the tool runs',
      remedy: 'answer `deny` with a reason',
    },
  ],
  install: {
    kind: 'hooks-file',
    userOnly: 'Kimi Code reads hooks only from its user’s own settings',
    files: (site) => [{ file: configOf(site), at: 'hooks', holds: 'tables' }],
    entry: ({ command, timeoutS }) => ({ command, timeout: timeoutS }),
    obstacles: (site) => voidedBy(site),
    steps: () => ['Kimi Code reads its hooks when it starts: running sessions continue without it'],
  },
}

/** Events that hooks may name beside those that hookgate listens to. */
const furtherEvents: ReadonlySet<string> = new Set([
  'PermissionResult',
  'UserPromptQueued',
  'TurnStarted',
  'Interrupt',
  'SessionHeartbeat',
  'TaskStarted',
])
const isHookEvent = (value: Json | undefined) =>
  typeof value === 'string' && (Object.hasOwn(kimiCode.events, value) || furtherEvents.has(value))
/** The keys that hooks may have. */
const hookKeys: ReadonlySet<string> = new Set(['event', 'matcher', 'command', 'timeout'])

/** Reports hooks, of whomever, that Kimi Code does not understand: it then runs none. */
function voidedBy(site: InstallSite): readonly string[] {
  const hooks = site.settings.toml(configOf(site), 'hooks')
  if (hooks === undefined) return []
  const wrong = objectsIn(hooks).flatMap(wrongIn)
  if (wrong.length === 0) return []
  return [
    `${configOf(site)}: a hook has ${wrong.map(quoted).join(', ')}, for which Kimi Code ignores all hooks: remove it`,
  ]
}

function wrongIn({ event, timeout, ...more }: JsonObject): readonly string[] {
  return [
    ...Object.keys(more).filter((key) => !hookKeys.has(key)),
    ...(isHookEvent(event) ? [] : [`event = ${JSON.stringify(event)}`]),
    ...(timeout === undefined || isTimeout(timeout) ? [] : [`timeout = ${JSON.stringify(timeout)}`]),
  ]
}

/** Seconds. */
const isTimeout = (value: Json) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 600
