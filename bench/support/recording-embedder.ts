// A program that embeds the library: decides so many events, some at once, and prints the name of each when it has its
// answer.
import { writeWhole } from '../../src/cli/start/write-whole.ts'
import { createGate } from '../../src/gate/gate.ts'

const [file = '', cwd = '', prefix = '', count = '0', clients = '1'] = process.argv.slice(2)
const gate = createGate({ record: file, discover: false })
let next = 0

async function client(): Promise<void> {
  while (next < Number(count)) {
    const name = `${prefix}-${(next += 1)}`
    const call = { tool_name: 'Bash', tool_input: { command: `echo ${name}` }, tool_use_id: name }
    const session = { session_id: 'storm', transcript_path: '/t.jsonl', cwd, permission_mode: 'default' }
    // oxlint-disable-next-line no-await-in-loop -- a client sends one event at a time
    await gate.answer({ ...session, hook_event_name: 'PreToolUse', ...call }, { agent: 'claude-code' })
    writeWhole(1, `${name}\n`)
    // Others' turn, and the records'.
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setImmediate(resolve))
  }
}

await Promise.all(Array.from({ length: Number(clients) }, client))
await gate.close()
