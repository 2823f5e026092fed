import type { Ended } from '../server/end-gate.ts'
import { type Command, printed } from './command.ts'
import { parseFlags } from './flags.ts'
import { ownPlaces } from './own-places.ts'

export const down: Command = {
  summary: 'end the resident gate, when it has answered what is under way',
  help: `hookgate down: end the resident gate

  hookgate down

It takes nothing new, answers what is under way, and ends. Agents are still gated: hooks that are commands then decide
by themselves, which takes longer, or start the gate again; hooks by HTTP refuse until the next prompt brings it up.
\`hookgate disable\` takes the hooks out.

  hookgate down && hookgate up
`,
  async run({ argv, env }) {
    parseFlags('down', argv, {})
    const { endGate } = await import('../server/end-gate.ts')
    return printed(`${said(await endGate(ownPlaces(env)))}\n`)
  },
}

function said(ended: Ended): string {
  switch (ended.did) {
    case 'nothing':
      return 'no gate was running'
    case 'drained':
      return `the gate (pid ${ended.pid}) answered what was under way, and is gone`
    case 'killed':
      return `the gate (pid ${ended.pid}) did not answer any more, and was killed`
    case 'awaited':
      return 'the gate was ending already, and is gone'
    case 'tidied':
      return 'no gate was running; what one that was killed had left behind is removed'
  }
}
