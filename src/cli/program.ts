import type { CommandOutput } from './command.ts'
import { startSandboxEarly } from './start/early-sandbox.ts'

// INVARIANT: only small modules are imported here: the sandbox's process starts before the others are loaded.

/** Commands that check many values: only there does it pay that a schema compiles itself. */
const manyValues: ReadonlySet<string> = new Set([
  'serve',
  'ui',
  'replay',
  'suggest',
  'bench',
  'test',
  'check',
  'bundle',
])

/** Runs the command line, once the last resort is ready. @param isFolderGone true if the working directory was removed */
export async function runProgram(
  argv: readonly string[],
  stdin: Promise<Uint8Array>,
  isFolderGone: boolean,
): Promise<CommandOutput> {
  const [name = ''] = argv
  if (name === 'run') startSandboxEarly({ argv: argv.slice(1), env: process.env })
  // First: a schema is what it is from when it is made.
  if (!manyValues.has(name)) (await import('./start/interpreted-schemas.ts')).interpretSchemas()
  const [{ main }, { invocationOf }] = await Promise.all([import('./main.ts'), import('./command.ts')])
  return main(argv, (rest) => invocationOf(rest, stdin, isFolderGone))
}

/** Runs a command that only forwards an event, and needs almost no other code. */
export async function runObserver(argv: readonly string[], isFolderGone: boolean): Promise<CommandOutput> {
  const { observe } = await import('./commands/emit/emit.ts')
  return observe(argv[0] ?? '', argv.slice(1), isFolderGone)
}
