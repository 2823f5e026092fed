import type { ShellCommand, ShellFacts } from '../../../model/shell.ts'
import type { Deed } from './deeds.ts'
import type { Pattern } from './pattern.ts'

const isDownload = ({ network }: ShellCommand) => network?.direction === 'receive' || network?.direction === 'both'

/** Returns the commands whose input comes, directly or not, from a download. */
function downloaded({ commands, flows }: ShellFacts): ReadonlySet<number> {
  const reached = new Set(commands.flatMap((command, at) => (isDownload(command) ? [at] : [])))
  for (const from of reached) for (const flow of flows) if (flow.from === from) reached.add(flow.to)
  return reached
}

function isFedByDownload(at: number, shell: ShellFacts): boolean {
  const givers = downloaded(shell)
  return shell.flows.some(({ from, to }) => to === at && givers.has(from))
}

const fetched: Deed = {
  kind: 'run',
  thing: 'deployment',
  object: 'manifest',
  names: '-f|--filename|-k|--kustomize|--values|--repo|--file|-c|--compose-file|--from-module',
}

/**
 * Makes deeds that apply what is at an address: with the address among their words, or piped in from a download.
 *
 * @param named patterns of commands that name an address
 * @param piped patterns of commands that read stdin
 */
export const appliesFetched = (named: readonly Pattern[], piped: readonly Pattern[] = []): readonly Deed[] => [
  { ...fetched, work: named },
  { ...fetched, work: piped, when: ({ at }, _, shell) => isFedByDownload(at, shell) },
]
