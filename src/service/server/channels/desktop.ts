import { spawn } from 'node:child_process'
import { titleOf } from '../../../agents/registry.ts'
import type { OpenRequest } from '../../../model/approval.ts'

/** Time for the program that shows a notification: it hands the text over and ends. */
const desktopNotifyMs = 5000

/** Shows a request as a notification of the desktop: a hint that a call waits, and never an answer. */
export function notifyDesktop(request: OpenRequest, env: Readonly<Record<string, string | undefined>>): void {
  const words = desktopCommand(request, process.platform)
  if (words === undefined) return
  const [program = '', ...args] = words
  // A gate in the background has none of the desktop's variables: the session's bus is found by the folder it is in.
  const runtime = env['XDG_RUNTIME_DIR'] ?? `/run/user/${process.getuid?.() ?? 0}`
  const child = spawn(program, args, {
    env: { ...env, XDG_RUNTIME_DIR: runtime },
    stdio: 'ignore',
    timeout: desktopNotifyMs,
  })
  // Without a desktop there is nobody to be told: the request waits all the same.
  child.on('error', () => {})
  child.unref()
}

/**
 * Returns the command that shows a notification; `undefined` where the system has none.
 *
 * INVARIANT: what others have written is one argument, and read as plain text.
 */
export function desktopCommand(request: OpenRequest, platform: NodeJS.Platform): readonly string[] | undefined {
  const { agent, toolName, subject, id } = request
  const title = `${titleOf(agent)} waits for you`
  const text = `${toolName}: ${subject}`.slice(0, shownMax).toWellFormed()
  const how = `hookgate approvals approve ${id}`
  if (platform === 'linux') return ['notify-send', '--app-name=hookgate', '--', title, `${escaped(text)}\n${how}`]
  if (platform !== 'darwin') return undefined
  const script = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run']
  return ['osascript', ...script.flatMap((line) => ['-e', line]), title, `${text}\n${how}`]
}

/** Characters of a command in a notification, which shows a few lines. */
const shownMax = 200

/** A notification's text is markup. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
