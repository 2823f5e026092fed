import type { CommandOutput } from './command.ts'

// INVARIANT: nothing is imported here at once: the sandbox's process starts before the others are loaded, and the list of
// commands needs almost none of them.

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
  if (name === 'run')
    (await import('./start/early-sandbox.ts')).startSandboxEarly({ argv: argv.slice(1), env: process.env })
  // First: a schema is what it is from when it is made.
  if (name !== '' && !name.startsWith('-') && !manyValues.has(name))
    (await import('./start/interpreted-schemas.ts')).interpretSchemas()
  const [{ main }, { invocationOf }] = await Promise.all([import('./main.ts'), import('./command.ts')])
  return main(argv, (rest) => invocationOf(rest, stdin, isFolderGone))
}

/** Tells whether code is kept for a word: else each mistyped command would leave a file. */
export const isKept = async (name: string): Promise<boolean> => (await import('./main.ts')).isCommand(name)

/** Runs a command that only forwards an event, and needs almost no other code. */
export async function runObserver(argv: readonly string[], isFolderGone: boolean): Promise<CommandOutput> {
  const { observe } = await import('./commands/emit/emit.ts')
  return observe(argv[0] ?? '', argv.slice(1), isFolderGone)
}
