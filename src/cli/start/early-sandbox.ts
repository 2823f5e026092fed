import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { entryName } from '../../files/digest.ts'
import { startProcessEarly, useOfProcesses } from '../../policy/sandbox/host/process-placement.ts'
import type { Invocation } from '../command.ts'
import { ownPlaces } from '../args/own-places.ts'

/** Kinds of `hookgate run`, by arguments and folder, remembered to need a sandbox: far more than a person works in. */
const sandboxedRunsMax = 1000

// INVARIANT: only small modules are imported here, since everything else waits until this one is loaded.

/** Threads of the sandbox of `hookgate run`. One event can use only one, and each loads every policy. */
export const threadsOfRun = 1

type Run = Pick<Invocation, 'argv' | 'env'>

/**
 * Starts the sandbox's process before the rest of the program is loaded, if the last run with the same arguments in the
 * same folder needed one. It takes as long to load as everything else together.
 */
export function startSandboxEarly(run: Run): void {
  try {
    if (existsSync(join(ownPlaces(run.env).sandboxed, entryName(runKey(run))))) startProcessEarly(threadsOfRun)
  } catch {
    // It is started when it is needed, and what is wrong is reported then.
  }
}

/**
 * Remembers whether this run needed a sandbox. If policies are in force but none was evaluated for this event, the next
 * event may still need it.
 */
export async function rememberSandbox(run: Run): Promise<void> {
  const use = useOfProcesses()
  const { sandboxed } = ownPlaces(run.env)
  const isRemembered = existsSync(join(sandboxed, entryName(runKey(run))))
  if (use === 'loaded' || isRemembered === (use === 'asked')) return
  const { openKeyValueStore } = await import('../../files/key-value-store.ts')
  openKeyValueStore(sandboxed, sandboxedRunsMax).set(runKey(run), use === 'asked' ? '' : undefined)
}

const runKey = ({ argv }: Run) => JSON.stringify([process.cwd(), ...argv])
