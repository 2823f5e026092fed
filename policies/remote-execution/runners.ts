import { setOf, type ShellCommand } from 'hookgate/policy'

/** Shells, and programs that can be made to run anything through their input. */
const shells =
  /^(?:ba|z|k|mk|lk|pdk|da|a|fi|c|tc|r|ya|o|x|hu|elvi)?sh$|^(?:nu|elvish|busybox|toybox|cmd|command\.com|powershell|pwsh|powershell_ise)$/
const interpreters =
  /^(?:python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|tclsh|expect|irb|ipython|guile|julia|rscript|groovy|jshell)[\d.]*$/

export const isShell = ({ program }: Pick<ShellCommand, 'program'>) => shells.test(program)
export const isInterpreter = ({ program }: Pick<ShellCommand, 'program'>) => interpreters.test(program)

/** Programs that run what they read, later or at once. */
const runsStdin = setOf([
  'osascript',
  'crontab',
  'at',
  'batch',
  'gdb',
  'lldb',
  'expect',
  'ed',
  'ex',
  'iex',
  'invoke-expression',
  'tclsh',
  'wish',
  'ghci',
  'sbcl',
  'guile',
  'octave',
])
const isDescriptor = (word: string) => /^\/(?:dev\/fd|proc\/(?:self|thread-self|\d+)\/fd)\//.test(word)

/** Ways in which code reads stdin, and runs a text. */
const readsStdin =
  /\bstdin\b|\breadFileSync\(\s*(?:0|['"]\/dev\/stdin)|\bARGF\b|\$<|<>|\bgets\b|\binput\s*\(|php:\/\/stdin|\bio\.read\b/i
const runs =
  /(?<![.\w])(?:exec|eval|load|loadstring|system|passthru|shell_exec|Function)\b\s*[(<\s]|\bos\.(?:system|popen)\b|\b(?:execSync|instance_eval|runInThisContext)\b/

/** True if a command that is no shell runs its input. */
export function runsWhatItGets(command: ShellCommand, onStdin: boolean): boolean {
  const { program, args, assignments, code } = command
  const words = args.map(({ value }) => value)
  if (onStdin) {
    if (program === 'crontab') return words.length === 0 || words.includes('-')
    // fish reads a script from stdin so.
    if (program === 'source') return words.length === 0 || words[0] === '-'
    // All of a line is what they are to start.
    if (program === 'parallel' || program === 'rush')
      return command.uncertain.some((what) => what.startsWith('the text that'))
    if (program === 'deno' || program === 'bun') return words.at(-1) === '-'
    if (program === 'make' || program === 'gmake')
      return /(?:^| )(?:-f ?|--file[ =]|--makefile[ =])-(?: |$)/.test(words.join(' '))
    if (runsStdin.has(program)) return !words.some((word) => /^(?:-l|--help|-e|-x)$/.test(word))
    if (
      code?.text !== undefined &&
      readsStdin.test(code.text) &&
      (code.does.includes('evaluates') || runs.test(code.text))
    ) {
      return true
    }
    // awk that makes commands of its input.
    return code?.language === 'awk' && /\bsystem\s*\([^"]*\$|\$\d\s*\|\s*getline/.test(code.text ?? '')
  }
  if (
    assignments.some(
      ({ name, value }) =>
        /^(?:BASH_ENV|ENV|PYTHONSTARTUP|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/.test(name) &&
        isDescriptor(value.value),
    )
  ) {
    return true
  }
  const at = words.findIndex(isDescriptor)
  const before = words[at - 1]
  if (at === -1) return false
  if (isShell(command)) return before === '--rcfile' || before === '--init-file'
  if (isInterpreter(command)) return words.slice(0, at).every((word) => word.startsWith('-') && !/^-[cem]$/.test(word))
  if (program === 'make' || program === 'gmake' || program === 'awk' || program === 'gawk') return before === '-f'
  return program === 'crontab' || program === 'osascript' || (program === 'vim' && before === '-S')
}
