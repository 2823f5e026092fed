import { boundPath } from '../../paths/bound-path.ts'
import type { Findings } from './findings.ts'
import { text, unknown, type Value } from './values.ts'

/** Options that say where a server listens, among those of a call. */
const addressNames = /^(?:path|uds|unix|local|address|bind|sock|host|endpoint)$/i

interface Listening {
  readonly args: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
  readonly findings: Findings
}

/** Listens at a path, whichever argument names it. Ports, hosts and callbacks are none. */
export function binds({ args, named, findings }: Listening): Value {
  const entries = args.flatMap((value) =>
    value.flatMap((form) => (form.kind === 'map' ? Array.from(form.entries) : [])),
  )
  const options = [...named, ...entries].flatMap(([name, value]) => (addressNames.test(name) ? [value] : []))
  for (const form of [...args, ...options].flat()) {
    const path = form.kind === 'text' ? boundPath(form.text) : undefined
    if (path !== undefined) findings.path(text(path), 'write')
  }
  return unknown
}
