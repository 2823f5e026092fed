import type { ShellCommand } from 'hookgate/policy'

const isDescriptor = (word: string) => /^\/(?:dev\/fd|proc\/(?:self|thread-self|\d+)\/fd)\//.test(word)

/** Ways in which code reads stdin, and runs a text. */
const readsStdin =
  /\bstdin\b|\breadFileSync\(\s*(?:0|['"]\/dev\/stdin)|\bARGF\b|\$<|<>|\bgets\b|\binput\s*\(|php:\/\/stdin|\bio\.read\b/i
const runs =
  /(?<![.\w])(?:exec|eval|load|loadstring|system|passthru|shell_exec|Function)\b\s*[(<\s]|\bos\.(?:system|popen)\b|\b(?:execSync|instance_eval|runInThisContext)\b/
/** Variables that name a file which a shell or an interpreter runs first, or a library that every program loads. */
const runFirst = /^(?:BASH_ENV|ENV|PYTHONSTARTUP|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/

/** True for an uncertainty about a text that is run. */
export const isTextRun = (what: string) => what.startsWith('the text that')

/** True if a command's code runs what it reads, or a variable names what it gets. Programs that do so are known to the facts. */
export function runsWhatItGets({ assignments, code, uncertain }: ShellCommand, onStdin: boolean): boolean {
  if (!onStdin) return assignments.some(({ name, value }) => runFirst.test(name) && isDescriptor(value.value))
  // All of a line is what it is to start: `parallel`.
  if (uncertain.some(isTextRun)) return true
  if (code?.text === undefined) return false
  if (readsStdin.test(code.text) && (code.does.includes('evaluates') || runs.test(code.text))) return true
  // awk that makes commands of its input.
  return code.language === 'awk' && /\bsystem\s*\([^"]*\$|\$\d\s*\|\s*getline/.test(code.text)
}
