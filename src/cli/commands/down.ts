import type { EndedGate } from '../../service/server/end-gate.ts'
import { type Command, printed } from '../command.ts'
import { parseFlags } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'

export const downCommand: Command = {
  summary: 'stop the resident gate once it has finished the requests in progress',
  help: `hookgate down: stop the resident gate

  hookgate down

The gate accepts no new requests, finishes those in progress, and stops. Agents are still gated: command hooks then
decide on their own, which takes longer, or start the gate again; HTTP hooks refuse until the next prompt starts it.
\`hookgate disable\` removes the hooks.

  hookgate down && hookgate up
`,
  async run({ argv, env }) {
    parseFlags('down', argv, {})
    const { endGate } = await import('../../service/server/end-gate.ts')
    return printed(`${outcomeText(await endGate(ownPlaces(env)))}\n`)
  },
}

function outcomeText(ended: EndedGate): string {
  switch (ended.did) {
    case 'nothing':
      return 'no gate was running'
    case 'drained':
      return `the gate (pid ${ended.pid}) finished the requests in progress and stopped`
    case 'killed':
      return `the gate (pid ${ended.pid}) no longer answered, and was killed`
    case 'awaited':
      return 'the gate was already stopping, and has stopped'
    case 'tidied':
      return 'no gate was running; removed what a killed gate had left behind'
    case 'ousted':
      return 'no gate was running; another program was listening on its socket, which is removed'
  }
}
