/**
 * Patterns of the files that `hookgate enable` writes for agents whose hooks are files.
 *
 * INVARIANT: a file that matches does nothing but call hookgate with one command, and print a fixed answer if that
 * fails. So hookgate can skip it among the hooks it runs, where it would call itself without end, and can delete it
 * without checking anything else.
 */
/** A shell word that is literal, quoted, or the value of one variable. */
const word = String.raw`(?:[\w@%+=:,./-]|'[^'\n]*'|\\'|"\$(?:\w+|\{\w+:-\d+\})")+`
const saying = String.raw`echo ${word}\necho ${word} >&2\nexit \d`
const refusing = String.raw`(?:\[ -e ${word} \] \|\| \{\n${saying}\n\}\n)*${saying}\n`
const head = String.raw`#![^\n]+\n# hookgate [^\n]+\n# Written by ${'`'}hookgate enable ([\w-]+)[^\n]*\n`

const answers = String.raw`(?:  \d+\) exit \d ;;\n){3}`
/** Has Node decide where the client cannot be executed. */
const byNode = String.raw`  126 \| 127\)\n(?:\[ -e ${word} \] && )*${word}(?: ${word})+\ncase \$\? in\n${answers}esac\n${refusing}    ;;\n`

/** A file that calls the client of this machine. */
const byClient = new RegExp(
  String.raw`^${head}(?:\[ -e ${word} \] && )*HOOKGATE_HOME=${word}(?: ${word})+\ncode=\$\?\ncase \$code in\n${answers}(?:  \d+\)\n${refusing}    ;;\n){1,3}(?:${byNode})?esac\n${refusing}$`,
)
/** A file that looks hookgate up by name: for files shared between machines, and for systems without a client. */
const byName = new RegExp(
  String.raw`^${head}if answer=\$\(${word}(?: ${word})+\) && \[ -n "\$answer" \]; then\n  printf '%s\\n' "\$answer"\n  exit 0\nfi\n${saying}\n$`,
)
const onWindows = new RegExp(
  String.raw`^# hookgate [^\n]+\n# Written by ${'`'}hookgate enable ([\w-]+)[^\n]*\n& ${word}(?: ${word})+\nif \(\$LASTEXITCODE -eq 0\) \{ exit 0 \}\n${word}\nexit 0\n$`,
)

/** Returns the agent that a file written by `enable` serves; `undefined` for any other file. */
export function ownHookAgent(text: string): string | undefined {
  const lines = text.replaceAll('\r\n', '\n')
  return [byClient, byName, onWindows].map((form) => form.exec(lines)?.[1]).find((agent) => agent !== undefined)
}

/** Upper bound on the size of a file written by `enable`: paths of a thousand characters, several times over. */
export const ownHookBytesMax = 32 * 1024

/** Suffix that `enable` appends to a command, so that the action is refused even if the program is missing. */
export const orExit = ' || exit 2'
/** Does the same for a command that runs a file, and says what to do if that is gone. Both are words of a shell. */
export const orRefuse = (file: string, gone: string): string => ` || { [ -e ${file} ] || echo ${gone} >&2; exit 2; }`
const orRefuseForm = new RegExp(String.raw` \|\| (?:exit 2|\{ \[ -e ${word} \] \|\| echo ${word} >&2; exit 2; \})$`)

/**
 * Prefix that `enable` puts before a command that runs a file, for events that a missing file must not refuse. Some
 * shells exit with 2 for a missing file, and an agent kept from ending its turn by that would run on for ever.
 */
export const unlessGone = (file: string): string => `[ ! -e ${file} ] || `
const unlessGoneForm = /^\[ ! -e (?:[\w@%+=:,./-]|'[^']*'|\\')+ \] \|\| /

/** Removes the prefix and suffix that `enable` adds to a command. */
export const bareCommand = (command: string): string => command.replace(unlessGoneForm, '').replace(orRefuseForm, '')

/**
 * Matches a single command `hookgate run …`, with any path, through `npx`, or after `exec`. Nothing in it may run
 * anything else: no second line, no operator, no substitution, no redirection.
 */
const launch =
  /^(?:exec[ \t]+)?(?:npx[ \t]+(?:-[\w-]+[ \t]+)*)?["']?(?:[^\s"';&|`<>()]*[/\\])?hookgate(?:\.cmd)?["']?[ \t]+run(?:[ \t][^\n;&|$`<>()]*)?$/

/** Checks whether a command only calls hookgate, as in hooks that were set up by hand. */
export const isLaunch = (command: string): boolean => launch.test(command.trim().replace(orRefuseForm, ''))

/** Returns the commands of a script on one line, without comments and shell options. */
export function commandsIn(script: string): string {
  return script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/^set(?:[ \t]+(?:[-+]\w+|pipefail))+$/.test(line))
    .join('; ')
}
