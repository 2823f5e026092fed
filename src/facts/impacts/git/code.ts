import type { ShellCommand, ShellFacts } from '../../../model/shell.ts'

/** Libraries by which code pushes without the program git: of Python, JavaScript, Ruby, Perl, PHP, Go, Java and .NET. */
const library =
  /\b(?:import git\b|from git\b|GitPython|dulwich|pygit2|simple-git|isomorphic-git|nodegit|es-git|rugged|gitonomy|libgit2(?:sharp)?|go-git|jgit|git2)|\brequire\s*\(?\s*['"]git['"]|\bGit(?:::|->)/i
const pushes = /\bpush\b/i
/** Matches a library's push whose options or references force it, or delete what the remote has. */
const forces =
  /\bpush\b[^;]{0,300}?(?:\bforce['"]?\s*[:=]>?\s*true\b|\bdelete['"]?\s*[:=]>?\s*true\b|\bsetForce\(\s*true|['"`](?:-f|--force|--mirror|--delete|--prune)['"`]|['"`][+:][\w*$/{])/i
/** A reference that is pushed by force, and kept in a variable before. */
const forcedReference = /['"`]\+(?:refs\/|[\w/.-]+:)/

/** Programs that run code in languages that the facts have no reader for. */
const runs = /^(?:groovy|jshell|kotlinc?|scala|go|java|dotnet|dotnet-script|csi|elixir|swift|deno|bun|tsx|ts-node)$/

/** Returns the code that a command runs: inline, from stdin, or from a file that the same line has written. */
function* codeOf(command: ShellCommand, { commands }: ShellFacts): Generator<string> {
  if (command.code?.text !== undefined) yield command.code.text
  if (!runs.test(command.program)) return
  yield [...command.args.map(({ value }) => value), command.stdin?.value ?? ''].join('\n')
  for (const { redirections, stdin } of commands) {
    const isRun = redirections.some(
      ({ operator, target }) =>
        /^>>?$/.test(operator) && command.args.some(({ value }) => value !== '' && value === target?.value),
    )
    if (isRun && stdin !== undefined) yield stdin.value
  }
}

/** True if a command runs code that pushes by force with a library. */
export function pushesByLibrary(command: ShellCommand, shell: ShellFacts): boolean {
  for (const text of codeOf(command, shell))
    if (pushes.test(text) && library.test(text) && (forces.test(text) || forcedReference.test(text))) return true
  return false
}
