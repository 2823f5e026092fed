import type { HookLint, TextLint } from '../descriptor.ts'
import type { ScriptLanguage } from '../../files/script-language.ts'
import { exitsWith } from '../table/lints.ts'

const refusesOtherwise = /\bexit 2\b|exit\(2\)|exitCode = 2|permissionDecision|["']?decision["']?\s*[:=]|\bcancel\b/
/** Events at which Claude Code takes exit code 2, and no other code, as a refusal. */
const refusable =
  /^(PreToolUse|UserPromptSubmit|UserPromptExpansion|PreCompact|PermissionRequest|TaskCreated|TaskCompleted|Stop|SubagentStop|ConfigChange|PreModelSwitch)$/

const wrongHookEventName: HookLint = ({ text }, { events }) =>
  [...text.matchAll(/hookEventName\\?["']?\s*:\s*\\?["']([A-Za-z]+)\\?["']/g)]
    .filter(([, named = '']) => !events.includes(named))
    .map(({ index, 1: named = '' }) => ({
      at: index,
      message: `the answer is for \`${named}\`, but the hook is registered for ${events.map((event) => `\`${event}\``).join(', ')}`,
      remedy: 'answer with the `hook_event_name` of the input',
    }))

const prints: Readonly<Record<ScriptLanguage, RegExp>> = {
  sh: /^[ \t]*(?:echo|printf)[ \t]+(.*)$/gm,
  node: /\bconsole\.(?:log|info)\((.*)$/gm,
  python: /^[ \t]*print\((.*)$/gm,
  other: /(?!)/g,
}

/**
 * Finds where a script that prints a JSON object also prints other text on stdout. Output that is redirected, piped, or
 * not a plain quoted text is skipped.
 */
const textBesideJson: HookLint = ({ text, language }) => {
  const printed = [...text.matchAll(prints[language])].map((match) => ({
    at: match.index + match[0].search(/\S/),
    what: match[1] ?? '',
  }))
  if (!printed.some(({ what }) => isJson(what)) && !/\bjq -n/.test(text)) return []
  return printed
    .filter(({ what }) => !isJson(what) && !isRedirected(what) && isText(what))
    .map(({ at }) => ({
      at,
      message:
        'text beside the JSON: Claude Code reads stdout as one JSON object, or as plain text that decides nothing',
      remedy: 'send logging to stderr',
    }))
}

const isJson = (what: string) => /^\(?['"]?(%s\\n['"]? )?['"]?\s*\{|JSON\.stringify|json\.dumps/.test(what)
const isRedirected = (what: string) =>
  /[>|]|file\s*=\s*sys\.stderr/.test(what.replace(/(["'])(?:\\.|(?!\1)[^\\\n])*\1/g, ''))
const isText = (what: string) => /^["'`][^{"'`$]/.test(what) && !/\{\\?["']/.test(what)

/** Frequent mistakes in hooks for Claude Code. */
export const lints: readonly (TextLint | HookLint)[] = [
  exitsWith(
    '1',
    ({ text }, { events, onFailure }) =>
      onFailure !== 'block' && !refusesOtherwise.test(text) && events.some((event) => refusable.test(event)),
    'exit code 1 does not block: Claude Code treats the hook as failed, and goes ahead',
    'exit with 2 and print the reason to stderr, or set `"onFailure": "block"`',
  ),
  {
    found: /["']?permissionDecision["']?\s*\\?["']?\s*:/,
    unless: /hookSpecificOutput/,
    message: '`permissionDecision` at the top level is silently ignored',
    remedy: 'put it into `"hookSpecificOutput": {"hookEventName": "PreToolUse", …}`',
  },
  {
    found: /hookSpecificOutput/,
    unless: /hookEventName/,
    message: '`hookSpecificOutput` without `hookEventName` makes the whole output invalid',
    remedy: 'add `"hookEventName"` with the name of the event the hook was called for',
  },
  wrongHookEventName,
  textBesideJson,
]
