import { createGate, type HookEvent } from '../../src/index.ts'

/** One event, in every form that a candidate takes it in. */
export interface Subject {
  /** The agent's JSON, on one line. */
  readonly json: string
  /** The same with the newline that frames it. */
  readonly line: string
  readonly event: HookEvent
}

export interface Subjects {
  readonly benign: readonly Subject[]
  /** One that the last of `policies` rules refuses. */
  readonly malicious: Subject
}

/** What rule number `rule` refuses. */
export const forbidden = (rule: number) => `rm -rf /srv/kept-${rule}/`

/** As many different ones in turn that nothing can be gained from having seen the very same object before. */
const variants = 16

/** Shell calls whose JSON is `bytes` long; what the rules do not look at is text with the escapes of source code. */
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

/** Text that is `bytes` long as JSON. */
function escapedText(bytes: number): string {
  const line = '  if (name === "value") return call(name, 1)\n'
  const escaped = JSON.stringify(line).length - 2
  return line.repeat(Math.max(0, Math.floor(bytes / escaped))) + 'x'.repeat(Math.max(0, bytes % escaped))
}
