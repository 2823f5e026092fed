import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, chmodSync, constants, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { limits } from '../model/limits.ts'
import type { Client, ClientKind } from './client.ts'
import { nativeSource } from './native/source.ts'
import { perlSource } from './perl.ts'

/** Not PATH, which a project can have a say in: a client is for all of them. */
const systemFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin'] as const

type Installed = Pick<Client, 'command' | 'assignments'> | { readonly missing: string }

/**
 * Puts a client into `folder` and tells how it is run. Its file's name tells its content, so that one that is in use is
 * never written over.
 *
 * @returns its command, or why it cannot be had
 */
export async function install(kind: ClientKind, folder: string, node: string): Promise<Installed> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  switch (kind) {
    case 'native':
      return installNative(folder)
    case 'perl':
      return installPerl(folder)
    case 'node':
      return { command: [node, thinFile], assignments: ['NODE_OPTIONS='] }
  }
}

const thinFile = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './thin.ts' : './thin.js', import.meta.url))

async function installNative(folder: string): Promise<Installed> {
  const compiler = await compilerHere()
  if (compiler === undefined) return { missing: 'there is no C compiler' }
  const file = join(folder, `client-${digestOf(`${process.arch} ${nativeSource}`)}`)
  if (existsSync(file)) return { command: [file], assignments: [] }
  const draft = `${file}.${process.pid}`
  try {
    // Without libraries it starts in less time, and none can be put in front of it.
    await compiled(compiler, ['-static'], draft).catch(() => compiled(compiler, [], draft))
    chmodSync(draft, 0o700)
    renameSync(draft, file)
    return { command: [file], assignments: [] }
  } catch (error) {
    rmSync(draft, { force: true })
    return { missing: `\`${compiler}\` does not compile it: ${error instanceof Error ? error.message : String(error)}` }
  }
}

async function compiled(compiler: string, flags: readonly string[], file: string): Promise<void> {
  const done = promisify(execFile)(compiler, ['-O2', ...flags, '-x', 'c', '-', '-o', file], {
    timeout: limits.clientCompileMs,
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
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, perlSource, { mode: 0o600 })
  renameSync(draft, file)
  // `-t` has it read over PERL5OPT and PERL5LIB, which can load anything, and `-C0` over PERL_UNICODE; `-f` leaves out the
  // site's own start; `-X` keeps it from warning of what `-t` would have checked.
  // In the C locale it starts in a tenth less time, and has nothing to say of one that is not there; what it starts in its
  // turn gets the person's own again.
  return { command: [perl, '-tfXC0', file], assignments: ['HOOKGATE_LOCALE="$LC_ALL"', 'LC_ALL=C'] }
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

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)
