import type { Program, RemoteHandler } from '../model/rule.ts'
import { firstLine } from '../model/text.ts'

/** Says which server a rule asks. */
export function serverText({ asks, server }: RemoteHandler): string {
  return asks.kind === 'gate' ? `asks the gate at ${server.url}` : `asks ${server.url} by AuthZEN`
}

/** Says which program a hook runs. */
export function programText(program: Program): string {
  switch (program.form) {
    case 'shell':
      return firstLine(program.command)
    case 'exec':
      return [program.file, ...program.args].join(' ')
    case 'script':
      return program.file
  }
}
