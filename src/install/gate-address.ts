import { httpPortUsual } from '../model/http-port.ts'
import { ensureGateRunning } from '../server/ensure-gate.ts'
import { portOf } from '../server/presence.ts'
import { readToken, tokenOf } from '../server/token.ts'
import { version } from '../server/version.ts'
import type { InstallContext } from './install-context.ts'

export interface HttpGate {
  readonly origin: string
  readonly port: number
  readonly token: string
}

/**
 * Starts the gate with HTTP, before it is registered: an agent heeds new settings at once, and would be stopped by an
 * address where nothing answers.
 *
 * @throws HookgateError `unavailable`
 */
export async function gateOverHttp({ places, port, env, dryRun }: InstallContext): Promise<HttpGate> {
  if (dryRun) {
    const wanted = port ?? httpPortUsual
    return { origin: `http://127.0.0.1:${wanted}`, port: wanted, token: readToken(places) ?? 'made-when-it-is-needed' }
  }
  const { hello } = await ensureGateRunning({ places, version: version(), httpPort: port ?? httpPortUsual, env })
  const origin = hello.http ?? `http://127.0.0.1:${port ?? httpPortUsual}`
  return { origin, port: portOf(origin) ?? httpPortUsual, token: tokenOf(places) }
}

export const tokenHeaders = (token: string) => ({ Authorization: `Bearer ${token}` })
