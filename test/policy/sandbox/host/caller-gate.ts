/** A gate with the placement `caller` that decides one event by the rules it is given. Prints the verdict as JSON. */
import { createGate } from '../../../../src/library/index.ts'

const [rules = '', cwd = ''] = process.argv.slice(2)
const gate = createGate({ rules: [rules], home: cwd, managedFolder: cwd, placement: 'caller' })
const wire = { hook_event_name: 'PreToolUse', session_id: 's', transcript_path: '', cwd, tool_name: 'Bash' }
const event = await gate.decode({ ...wire, tool_input: { command: 'ls' } }, { agent: 'claude-code' })
console.log('decoded')
console.log(JSON.stringify(await gate.decide(event)))
await gate.close()
