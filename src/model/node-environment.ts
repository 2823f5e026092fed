/**
 * Environment variables that change how a Node process starts and ends. Set for other programs, they can hang a process
 * of hookgate before its first line or after its last (a folder for coverage or compiled code below `/proc`, a pipe for
 * a configuration), load code, or overwrite an answer. For all of them, empty means unset.
 *
 * Variables that only `node:tls` and `require` read are left alone, such as `NODE_EXTRA_CA_CERTS` and `NODE_PATH`:
 * hookgate uses neither module, and hooks that are Node programs need the variables.
 */
export const nodeVariables = [
  'NODE_OPTIONS',
  'NODE_V8_COVERAGE',
  'NODE_COMPILE_CACHE',
  'NODE_COMPILE_CACHE_PORTABLE',
  'OPENSSL_CONF',
  'NODE_ICU_DATA',
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
  'NODE_UNIQUE_ID',
  'NODE_DEBUG',
  'NODE_DEBUG_NATIVE',
  'NODE_REDIRECT_WARNINGS',
  'NODE_PENDING_DEPRECATION',
  'NODE_PRESERVE_SYMLINKS',
  'NODE_PRESERVE_SYMLINKS_MAIN',
  'NODE_TEST_CONTEXT',
  'WATCH_REPORT_DEPENDENCIES',
] as const

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment without `nodeVariables`, for Node processes that hookgate starts. */
export function environmentForNode(env: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const theirs: ReadonlySet<string> = new Set(nodeVariables)
  // Names of variables are case-insensitive on Windows.
  return Object.fromEntries(Object.entries(env).filter(([name]) => !theirs.has(name.toUpperCase())))
}
