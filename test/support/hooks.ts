import { fileURLToPath } from 'node:url'
import { limits } from '../../src/model/limits.ts'
import type { HookProcess } from '../../src/model/rule.ts'
import type { HookStarter } from '../../src/hooks/runner.ts'

const folder = fileURLToPath(new URL('../fixtures/hooks/', import.meta.url))

/** Returns the path of a fixture program. */
export function hookFile(name: string): string {
  return `${folder}${name}`
}

/** Builds the request to run a fixture program. */
export function hook(name: string, rest: Partial<HookProcess> = {}): HookProcess {
  return {
    program: { form: 'script', file: hookFile(name) },
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    stdin: '{}',
    timeoutMs: 20_000,
    ...rest,
  }
}

/**
 * Builds requests to run hooks that only a kill ends, each of which has one `sleep` running: a test of a kill has any time
 * for it. A hook that answers and leaves a process behind would end by itself, after `limits.graceMs`.
 */
export const endlessHooks = (env: HookProcess['env']): readonly HookProcess[] =>
  ['sleeps-forever', 'ignores-sigterm', 'waits-for-grandchild'].map((name) =>
    hook(name, { env, timeoutMs: limits.hookTimeoutMsMax }),
  )

/** Builds the request to run a command with `/bin/sh -c`. */
export function shellHook(command: string, rest: Partial<HookProcess> = {}): HookProcess {
  return hook('', { program: { form: 'shell', shell: 'sh', command }, ...rest })
}

/** Parses the command-line arguments of a program that a test runs. */
export function starterNamed(name: string | undefined): HookStarter {
  if (name === 'own' || name === 'companion') return name
  throw new Error(`nothing called \`${name}\` starts hooks`)
}
