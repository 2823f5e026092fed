import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { secretValue } from '../../files/header-values.ts'
import { isLoopback, type ProxySetting } from '../../model/export-settings.ts'

/** The variables that say which proxy to use. */
export const proxyVariables = [
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'NO_PROXY',
  'no_proxy',
] as const

/**
 * Returns an agent that goes through the proxy of the setting, else of the variables; `undefined` to go there directly.
 * Addresses of this machine are never reached through another one.
 *
 * @throws if the setting's place has no address
 */
export function agentThrough(
  url: string,
  setting: ProxySetting | undefined,
  env: Readonly<Record<string, string>>,
): HttpAgent | undefined {
  const { hostname, protocol } = new URL(url)
  if (setting === false || isLoopback(hostname)) return undefined
  if (setting !== undefined && !knowsProxies) throw new Error('`proxy` needs Node 24.5 or newer')
  const proxyEnv = setting === undefined ? fromVariables(env) : everywhere(addressIn(setting, env))
  return protocol === 'https:' ? new HttpsAgent({ proxyEnv }) : new HttpAgent({ proxyEnv })
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
/** An older Node takes the option, and goes there directly. */
const knowsProxies = major > 24 || (major === 24 && minor >= 5)

const fromVariables = (env: Readonly<Record<string, string>>) =>
  Object.fromEntries(proxyVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))

const everywhere = (address: string) => ({ HTTP_PROXY: address, HTTPS_PROXY: address })

function addressIn(setting: Exclude<ProxySetting, false>, env: Readonly<Record<string, string>>): string {
  const address = typeof setting === 'string' ? setting : secretValue(setting, env)
  if (URL.canParse(address)) return address
  throw new Error('`proxy`: what is there is no address such as "http://proxy:3128"')
}
