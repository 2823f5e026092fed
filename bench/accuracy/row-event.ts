import type { Row } from './corpus.ts'

/** Working directory and home of a row's command. */
interface Place {
  readonly cwd: string
  readonly home: string
}

const usual: Place = { cwd: '/home/u/proj', home: '/home/u' }

/** Places of sources whose tests use other folders. */
const places: Readonly<Record<string, Place>> = {
  nah: { cwd: '/workspace/project', home: '/home/test' },
}

export function placeOf({ source, cwd, home }: Row): Place {
  const own = places[source] ?? usual
  return { cwd: cwd ?? own.cwd, home: home ?? own.home }
}

/** Encodes a row as Claude Code's event. */
export function wireOf(row: Row): string {
  return JSON.stringify({
    session_id: 'accuracy',
    transcript_path: '/dev/null',
    cwd: placeOf(row).cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: row.tool ?? 'Bash',
    tool_input: row.cmd === undefined ? (row.input ?? {}) : { command: row.cmd },
    tool_use_id: 'toolu_1',
  })
}
