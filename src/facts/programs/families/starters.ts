import type { Family } from '../program.ts'
import { enters } from '../looks/starts.ts'

/** By program, the words behind which it starts another in an environment or a container. */
const entering: Readonly<Record<string, string>> = {
  'kubectl oc docker-compose podman-compose': 'exec',
  'docker podman nerdctl': 'exec; compose exec',
}

/** Programs that start others. Programs that also do something by themselves are in other families too. */
export const starters: Family = {
  programs: Object.fromEntries(Object.entries(entering).map(([keys, lines]) => [keys, { looks: enters(lines) }])),
}
