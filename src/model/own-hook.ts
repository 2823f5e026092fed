/**
 * What the files look like that `hookgate enable` writes for agents whose hooks are files.
 *
 * INVARIANT: whatever has this form does nothing but ask hookgate, by one command, and say what is to be said where that
 * fails. So it can be left out of the hooks that hookgate runs, which would otherwise ask itself without end, and be taken
 * away without a look at anything else.
 */
/** What a shell takes as it is, or in quotes, or as the content of a variable and nothing more. */
const word = String.raw`(?:[\w@%+=:,./-]|'[^'\n]*'|\\'|"\$(?:\w+|\{\w+:-\d+\})")+`
const saying = String.raw`echo ${word}\necho ${word} >&2\nexit \d`
const head = String.raw`#![^\n]+\n# hookgate [^\n]+\n# Written by ${'`'}hookgate enable ([\w-]+)[^\n]*\n`

/** Asked by a client of this machine. */
const byClient = new RegExp(
  String.raw`^${head}HOOKGATE_HOME=${word}(?: ${word})+\ncode=\$\?\ncase \$code in\n(?:  \d+\) exit \d ;;\n){3}(?:  \d+\)\n${saying}\n    ;;\n){1,3}esac\n${saying}\n$`,
)
/** Asked by whatever hookgate there is: for files that are shared, and for systems without a client. */
const byName = new RegExp(
  String.raw`^${head}if answer=\$\(${word}(?: ${word})+\) && \[ -n "\$answer" \]; then\n  printf '%s\\n' "\$answer"\n  exit 0\nfi\n${saying}\n$`,
)
const onWindows = new RegExp(
  String.raw`^# hookgate [^\n]+\n# Written by ${'`'}hookgate enable ([\w-]+)[^\n]*\n& ${word}(?: ${word})+\nif \(\$LASTEXITCODE -eq 0\) \{ exit 0 \}\n${word}\nexit 0\n$`,
)

/** The agent that such a file asks for; `undefined` for any other file. */
export function ownHookAgent(text: string): string | undefined {
  const lines = text.replaceAll('\r\n', '\n')
  return [byClient, byName, onWindows].map((form) => form.exec(lines)?.[1]).find((agent) => agent !== undefined)
}

/** The most that such a file has: paths of a thousand characters, several times over. */
export const ownHookBytesMax = 32 * 1024

/** What `enable` puts behind a command, so that an agent is refused too where there is nothing to start. */
export const orRefuse = ' || exit 2'

/**
 * What `enable` puts ahead of a command that runs a file, where nothing is to be refused for want of it: some shells leave
 * with 2 for a file that is gone, and an agent that is kept from ending its turn for that would run on for ever.
 */
export const unlessGone = (file: string): string => `[ ! -e ${file} ] || `
const unlessGoneForm = /^\[ ! -e (?:[\w@%+=:,./-]|'[^']*'|\\')+ \] \|\| /

/** The command alone, without what `enable` puts around it. */
export const bareCommand = (command: string): string => {
  const behind = command.replace(unlessGoneForm, '')
  return behind.endsWith(orRefuse) ? behind.slice(0, -orRefuse.length) : behind
}

/**
 * One command and nothing else: `hookgate run …`, by whatever path, as `npx hookgate run`, behind `exec`. Nothing in it may
 * run anything else: no second line, no operator but that one, no substitution, no redirection.
 */
const launch =
  /^(?:exec[ \t]+)?(?:npx[ \t]+(?:-[\w-]+[ \t]+)*)?["']?(?:[^\s"';&|`<>()]*[/\\])?hookgate(?:\.cmd)?["']?[ \t]+run(?:[ \t][^\n;&|$`<>()]*)?$/

/** Whether a command does nothing but ask hookgate, as a person sets it up who does so by hand. */
export const isLaunch = (command: string): boolean => launch.test(command.trim().replace(/ \|\| exit 2$/, ''))

/** What a script does, without its comments and shell options. */
export function commandsIn(script: string): string {
  return script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/^set(?:[ \t]+(?:[-+]\w+|pipefail))+$/.test(line))
    .join('; ')
}
