import { argv } from 'node:process'
import { fetched } from './fetched.ts'
import { isPinned, pinned, pins, programOf } from './pins.ts'

// `npm run agents:fetch [AGENT…]`: fetches the programs that `npm run agents` starts, some 2 GB, into a folder outside of
// the repository. No script of theirs is run: what they would unpack is found where npm has put it.

const wanted = argv.length > 2 ? argv.slice(2) : pinned
let failed = false
for (const agent of wanted) {
  if (!isPinned(agent)) {
    console.error(`${agent} is none of ${pinned.join(', ')}`)
    failed = true
  } else if (programOf(agent) === undefined) failed = !fetched(agent) || failed
  else console.log(`${agent} ${pins[agent].version} is here`)
}
process.exitCode = failed ? 1 : 0
