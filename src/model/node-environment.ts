/**
 * Variables by which whoever starts a Node has a say in how it starts and ends: they were meant for other programs than
 * ours, and can hang ours before its first line or after its last (a folder for coverage or compiled code below `/proc`, a
 * pipe for a configuration), have it load code, or write over what it answers. Empty is as good as unset to all of them.
 *
 * Not among them is what only `node:tls` and `require` read, `NODE_EXTRA_CA_CERTS` and `NODE_PATH` for example: nothing of
 * ours uses those, and hooks that are Node programs need them.
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

/** The same environment for a Node of ours. */
export function environmentForNode(env: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const theirs: ReadonlySet<string> = new Set(nodeVariables)
  // Windows does not tell capital letters from small ones.
  return Object.fromEntries(Object.entries(env).filter(([name]) => !theirs.has(name.toUpperCase())))
}
