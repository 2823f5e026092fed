import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../../model/limits.ts'
import type { InstallContext } from '../install-context.ts'
import { onPath } from '../hook-command.ts'

export type Version = readonly [major: number, minor: number, patch: number]

/** The versions from which on Claude Code does what we use: contracts and changelog. */
export const since = {
  /** `args`: without a shell. */
  execForm: [2, 1, 139],
  /** `onFailure: "block"`. */
  onFailure: [2, 1, 295],
} as const satisfies Record<string, Version>

/** The version that was measured. Newer ones may differ. */
export const measuredVersion: Version = [2, 1, 332]

export function isAtLeast(version: Version, least: Version): boolean {
  const differing = version.findIndex((part, index) => part !== least[index])
  return differing < 0 || (version[differing] ?? 0) > (least[differing] ?? 0)
}

export const versionText = (version: Version) => version.join('.')

/** The version of the Claude Code that is installed; `undefined` where none is found, or it does not say. */
export function readVersion(context: Pick<InstallContext, 'env' | 'home' | 'platform'>): Promise<Version | undefined> {
  const program = programOf(context)
  if (program === undefined) return Promise.resolve(undefined)
  const options = {
    env: { ...context.env, DISABLE_AUTOUPDATER: '1' },
    timeout: limits.versionCommandMs,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024,
    shell: program.endsWith('.cmd'),
  } as const
  return new Promise((resolve) => {
    execFile(program, ['--version'], options, (error, stdout) =>
      resolve(error === null ? parseVersion(stdout) : undefined),
    )
  })
}

/** `2.1.329 (Claude Code)` */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch] = /^\s*(\d{1,6})\.(\d{1,6})\.(\d{1,6})\b/.exec(text) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

function programOf({ env, home, platform }: Pick<InstallContext, 'env' | 'home' | 'platform'>): string | undefined {
  // Where its installers put it, which a shell may know only as an alias.
  const usual = [join(home, '.local', 'bin', 'claude'), join(home, '.claude', 'local', 'claude')]
  return onPath('claude', env['PATH'], platform) ?? usual.find((file) => existsSync(file))
}
