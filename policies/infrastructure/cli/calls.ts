import type { ShellCommand, ShellFacts, ShellWord } from 'hookgate/policy'

/** One start of a program that may reach outside of the workspace. */
export interface Call {
  /** Its name without what only says how it is started: `kafka-topics` for `kafka-topics.sh`. */
  readonly program: string
  readonly args: readonly ShellWord[]
  readonly command: ShellCommand
}

/** Java's options that take the next word. */
const javaValued = new Set(['-cp', '-classpath', '--class-path', '-p', '--module-path', '--add-modules'])

const plain = (program: string) => program.replace(/\.(?:sh|bat|cmd|exe|py|rb|phar|jar|ps1)$/, '')

/** `java -jar jenkins-cli-2.4.jar …` is `jenkins-cli …`. */
function inJar(command: ShellCommand): Call | undefined {
  for (let at = 0; at < command.args.length; at++) {
    const text = command.args[at]?.value ?? ''
    if (text === '-jar') {
      const jar = command.args[at + 1]?.value.split(/[/\\]/).at(-1)?.toLowerCase() ?? ''
      return { program: plain(jar).replace(/-\d[\w.-]*$/, ''), args: command.args.slice(at + 2), command }
    }
    if (javaValued.has(text)) at += 1
    else if (!text.startsWith('-')) return undefined
  }
  return undefined
}

/** Every program that would be started, by the name it is known by. */
export function callsIn(shell: ShellFacts): readonly Call[] {
  return shell.commands.map(
    (command) =>
      (command.program === 'java' ? inJar(command) : undefined) ?? {
        program: plain(command.program),
        args: command.args,
        command,
      },
  )
}
