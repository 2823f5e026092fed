import { type Refusal, refused } from '../../model/problem.ts'
import { quoted } from '../../model/text.ts'

/** Refuses the pattern of a permission rule that no command can match, since it is written in another language. */
export function unmatchableCommand(text: string, tool: string, pattern: string): Refusal | undefined {
  const [program = '', first = ''] = pattern.trim().split(/\s+/)
  const written = program === '[' || program === '[[' ? [] : takesSubcommand.has(program) ? [program, first] : [program]
  const names = written.map((name) => name.replaceAll(variable, ''))
  if (hasAlternatives.test(names.join(' ')) || isListed.test(`${pattern.trim()} `)) {
    const [one = ''] = /[\w.-]+/.exec(pattern) ?? []
    const remedy = `write a rule for each command, such as \`${tool}(${one} *)\``
    return refused(`${quoted(text)} never matches: it names several commands`, remedy)
  }
  if (!names.some((name) => notInNames.test(name)) && (takesExpression.test(program) || !isExpression.test(pattern)))
    return undefined
  const words = pattern.match(/[A-Za-z][\w.-]*/g) ?? ['git']
  const remedy = `write \`${tool}(${words.slice(0, 2).join(' ')} *)\`, in which \`*\` is any text`
  return refused(`${quoted(text)} never matches: a permission rule is no regular expression`, remedy)
}

/** `rm|mv`, `(push|pull)`, `{delete,drain}`. */
const hasAlternatives = /\w[)}]?\|\(?\w|\{[^{}]*,/
/** Expansions, which a rule may write as the command does. */
const variable = /\$(?:\{\w+\}|\w+|\()/g
/** `git push, git pull`. */
const isListed = /^(\S+) .*, \1 /
/** Signs that stand in no name of a program or subcommand. `g++` is one. */
const notInNames = /[\^(){}?|$\]]|^!/
/** `/^git push/i`, `git\s+push`, `\brm\b`. */
const isExpression = /^\/(?=[^/]*[ .*+\\[])[^/]*\/[gimsuy]*$|\\[sdwb](?:[+*?{]|$)|^\\b/

/** Programs that are given regular expressions: there, one is what the command has. */
const takesExpression = /^(?:[efp]?grep|rg|ag|ack|sed|awk|gawk|perl|find|fd)$/

/** Refuses a pattern of a permission list that is about more than one command, or about redirections. */
export function unmatchableLine(text: string, tool: string, pattern: string): Refusal | undefined {
  if (/ (?:&&|\|\|?|;) |; | &$|&&|\n|\*(?:\|\|?|;)\s*\w/.test(pattern.trim()))
    return refused(`${quoted(text)} never matches: each command of a line is judged by itself`, 'write a rule for each')
  const found = redirection.exec(pattern)
  if (found === null) return undefined
  const [whole, sign = ''] = found
  const command = pattern.slice(0, found.index)
  const target = pattern.slice(found.index + whole.length).trimStart()
  // Between quotes, it is a word's.
  if (/^[^'"]*(['"])(?:(?!\1).)*$/.test(command)) return undefined
  const file = target.split(/\s/)[0] ?? ''
  const rule = sign.startsWith('<') ? `Read(${file})` : `Edit(${file})`
  const remedy = /^&?\d*-?$/.test(file)
    ? `write \`${tool}(${command.trim()})\``
    : `write \`${rule}\`, which is also about shell commands`
  return refused(`${quoted(text)} says nothing of redirections`, remedy)
}

/** A sign of redirection behind a blank or a star: elsewhere it is part of a word, as in `awk $1>5`. */
const redirection = /(?:(?<=\*)|\s)(?:\d|&)?(>>?|<<?<?)/

/** Refuses the pattern of a rule for files that no path can match. */
export function unmatchablePath(text: string, tool: string, pattern: string): Refusal | undefined {
  if (!/^\^|\||\(\?|\\[sdw]|\.[*+].*\\\.|\\\.\w*\$\/?$/.test(pattern)) return undefined
  const remedy = `write \`${tool}(*.env)\` or \`${tool}(/src/**)\`, as in \`.gitignore\``
  return refused(`${quoted(text)} never matches: a permission rule is no regular expression`, remedy)
}

/** Programs whose first word says what they do. That of any other is a file, a pattern or a host: `rm build *`. */
export const takesSubcommand: ReadonlySet<string> = new Set(
  (
    'apt aws az brew bun bundle cargo composer conda deno docker dotnet flutter gcloud gh git glab go helm kubectl mix ' +
    'npm nx pip pip3 pnpm podman poetry rustup swift systemctl terraform turbo uv yarn'
  ).split(' '),
)
