import { chmodSync, existsSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { managedPath } from '../../agents/install/install.ts'
import { managedFolderOf, type ManagedInstall } from '../../agents/install/managed.ts'
import { type GatePaths, machineFolder, placesOf } from '../../files/state/places.ts'
import { compileStatic } from '../../service/client/index.ts'
import { makeFolder, removeEmptyFolders } from '../files/settings-file.ts'
import { commandIn } from '../hooks-file/described.ts'
import type { InstallContext } from '../install-context.ts'

const starterName = 'hookgate-start'

/**
 * A program that starts another without the variables by which the dynamic loader or a shell can be told to run other
 * code, or nothing. It is static: no loader reads them before it does.
 */
const source = String.raw`#include <stdio.h>
#include <string.h>
#include <unistd.h>
extern char **environ;
static const char *const left_out[] = {"LD_", "GLIBC_TUNABLES=", "GCONV_PATH=", "BASH_", "SHELLOPTS=", "BASHOPTS=", "ENV=", "PS4="};
int main(int argc, char **argv) {
  char **kept = environ;
  for (char **at = environ; *at != NULL; at++) {
    int is_kept = 1;
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
      if (strncmp(*at, left_out[i], strlen(left_out[i])) == 0) is_kept = 0;
    if (is_kept) *kept++ = *at;
  }
  *kept = NULL;
  if (argc > 1) execv(argv[1], argv + 1);
  fputs("hookgate cannot be started\n", stderr);
  return 2;
}
`

/** Returns where an agent's starter is; `undefined` for an agent that needs none. */
export function starterFor(
  managed: ManagedInstall,
  site: Pick<InstallContext, 'platform' | 'managedRoot'>,
): string | undefined {
  const folder = managedFolderOf(managed, site)
  return managed.needsStarter !== true || site.platform !== 'linux' || folder === undefined
    ? undefined
    : join(folder, starterName)
}

/** Makes the starter; where that cannot be done, none is left from before. Returns why, as a note. */
export async function installStarter(file: string): Promise<readonly string[]> {
  // Every user must be able to enter it, whatever the umask.
  for (const folder of makeFolder(dirname(file), 0o755)) chmodSync(folder, 0o755)
  const why = await compileStatic(source, file)
  if (why === undefined) return []
  rmSync(file, { force: true })
  return [`warning: ${noStarter}, since ${why}`]
}

/** Removes the starter, and the folders that were made for it. */
export function removeStarter(file: string): void {
  rmSync(file, { force: true })
  removeEmptyFolders([dirname(dirname(file)), dirname(file)])
}

export const starterAt = (file: string | undefined): string | undefined =>
  file !== undefined && existsSync(file) ? file : undefined

export const noStarter =
  "a user's settings can set a variable of the dynamic loader (`LD_TRACE_LOADED_OBJECTS`) with which a hook ends before hookgate begins"

const Started = z.looseObject({ command: z.string(), args: z.array(z.string()) })

/** Reads what a handler starts: the line that a shell gets, and the starter before it. */
export function startedBy(handler: unknown): { readonly line: string; readonly starter?: string } | undefined {
  const { data } = Started.safeParse(handler)
  if (data === undefined) {
    const line = commandIn(handler)
    return line === undefined ? undefined : { line }
  }
  const words = [data.command, ...data.args]
  const starter = basename(data.command) === starterName ? words.shift() : undefined
  const [shell, option, line, ...more] = words
  if (shell !== '/bin/sh' || option !== '-c' || line === undefined || more.length > 0) return undefined
  return { line, ...(starter !== undefined && { starter }) }
}

type Site = Pick<InstallContext, 'platform' | 'managedRoot' | 'env'>

/** Returns the folder in which hookgate keeps what `enable --managed` has done: root's alone, whoever calls it. */
export function managedPlaces({ platform, managedRoot, env }: Site): GatePaths {
  const folder = managedPath({ managedRoot }, machineFolder(platform, env))
  return placesOf({ env: { HOOKGATE_HOME: folder }, platform, uid: process.getuid?.(), home: folder })
}

/** Returns the ids of users who count as administrators. */
export const administrators = ({ managedRoot }: Pick<Site, 'managedRoot'>): readonly number[] =>
  managedRoot === undefined ? [0] : [0, process.getuid?.() ?? 0]
