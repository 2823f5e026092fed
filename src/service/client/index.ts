import { HookgateError } from '../../model/errors.ts'
import { type Client, type ClientKind, clientKinds } from './client.ts'
import { install } from './install.ts'
import { probe } from './probe.ts'

export type { ClientCall } from './client.ts'
export type { Client, ClientKind } from './client.ts'
export { hookScript, installationMark, gateStartEveryVariable } from './hook-script.ts'
export { compileStatic } from './install.ts'

/** A rejected client, and why. */
interface RejectedClient {
  readonly kind: ClientKind
  readonly why: string
}

interface ChosenClient {
  readonly client: Client
  readonly rejected: readonly RejectedClient[]
}

interface ClientChoice {
  /** Folder for installed clients, accessible only to its owner. */
  readonly folder: string
  /** Node 24 or newer. Absolute. */
  readonly node: string
  /** Kinds to try, in order. Default: all, the fastest first. */
  readonly kinds?: readonly ClientKind[]
}

/**
 * With `-p`, a shell imports no functions or options from the environment. An old `dash` lacks `-p` but imports none.
 */
const shells = [['/bin/sh', '-p'], ['/bin/sh']] as const

/**
 * Installs the fastest client that this machine has and that passes its probe.
 *
 * @throws HookgateError `unavailable` if none does
 */
export async function chooseClient({ folder, node, kinds = clientKinds }: ClientChoice): Promise<ChosenClient> {
  const rejected: RejectedClient[] = []
  for (const kind of kinds) {
    // oxlint-disable no-await-in-loop -- each is tried only if the one before fails
    const installed = await install(kind, folder, node)
    if ('missing' in installed) {
      rejected.push({ kind, why: installed.missing })
      continue
    }
    for (const shell of shells) {
      const client = { kind, ...installed, shell }
      const wrong = await probe(client)
      if (wrong === undefined) return { client, rejected }
      rejected.push({ kind, why: wrong })
    }
    // oxlint-enable no-await-in-loop
  }
  const why = rejected.map((one) => `${one.kind}: ${one.why}`).join('; ')
  throw new HookgateError('unavailable', `no client works here: ${why}`, {
    remedy: 'have the agent run `hookgate run` instead',
  })
}
