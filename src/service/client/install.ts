import { execFile } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isExecutable } from '../../files/entries.ts'
import { ensureUnsharedFolder } from '../../files/private-folder.ts'
import { entryFile } from '../../files/program-files.ts'
import { errorText } from '../../model/errors.ts'
import { nodeVariables } from '../../model/node-environment.ts'
import type { Client, ClientKind } from './client.ts'
import { nativeSource } from './native/source.ts'
import { sha256Of } from '../../files/digest.ts'

/** Timeout for compiling the thin client: measured 0.3 s. */
const clientCompileMs = 30_000

/**
 * Folders of compilers and tools. PATH is not used, since a project can change it and one client serves all projects.
 */
const systemFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin'] as const

type InstallResult = Pick<Client, 'command' | 'deadline' | 'assignments'> | { readonly missing: string }

/**
 * Installs a client into `folder` under a name that holds the digest of its content, so that a client in use is never
 * overwritten and a damaged one is never used again.
 *
 * @returns its command, or why it cannot be installed
 */
export async function install(kind: ClientKind, folder: string, node: string): Promise<InstallResult> {
  ensureUnsharedFolder(folder, { elsewhere: 'set `HOOKGATE_HOME` to a folder of your own' })
  switch (kind) {
    case 'native':
      return installNative(folder)
    case 'node':
      return installNode(node)
  }
}

async function installNative(folder: string): Promise<InstallResult> {
  const compiler = await compilerHere()
  if (compiler === undefined) return { missing: 'there is no C compiler' }
  const ofSource = join(folder, `client-${digestOf(`${process.arch} ${nativeSource}`)}`)
  const there = readdirSync(folder)
    .map((name) => join(folder, name))
    .find((file) => file.startsWith(`${ofSource}-`) && isWhole(file))
  if (there !== undefined) return { command: [there], assignments: [] }
  const draft = `${ofSource}.${process.pid}`
  try {
    // A static binary starts faster, and no library can be preloaded into it.
    await compiled(compiler, ['-static'], draft, nativeSource).catch(() => compiled(compiler, [], draft, nativeSource))
    chmodSync(draft, 0o700)
    // If a file is renamed before it is on the disk, a power failure can leave it empty under its final name.
    flush(draft)
    const file = `${ofSource}-${digestOf(readFileSync(draft))}`
    renameSync(draft, file)
    flush(folder)
    return { command: [file], assignments: [] }
  } catch (error) {
    rmSync(draft, { force: true })
    return { missing: `\`${compiler}\` does not compile it: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Checks that a file is the user's own and that its content has the digest in its name. */
function isWhole(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  return (
    stats !== undefined &&
    stats.isFile() &&
    stats.uid === process.getuid?.() &&
    (stats.mode & 0o777) === 0o700 &&
    file.endsWith(`-${digestOf(readFileSync(file))}`)
  )
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * INVARIANT: no environment variable affects what is compiled. A compiler finds its assembler along PATH and headers by
 * `CPATH` and the like; under `npx`, or a tool that sets variables folder by folder, a project controls both.
 */
async function compiled(compiler: string, flags: readonly string[], file: string, source: string): Promise<void> {
  const done = promisify(execFile)(compiler, ['-O2', ...flags, '-x', 'c', '-', '-o', file], {
    timeout: clientCompileMs,
    env: { PATH: systemFolders.join(':'), LC_ALL: 'C' },
    cwd: '/',
  })
  done.child.stdin?.on('error', () => {}).end(source)
  await done
}

/** Compiles a program that needs no library of the system; returns why it cannot be done. */
export async function compileStatic(source: string, file: string): Promise<string | undefined> {
  const compiler = await compilerHere()
  if (compiler === undefined) return 'there is no C compiler'
  const draft = `${file}.${process.pid}`
  try {
    await compiled(compiler, ['-static'], draft, source)
    chmodSync(draft, 0o755)
    flush(draft)
    renameSync(draft, file)
    return undefined
  } catch (error) {
    rmSync(draft, { force: true })
    return `\`${compiler}\` does not compile it: ${errorText(error)}`
  }
}

async function compilerHere(): Promise<string | undefined> {
  // On macOS `cc` always exists, and without a compiler it asks the person to install one.
  const isStub = process.platform === 'darwin' && !(await succeeds('/usr/bin/xcode-select', ['-p']))
  return isStub ? undefined : found(['cc', 'gcc', 'clang'])
}

const succeeds = (file: string, words: readonly string[]) =>
  promisify(execFile)(file, words, { timeout: clientCompileMs }).then(
    () => true,
    () => false,
  )

async function installNode(node: string): Promise<InstallResult> {
  const deadline = await deadlineHere()
  const assignments = nodeVariables.map((name) => `${name}=`)
  return { command: [node, entryFile('service/client/thin')], ...(deadline && { deadline }), assignments }
}

/**
 * Returns the command that kills a Node client from outside: Node can hang before its first line and after its last,
 * where none of its timers run. `timeout` costs a thirtieth of a Node start.
 */
async function deadlineHere(): Promise<readonly string[] | undefined> {
  const timeout = found(['timeout'])
  if (timeout === undefined) return undefined
  // With `--foreground`, Ctrl-C still reaches all processes. Busybox always behaves so and lacks the option.
  for (const words of [
    ['--foreground', '-s', 'KILL'],
    ['-s', 'KILL'],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- each is tried only if the one before fails
    if (await succeeds(timeout, [...words, '9.8', '/bin/sh', '-c', ':'])) return [timeout, ...words]
  }
  return undefined
}

function found(names: readonly string[]): string | undefined {
  return names.flatMap((name) => systemFolders.map((folder) => join(folder, name))).find(isExecutable)
}

const digestOf = (content: string | Uint8Array) => sha256Of(content).slice(0, 16)
