import { type Command, forEachChild, parse, type SyntaxNode } from 'unbash'
import type { ShellCommand, ShellFacts, ShellSurroundings, ShellWord } from '../../model/shell.ts'
import { withEffects } from '../flows/index.ts'

/** What a shell command's text would run. */
export function shellFacts(text: string, around: ShellSurroundings): ShellFacts {
  const commands: ShellCommand[] = []
  const script = parse(text)
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command' && node.name !== undefined) commands.push(commandOf(node, around))
    forEachChild(node, visit)
  }
  visit(script)
  return { ...withEffects(commands, [], around), uncertain: (script.errors ?? []).map(({ message }) => message) }
}

function commandOf(node: Command, { cwd }: ShellSurroundings): ShellCommand {
  const written: ShellWord = { value: node.name?.value ?? '' }
  const program = written.value.slice(written.value.lastIndexOf('/') + 1).toLowerCase()
  const args = node.args.flatMap((one): readonly ShellWord[] => [
    { value: one.type === 'Word' ? one.value : one.text },
  ])
  const place = { start: node.pos, end: node.end }
  const none: readonly never[] = []
  return { program, written, args, assignments: [], redirections: [], cwd, reach: none, paths: [], uncertain: [], place }
}
