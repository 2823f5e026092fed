import { topicsOf } from '../../../files/state/approvals-key.ts'
import type { GatePaths } from '../../../files/state/places.ts'
import { type CommandOutput, type Invocation, printed } from '../../command.ts'

/** Time for which the topic stays on the screen: enough to type it into a phone, and too short to be forgotten there. */
const topicShownMs = 180_000

/**
 * Shows the topic of ntfy until a key is pressed, and takes it off the screen: it stays the same, and whatever reads the
 * terminal later would know it.
 */
export async function showTopic(
  { openKeys, writeOut }: Pick<Invocation, 'openKeys' | 'writeOut'>,
  places: GatePaths,
): Promise<CommandOutput> {
  if (openKeys === undefined) return printed('')
  const line = `  ${topicsOf(places).toPerson}`
  const keys = openKeys()
  try {
    writeOut(`${intro}${line}`)
    await keys.next(topicShownMs)
  } finally {
    keys.close()
    // Not by clearing the screen: tmux keeps what a cleared screen has shown.
    const rows = Math.ceil(line.length / (process.stdout.columns || line.length))
    writeOut(`\r${clearRow}${`\u001b[A${clearRow}`.repeat(rows - 1)}`)
  }
  return printed('  (taken off the screen; run it again to see it)\n')
}

const clearRow = '\u001b[2K'

const intro = `subscribe to this topic in the ntfy app, on the server that "approvals" names; whoever knows it can answer, so a
key takes it off the screen:

`
