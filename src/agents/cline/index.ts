import type { ProtocolSupport } from '../../model/dialect.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import { on, refusable, unread } from '../table/events.ts'
import { exitsWith } from '../table/lints.ts'
import { join } from 'node:path'
import { isJsonObject, objectsIn, parseJsonObject } from '../../model/json.ts'
import { type OwnRule, type OwnRulesSite, rulesOfTexts, untranslated } from '../install/own-rules.ts'
import type { InnerCode } from '../install/install.ts'
import { environment, inheritedVariables, type SwitchVariables } from '../install/switch-variables.ts'

// Cline's command line is a program of Bun, which reads files of the folder that it is started in: measured on 3.0.65.

/** The variables of Cline's command line, which takes them from files of a project and hands them to its hooks. */
const variables: SwitchVariables = {
  places({ cwd, env }) {
    const mode = /^(?:production|test)$/.exec(env['NODE_ENV'] ?? '')?.[0] ?? 'development'
    const names = [`.env.${mode}.local`, ...(mode === 'test' ? [] : ['.env.local']), `.env.${mode}`, '.env']
    return [environment, ...names.map((name) => ({ by: 'project', file: join(cwd, name) }) as const)]
  },
  // Its hooks are started without bash.
  rows: inheritedVariables(['own'], ['project'], ['BASH_ENV', 'SHELLOPTS']),
}

const configuration = 'bunfig.toml'
const never = /(?!)/

/** Code of a project that Cline's command line runs in its own process before everything else. */
const preloaded: InnerCode = {
  title: 'the file',
  programs: ['cline'],
  options: never,
  commands: never,
  variables: [],
  settings: never,
  line: { file: /(?:^|\/)bunfig\.toml$/, text: /\bpreload\b/ },
  found({ cwd, settings }) {
    const file = join(cwd, configuration)
    return settings.toml(file, 'preload') === undefined ? [] : [{ folder: file, uses: ['preload'] }]
  },
  remedy: () => 'Cline’s command line runs what it names, before everything else',
}

/**
 * Reads Cline's rules about commands, which are in an environment variable, and the files that it must not touch.
 *
 * Its hooks are not read: hookgate runs them where they are.
 */
function ownRules(site: OwnRulesSite): readonly OwnRule[] {
  if (site.scope === 'user') return commandRules(site.env[variable])
  const file = join(site.cwd, '.clineignore')
  return (site.text(file) ?? '').split(/\r?\n/).flatMap((line) => ignored(file, line.trim()))
}

const variable = 'CLINE_COMMAND_PERMISSIONS'

function commandRules(text: string | undefined): readonly OwnRule[] {
  if (text === undefined || text.trim() === '') return []
  const rules = parseJsonObject(text)
  if (!isJsonObject(rules)) return [untranslated(variable, text, 'it is not a JSON object')]
  const listed = (['deny', 'allow'] as const).flatMap((effect) =>
    rulesOfTexts(variable, effect, rules[effect], (glob) => ({
      kind: 'permission',
      from: variable,
      effect,
      text: `shell(${glob})`,
    })),
  )
  return [
    ...listed,
    ...(rules['allow'] === undefined
      ? []
      : [
          untranslated(variable, '`allow` as a list of the only commands', 'Cline goes on to refuse all others itself'),
        ]),
    ...(rules['allowRedirects'] === undefined
      ? []
      : [untranslated(variable, '`allowRedirects`', 'an `allow` of hookgate never covers a redirection to a file')]),
  ]
}

/** A line of `.clineignore` keeps Cline from reading and writing what it matches, in the syntax of `.gitignore`. */
function ignored(from: string, line: string): readonly OwnRule[] {
  if (line === '' || line.startsWith('#')) return []
  if (line.startsWith('!')) return [untranslated(from, line, 'a `deny` has no exceptions')]
  return ['Read', 'Edit'].map((tool) => ({ kind: 'permission', from, effect: 'deny', text: `${tool}(${line})` }))
}

const refused: ProtocolSupport = { ...refusable, context: 'native', notice: 'dropped' }

/**
 * Describes Cline by its published protocol, that of engine A (see `engine.ts`).
 *
 * It has no other answer than `cancel`: no question to the user (the SDK reads `review` and drops it), no other output,
 * and no end of the turn except by cancelling. A context is sent if any version of an engine passes it to the model;
 * the others ignore it.
 */
export const cline: AgentDescriptor<'cline'> = {
  name: 'cline',
  title: 'Cline',
  folders: ['.cline', '.clinerules'],
  // `~/Cline` is used where a desktop names no folder of documents.
  hookSettings: ['Documents/Cline/Hooks', 'Cline/Hooks', '.clinerules/hooks', '.cline/hooks'],
  innerCode: preloaded,
  events: {
    PreToolUse: on('PreToolUse', refused),
    // Cline has one event for both, with `success` in the input.
    // A refusal would end the task, so an output that cannot be changed is shown, with a warning.
    PostToolUse: on(['PostToolUse', 'PostToolUseFailure'], { ...refused, replaceOutput: 'unsupported' }),
    UserPromptSubmit: on('UserPromptSubmit', refused),
    TaskStart: on('SessionStart', refused, { triggers: ['startup', 'clear'] }),
    TaskResume: on('SessionStart', refused, { triggers: ['resume', 'fork'] }),
    TaskCancel: on('SessionEnd', unread, { triggers: ['cancelled'] }),
    TaskComplete: on('Stop', unread),
    PreCompact: on('PreCompact', refused),
    Notification: on('Notification', unread),
  },
  // Its result is a list: one entry for each command of the call.
  shellExit: ({ result }) => (objectsIn(result?.output).some(({ success }) => success === false) ? 1 : undefined),
  tools: {
    shell: [['execute_command', 'run_commands'], { command: 'command', commands: 'commands' }],
    read: [['read_file', 'read_files'], { path: 'path' }],
    write: [['write_to_file', 'new_rule', 'editor'], { path: 'path', content: 'content' }],
    edit: [['replace_in_file', 'editor', 'apply_patch'], { path: 'path', content: 'diff' }],
    search: [['search_files', 'search_codebase'], { path: 'path', pattern: 'regex', glob: 'file_pattern' }],
    list: ['list_files', { path: 'path' }],
    listDefinitions: ['list_code_definition_names', { path: 'path' }],
    fetch: [['web_fetch', 'fetch_web_content'], { url: 'url', prompt: 'prompt' }],
    websearch: ['web_search', { pattern: 'query' }],
    browser: ['browser_action', { url: 'url' }],
    agent: [['new_task', 'use_subagents', 'spawn_agent'], { content: 'context' }],
  },
  exposedEnv: ['CLINE_ACTIVE'],
  lints: [
    exitsWith(
      String.raw`[1-9]\d*`,
      ({ text }) => /["']?cancel\\?["']?\s*:\s*true/i.test(text),
      'Cline discards what a failing hook prints, including its `cancel`, and goes ahead',
      'exit with 0',
    ),
    {
      found: /\bshouldContinue\b|\bshould_continue\b/,
      message: 'Cline discards an answer with `shouldContinue`, the old name',
      remedy: 'write `"cancel"`, which means the opposite',
    },
  ],
  answerWords: /\b(?:cancel|contextModification|errorMessage|shouldContinue|should_continue)\b/,
  ownRules,
  sessions: () => import('./transcript.ts'),
  variables,
  install: { kind: 'hook-folders', onlyBy: 'Cline calls its hooks as files' },
}
