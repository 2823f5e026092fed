import { createGate, type HookEvent } from '../../src/library/index.ts'

/** One event, in every form that candidates accept. */
export interface Subject {
  /** The agent's JSON, on one line. */
  readonly json: string
  /** The JSON with a newline as its frame. */
  readonly line: string
  readonly event: HookEvent
}

export interface Subjects {
  readonly benign: readonly Subject[]
  /** An event that the last of `policies` rules refuses. */
  readonly malicious: Subject
}

/** Returns the command that rule number `rule` refuses. */
export const forbidden = (rule: number) => `rm -rf /srv/kept-${rule}/`

/** Number of different events used in turn, so that caching by object identity gains nothing. */
const variants = 16

/** Creates shell calls with `bytes` of JSON. The part that rules ignore is text with the escapes of source code. */
export async function subjectsOf(policies: number, bytes: number, cwd: string): Promise<Subjects> {
  const gate = createGate({ discover: false })
  const subject = async (command: string, at: number): Promise<Subject> => {
    const bare = wireOf(command, at, cwd, '')
    const json = wireOf(command, at, cwd, escapedText(bytes - Buffer.byteLength(bare)))
    return { json, line: `${json}\n`, event: await gate.decode(json, { agent: 'claude-code' }) }
  }
  const shards = Array.from({ length: variants }, (_, at) => subject(`npm test -- --shard ${at + 10}/99`, at))
  const benign = await Promise.all(shards)
  const malicious = await subject(forbidden(policies - 1), variants)
  await gate.close()
  return { benign, malicious }
}

function wireOf(command: string, at: number, cwd: string, description: string): string {
  return JSON.stringify({
    session_id: 'bench',
    transcript_path: '/home/bench/transcript.jsonl',
    cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command, description },
    tool_use_id: `toolu_${at + 100}`,
  })
}

/** Returns a text that takes `bytes` as JSON. */
function escapedText(bytes: number): string {
  const line = '  if (name === "value") return call(name, 1)\n'
  const escaped = JSON.stringify(line).length - 2
  return line.repeat(Math.max(0, Math.floor(bytes / escaped))) + 'x'.repeat(Math.max(0, bytes % escaped))
}
