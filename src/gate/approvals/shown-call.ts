import { isSecretField } from '../../mask/mask.ts'
import type { OpenRequest } from '../../model/approval.ts'
import type { CallEvent, ToolUse } from '../../model/event.ts'
import type { Json } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import type { ShellCommand } from '../../model/shell.ts'
import { visible } from '../../model/text.ts'
import { cutText, subjectOf } from '../memory/refused-call.ts'
import { maskText, type ShellOf } from '../shown-text.ts'

/** Commands of one request that are shown, as many as fit on a screen. The call's own text is shown whole. */
const approvalCommandsMax = 20

export type ShownCall = Pick<OpenRequest, 'subject' | 'folder' | 'input' | 'commands' | 'altered'>

/**
 * Returns what a person is shown of a call: its command, path or URL, everything else that its tool is given, and the
 * folder if that is not the project's. `undefined` if that is too much to be read.
 *
 * INVARIANT: calls that differ are not shown alike. What is masked or escaped is said to be, and `call` tells such calls
 * apart.
 */
export async function showCall(
  event: CallEvent,
  own: readonly ShellCommand[],
  shellOf: ShellOf,
): Promise<ShownCall | undefined> {
  const { tool, session, workspaceRoots } = event
  const subject = subjectOf(event)
  const fields = Object.entries(tool.input).filter(([key, value]) => !isSaid(tool, key, value, subject))
  const [exact, hidden] = [inputText(fields, () => false), inputText(fields, isSecretField)]
  if (subject.length + exact.length > limits.approvalCharactersMax) return undefined
  const [masked, more] = await Promise.all([maskText(subject, shellOf), maskText(hidden, shellOf)])
  const [text, input] = [visible(masked), visible(more)]
  if (text.length + input.length > limits.approvalCharactersMax) return undefined
  const commands = tool.kind !== 'shell' ? [] : masked === subject ? own : ((await shellOf(masked))?.commands ?? [])
  const project = workspaceRoots[0] ?? session.cwd
  return {
    subject: text,
    ...(session.cwd !== project && { folder: visible(session.cwd) }),
    ...(fields.length > 0 && { input }),
    commands: commandTexts(commands),
    ...((text !== subject || input !== exact) && { altered: true }),
  }
}

/**
 * Returns whether a field is shown as the subject. The description of a shell's call is the model's own words and changes
 * nothing: the digest of a call is without it, too.
 */
const isSaid = ({ kind, inferred }: ToolUse, key: string, value: Json, subject: string) =>
  (kind === 'shell' && key === 'description') ||
  (value === subject && inferred !== true && kind !== 'mcp' && kind !== 'other')

type IsSecret = (key: string, value: string) => boolean

const inputText = (fields: readonly (readonly [string, Json])[], isSecret: IsSecret) =>
  fields.map(([key, value]) => `${quotedKey(key)}: ${valueText(key, value, isSecret)}`).join('\n')

const quotedKey = (key: string) => (/^[\w.-]+$/.test(key) ? key : JSON.stringify(key))

/** Formats a value. Further lines of a text are indented, so that none looks like another field. */
function valueText(key: string, value: Json, isSecret: IsSecret): string {
  const shown = (name: string, one: Json) => (typeof one === 'string' && isSecret(name, one) ? '***' : one)
  const own = shown(key, value)
  return typeof own === 'string' && !isJsonText(own) ? own.replaceAll('\n', '\n  ') : JSON.stringify(own, shown)
}

/** `"true"` is another value than `true`, and is shown in its quotes. */
function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Lists the first commands, and says how many more there are. */
function commandTexts(commands: readonly ShellCommand[]): readonly string[] {
  const more = commands.length - approvalCommandsMax
  const first = commands.slice(0, approvalCommandsMax).map(commandText)
  return more <= 0 ? first : [...first, `… (${more} more commands)`]
}

const commandText = ({ written, program, args }: ShellCommand) =>
  cutText(visible([written?.value ?? program, ...args.map(({ value }) => value)].join(' ')))
