import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import { type HooksFile, type InstallSite, switchedOff } from '../install/install.ts'
import { eventsNamedAlike, observed, refusable, unread } from '../table/events.ts'
import { prints } from '../table/lints.ts'
import { filePath, whole } from '../tools.ts'

/**
 * Returns the files in which droid keeps hooks, the one that it reads first.
 *
 * It ignores the hooks in the settings once there is a `hooks.json`, so none is created while the user keeps hooks in
 * the settings.
 */
function filesOf(site: InstallSite): readonly [HooksFile, HooksFile] {
  const folder = join(site.scope === 'user' ? site.home : site.cwd, '.factory')
  const own: HooksFile = { file: join(folder, 'hooks.json'), at: 'top', holds: 'groups' }
  const settings: HooksFile = { file: join(folder, 'settings.json'), at: 'hooks', holds: 'groups' }
  return !site.settings.exists(own.file) && hasHooks(site, settings) ? [settings, own] : [own, settings]
}

const hasHooks = ({ settings }: InstallSite, { file }: HooksFile) => settings.json(file, 'hooks') !== undefined

/**
 * Finds what switches droid's hooks off: `hooksDisabled` beside the hooks, where the first scope that has it decides.
 * Measured on 0.225: the same key at the top of the settings does nothing.
 */
function switchedOffIn(
  site: InstallSite,
  [scope, ...others]: readonly InstallSite['scope'][],
): ReturnType<typeof switchedOff> {
  if (scope === undefined) return []
  const [{ file, at }] = filesOf({ ...site, scope })
  const path = [...(at === 'hooks' ? ['hooks'] : []), 'hooksDisabled']
  const isDecided = site.settings.json(file, ...path) !== undefined
  return isDecided ? switchedOff(site, [file], path, true) : switchedOffIn(site, others)
}

/**
 * Describes droid, as measured on 0.225 with `droid exec`; prompts and notifications follow its documentation.
 *
 * A question runs the tool without asking, so it becomes a refusal. An `allow` must not be sent: it bypasses droid's
 * own check of what the chosen autonomy does not cover. After a call that has failed, such as a command with an exit code
 * other than 0, it sends no event: nothing counts as failed.
 */
export const droid: AgentDescriptor<'droid'> = {
  name: 'droid',
  title: 'droid',
  folders: ['.factory'],
  hookSettings: ['.factory/hooks.json', '.factory/settings.json'],
  events: eventsNamedAlike({
    PreToolUse: { ...refusable, replaceInput: 'native', stop: 'native' },
    // Only exit code 2 is honoured here: the model gets the reason.
    // Measured: a refusal stands beside the output.
    PostToolUse: { ...refusable, context: 'native' },
    UserPromptSubmit: { ...refusable, stop: 'native', context: 'native' },
    SessionStart: { ...observed, context: 'native' },
    SessionEnd: unread,
    Stop: { ...refusable, stop: 'native' },
    SubagentStop: { ...refusable, stop: 'native' },
    PreCompact: observed,
    Notification: observed,
  }),
  tools: {
    shell: ['Execute', { command: 'command' }],
    read: ['Read', filePath],
    write: ['Create', whole],
    edit: ['Edit', { path: 'file_path', content: 'new_str', replaced: 'old_str' }],
    multiEdit: ['MultiEdit', filePath],
    patch: ['ApplyPatch', { patch: 'input', content: 'input' }],
    search: ['Grep', { path: 'path', pattern: 'pattern', glob: 'glob_pattern' }],
    list: ['Glob', { path: 'folder', glob: 'patterns', lists: ['glob'] }],
    listFolder: ['LS', { path: 'directory_path' }],
    fetch: ['FetchUrl', { url: 'url' }],
    websearch: ['WebSearch', { pattern: 'query' }],
    agent: ['Task', { content: 'prompt' }],
  },
  mcpName: (server, tool) => `${server}___${tool}`,
  exposedEnv: ['DROID_PROJECT_DIR', 'FACTORY_PROJECT_DIR'],
  lints: [
    {
      at: (events) => events.includes('PreToolUse'),
      found: prints('decision', 'block'),
      unless: prints('permissionDecision', 'deny'),
      message: 'droid ignores `decision: block` before a tool, and goes ahead',
      remedy: 'print `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", …}}`',
    },
  ],
  sessions: () => import('./transcript.ts'),
  install: {
    kind: 'hooks-file',
    files: filesOf,
    wins: { position: 'first', since: 'droid takes the first answer' },
    entry: ({ command, timeoutS }) => ({ type: 'command', command, timeout: timeoutS }),
    switchedOff: (site) => switchedOffIn(site, ['project', 'user']),
    notes: (site) =>
      (['user', 'project'] as const).flatMap((scope) => {
        const [own, settings] = filesOf({ ...site, scope })
        return own.at === 'top' && site.settings.exists(own.file) && hasHooks(site, settings)
          ? [`droid does not run the hooks in ${settings.file}, because ${own.file} exists`]
          : []
      }),
    steps: () => ['droid reads its hooks when a session starts: running sessions continue without it'],
  },
  managed: {
    binds: 'enforced',
    knownFrom: 'measurement',
    // Where it is on Windows is not known.
    folders: { linux: '/etc/factory', darwin: '/Library/Application Support/Factory' },
    file: 'settings.json',
    at: 'hooks',
    holds: 'groups',
    // Without it a user or a project switches them off, by the same key in their own files.
    pins: [{ path: ['hooks', 'hooksDisabled'], value: false }],
    onlyManagedHooks: { path: ['allowManagedHooksOnly'], value: true },
    staysOpen: [
      'a file that does not parse is ignored without a word: `status --managed` reports it',
      'a hook that is late does not refuse: hookgate answers long before that',
    ],
  },
}
