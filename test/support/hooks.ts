import { fileURLToPath } from 'node:url'
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

/** Builds the request to run a command with `/bin/sh -c`. */
export function shellHook(command: string, rest: Partial<HookProcess> = {}): HookProcess {
  return hook('', { program: { form: 'shell', shell: 'sh', command }, ...rest })
}

/** Parses the command-line arguments of a program that a test runs. */
export function starterNamed(name: string | undefined): HookStarter {
  if (name === 'own' || name === 'companion') return name
  throw new Error(`nothing called \`${name}\` starts hooks`)
}
