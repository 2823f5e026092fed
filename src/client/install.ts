import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ensureUnsharedFolder } from '../files/private-folder.ts'
import { replaceFile } from '../files/replace-file.ts'
import { errorText } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { nodeVariables } from '../model/node-environment.ts'
import type { Client, ClientKind } from './client.ts'
import { nativeSource } from './native/source.ts'
import { perlSource } from './perl.ts'

/** Not PATH, which a project can have a say in: a client is for all of them. */
const systemFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin'] as const

type Installed = Pick<Client, 'command' | 'deadline' | 'assignments'> | { readonly missing: string }

/**
 * Puts a client into `folder` and tells how it is run. Its file's name tells its content, so that one that is in use is
 * never written over, and one that is damaged is not used again.
 *
 * @returns its command, or why it cannot be had
 */
export async function install(kind: ClientKind, folder: string, node: string): Promise<Installed> {
  ensureUnsharedFolder(folder, { elsewhere: 'set `HOOKGATE_HOME` to a folder of your own' })
  switch (kind) {
    case 'native':
      return installNative(folder)
    case 'perl':
      return installPerl(folder)
    case 'node':
      return installNode(node)
  }
}

const thinFile = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './thin.ts' : './thin.js', import.meta.url))

async function installNative(folder: string): Promise<Installed> {
  const compiler = await compilerHere()
  if (compiler === undefined) return { missing: 'there is no C compiler' }
  const ofSource = join(folder, `client-${digestOf(`${process.arch} ${nativeSource}`)}`)
  const there = readdirSync(folder)
    .map((name) => join(folder, name))
    .find((file) => file.startsWith(`${ofSource}-`) && isWhole(file))
  if (there !== undefined) return { command: [there], assignments: [] }
  const draft = `${ofSource}.${process.pid}`
  try {
    // Without libraries it starts in less time, and none can be put in front of it.
    await compiled(compiler, ['-static'], draft).catch(() => compiled(compiler, [], draft))
    chmodSync(draft, 0o700)
    // Of a file that is renamed before it is on the disk, a loss of power leaves the name and nothing in it.
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

/** Whether it is what its name says, and nobody else's. */
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
 * INVARIANT: no variable has a say in what is compiled. A compiler looks for its assembler along PATH, and for headers where
 * `CPATH` and its like say; with `npx`, and with what sets variables folder by folder, a project decides on both.
 */
async function compiled(compiler: string, flags: readonly string[], file: string): Promise<void> {
  const done = promisify(execFile)(compiler, ['-O2', ...flags, '-x', 'c', '-', '-o', file], {
    timeout: limits.clientCompileMs,
    env: { PATH: systemFolders.join(':'), LC_ALL: 'C' },
    cwd: '/',
  })
  done.child.stdin?.on('error', () => {}).end(nativeSource)
  await done
}

async function compilerHere(): Promise<string | undefined> {
  // There, `cc` is always a file, and asks the person to install a compiler where there is none.
  const isStub = process.platform === 'darwin' && !(await succeeds('/usr/bin/xcode-select', ['-p']))
  return isStub ? undefined : found(['cc', 'gcc', 'clang'])
}

const succeeds = (file: string, words: readonly string[]) =>
  promisify(execFile)(file, words, { timeout: limits.clientCompileMs }).then(
    () => true,
    () => false,
  )

function installPerl(folder: string): Installed {
  const perl = found(['perl'])
  if (perl === undefined) return { missing: 'there is no Perl' }
  const file = join(folder, `client-${digestOf(perlSource)}.pl`)
  try {
    replaceFile(file, Buffer.from(perlSource))
    flush(folder)
  } catch (error) {
    return { missing: `its file cannot be written: ${errorText(error)}` }
  }
  // `-t` has it read over PERL5OPT and PERL5LIB, which can load anything, and `-C0` over PERL_UNICODE; `-f` leaves out the
  // site's own start; `-X` keeps it from warning of what `-t` would have checked.
  // In the C locale it starts in a tenth less time, and has nothing to say of one that is not there; what it starts in its
  // turn gets the person's own again.
  return { command: [perl, '-tfXC0', file], assignments: ['HOOKGATE_LOCALE="$LC_ALL"', 'LC_ALL=C'] }
}

async function installNode(node: string): Promise<Installed> {
  const deadline = await deadlineHere()
  const assignments = nodeVariables.map((name) => `${name}=`)
  return { command: [node, thinFile], ...(deadline && { deadline }), assignments }
}

/**
 * Node can hang before its first line and after its last, where no timer of its own runs. `timeout` costs a thirtieth of
 * what Node does, and every system that has no Perl has it.
 */
async function deadlineHere(): Promise<readonly string[] | undefined> {
  const timeout = found(['timeout'])
  if (timeout === undefined) return undefined
  // In the foreground, a Ctrl-C is still for all of them. Busybox knows nothing else, and not the word for it.
  for (const words of [
    ['--foreground', '-s', 'KILL'],
    ['-s', 'KILL'],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- the next is only for where this one fails
    if (await succeeds(timeout, [...words, '9.8', '/bin/sh', '-c', ':'])) return [timeout, ...words]
  }
  return undefined
}

function found(names: readonly string[]): string | undefined {
  return names.flatMap((name) => systemFolders.map((folder) => join(folder, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const digestOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex').slice(0, 16)
