import type { HookLint } from '../../agents/descriptor.ts'
import { descriptorOf } from '../../agents/registry.ts'
import type { AgentName } from '../../model/event.ts'
import type { Problem } from '../../model/problem.ts'
import type { Lint, Use } from './lint.ts'
import { type Language, languageOf, printsText } from './script-language.ts'

/**
 * Finds common mistakes in the text of a hook's script. Static checks can only guess, so each one looks for a pattern
 * that is almost always a mistake, and reports nothing in doubt.
 */
export function scriptProblems(file: string, text: string, use: Use): readonly Problem[] {
  const script = { text, language: languageOf(file, text) }
  return (lints[use.dialect] ?? [carriageReturns, ...(descriptorOf(use.dialect)?.lints ?? []).map(lintBy)])
    .flatMap((lint) => lint(script, use))
    .map(({ at, message, remedy }) => ({ severity: 'warning', place: placeAt(file, text, at), message, remedy }))
}

/** Creates a check from a mistake in an agent's descriptor. */
function lintBy({ found, unless, at: applies, message, remedy }: HookLint): Lint {
  return ({ text }, { events }) => {
    const at = applies?.(events) === false ? -1 : text.search(found)
    return at < 0 || unless?.test(text) === true ? [] : [{ at, message, remedy }]
  }
}

function placeAt(file: string, text: string, at: number) {
  const before = text.slice(0, at).split('\n')
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

const exitOne: Readonly<Record<Language, RegExp>> = {
  sh: /^[^#\n]*?\bexit 1\b/gm,
  node: /\bprocess\.exit\(1\)|\bprocess\.exitCode = 1\b/g,
  python: /\bsys\.exit\(1\)|^\s*exit\(1\)/gm,
  other: /(?!)/g,
}
const refusesOtherwise = /\bexit 2\b|exit\(2\)|exitCode = 2|permissionDecision|["']?decision["']?\s*[:=]|\bcancel\b/
/** Events at which Claude Code takes exit code 2, and no other code, as a refusal. */
const refusable =
  /^(PreToolUse|UserPromptSubmit|UserPromptExpansion|PreCompact|PermissionRequest|TaskCreated|TaskCompleted|Stop|SubagentStop|ConfigChange|PreModelSwitch)$/

const exitOneAsBlock: Lint = ({ text, language }, { events, onFailure }) => {
  if (onFailure === 'block' || refusesOtherwise.test(text) || !events.some((event) => refusable.test(event))) return []
  return [...text.matchAll(exitOne[language])].map((match) => ({
    at: match.index + match[0].search(/exit|process|sys/),
    message: 'exit code 1 does not block: Claude Code treats the hook as failed, and goes ahead',
    remedy: 'exit with 2 and print the reason to stderr, or set `"onFailure": "block"`',
  }))
}

const topLevelPermissionDecision: Lint = ({ text }) =>
  text.includes('hookSpecificOutput')
    ? []
    : [...text.matchAll(/["']?permissionDecision["']?\s*\\?["']?\s*:/g)].slice(0, 1).map(({ index }) => ({
        at: index,
        message: '`permissionDecision` at the top level is silently ignored',
        remedy: 'put it into `"hookSpecificOutput": {"hookEventName": "PreToolUse", …}`',
      }))

const missingHookEventName: Lint = ({ text }) => {
  const at = text.indexOf('hookSpecificOutput')
  if (at < 0 || text.includes('hookEventName')) return []
  return [
    {
      at,
      message: '`hookSpecificOutput` without `hookEventName` makes the whole output invalid',
      remedy: 'add `"hookEventName"` with the name of the event the hook was called for',
    },
  ]
}

const wrongHookEventName: Lint = ({ text }, { events }) =>
  [...text.matchAll(/hookEventName\\?["']?\s*:\s*\\?["']([A-Za-z]+)\\?["']/g)]
    .filter(([, named = '']) => !events.includes(named))
    .map(({ index, 1: named = '' }) => ({
      at: index,
      message: `the answer is for \`${named}\`, but the hook is registered for ${events.map((event) => `\`${event}\``).join(', ')}`,
      remedy: 'answer with the `hook_event_name` of the input',
    }))

const textAroundJson: Lint = ({ text, language }) =>
  printsText(text, language).map((at) => ({
    at,
    message: 'text beside the JSON: Claude Code reads stdout as one JSON object, or as plain text that decides nothing',
    remedy: 'send logging to stderr',
  }))

const failingCancel: Lint = ({ text, language }) => {
  if (!/["']?cancel\\?["']?\s*:\s*true/i.test(text)) return []
  const exits: Readonly<Record<Language, RegExp>> = {
    sh: /^[^#\n]*?\bexit [1-9]\d*\b/gm,
    node: /\bprocess\.exit\([1-9]\d*\)/g,
    python: /\bsys\.exit\([1-9]\d*\)/g,
    other: /(?!)/g,
  }
  return [...text.matchAll(exits[language])].map((match) => ({
    at: match.index + match[0].search(/exit|process|sys/),
    message: 'Cline discards what a failing hook prints, including its `cancel`, and goes ahead',
    remedy: 'exit with 0',
  }))
}

const oldNames: Lint = ({ text }) =>
  [...text.matchAll(/\b(shouldContinue|should_continue)\b/g)].slice(0, 1).map(({ index, 1: name = '' }) => ({
    at: index,
    message: `Cline discards an answer with \`${name}\`, the old name`,
    remedy: 'write `"cancel"`, which means the opposite',
  }))

const carriageReturns: Lint = ({ text }) => {
  const at = text.indexOf('\r\n')
  if (!text.startsWith('#!') || at < 0 || at > text.indexOf('\n')) return []
  return [
    {
      at,
      message: "the first line ends in a carriage return, which becomes part of the interpreter's name",
      remedy: 'save the file with LF line endings',
    },
  ]
}

/** Checks for the scripts of one agent. Agents without an entry get only the general checks. */
const lints: { readonly [Agent in AgentName]?: readonly Lint[] } = {
  'claude-code': [
    carriageReturns,
    exitOneAsBlock,
    topLevelPermissionDecision,
    missingHookEventName,
    wrongHookEventName,
    textAroundJson,
  ],
  cline: [carriageReturns, failingCancel, oldNames],
}
