import { createRequire } from 'node:module'
import { z } from 'zod'
import { errorText, HookgateError } from '../model/errors.ts'
import { workingFolder } from '../gate.ts'
import { printable } from '../model/text.ts'
import { bench } from './bench.ts'
import { check } from './check.ts'
import { type Command, type Printed, printed } from './command.ts'
import { disable } from './disable.ts'
import { down } from './down.ts'
import { emit } from './emit.ts'
import { enable } from './enable.ts'
import { explain } from './explain.ts'
import { newCommand } from './new.ts'
import { olderName } from './older-names.ts'
import { run } from './run.ts'
import { schema } from './schema.ts'
import { serve } from './serve.ts'
import { status } from './status.ts'
import { test } from './test.ts'
import { trust } from './trust.ts'
import { up } from './up.ts'

const commands: Readonly<Record<string, Command>> = {
  run,
  serve,
  up,
  down,
  enable,
  disable,
  status,
  emit,
  explain,
  check,
  trust,
  new: newCommand,
  test,
  bench,
  schema,
  'claude-hook': olderName('claude-hook', 'claude-code'),
  'cline-hook': olderName('cline-hook', 'cline'),
}

const help = `hookgate: the gate in front of AI coding agents

It stands behind an agent's hook, runs every hook and rule that applies side by side, and gives one answer.

  hookgate <command> [options]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(13)}${summary}`)
  .join('\n')}

  hookgate <command> --help     what a command takes, with examples
  hookgate --version

Put it in front of Claude Code with \`hookgate enable claude-code\`, in front of Cline with \`hookgate enable cline\`.
`

/** Runs one command. */
export async function main([name, ...rest]: readonly string[], stdin: Promise<Uint8Array>): Promise<Printed> {
  if (name === undefined) return { stdout: '', stderr: help, exitCode: 1 }
  if (name === '--help' || name === '-h' || name === 'help') return printed(commands[rest[0] ?? '']?.help ?? help)
  if (name === '--version' || name === '-v') return printed(`${version()}\n`)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) return failed(new HookgateError('usage', `there is no command \`${name}\``, seeHelp))
  if (rest.includes('--help') || rest.includes('-h')) return printed(command.help)
  try {
    return await command.run({ argv: rest, stdin, env: process.env, cwd: workingFolder() })
  } catch (error) {
    return failed(error)
  }
}

const seeHelp = { remedy: 'see `hookgate --help`' }

/** 1 where the user's input is at fault, 70 (EX_SOFTWARE of sysexits.h) where hookgate is. */
function failed(error: unknown): Printed {
  const ours = error instanceof HookgateError && error.code !== 'internal'
  return { stdout: '', stderr: `hookgate: ${printable(errorText(error))}\n`, exitCode: ours ? 1 : 70 }
}

function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('../../package.json')
  return z.looseObject({ version: z.string() }).parse(manifest).version
}
