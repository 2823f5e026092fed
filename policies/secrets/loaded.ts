import { codePrintsEnvironment, codeShows, type ShellCommand } from 'hookgate/policy'

/** A variable of the environment that code sets. */
const sets =
  /\bprocess\.env\[[^=;\n]+?\]\s*(?:\?\?|\|\|)?=(?!=)|\bObject\.assign\(\s*process\.env\b|\bos\.environ(?:\[[^=;\n]+?\]\s*=(?!=)|\.(?:update|setdefault)\s*\()|\bos\.putenv\(|\bENV\[[^=;\n]+?\]\s*(?:\|\|)?=(?!=)|\bENV\.(?:update|merge!|store)\b|\bputenv\(|\$_ENV\[[^=;\n]+?\]\s*=|\$ENV\{[^}]+\}\s*=|\bDeno\.env\.set\(/
const file = /\.env\b/
/** Calls that show, send or keep a value, with the rest of their statement. */
const gives = () =>
  /\b(?:console\.\w+|print\w*|puts|pp?|pprint|echo|var_dump|export|dump\w*|write\w*|append\w*|stdout\.\w+|stderr\.\w+|log\w*|logger\.\w+|send\w*|post|put|fetch|request\w*|urlopen|exec\w*|spawn\w*|system|popen|run|die|throw|raise|exit)\b([^;\n]*)/g
const names = () => /[A-Za-z_$][\w$]*/g
/** Words that are no variable of the code. */
const language = /^(?:const|let|var|my|our|for|in|of|with|as|open|if|not|and|or|await|lambda|require|import)$/

/** The environment itself: what it holds is shown by its own means. */
const environment = () => /\b(?:process\.env|os\.environ|Deno\.env|import\.meta\.env)\b|\bENV\b/g

/** Statements that bind names: what is bound, and what to. */
const bindings = [
  /(?:\b(?:const|let|var|my|our)\b|^)\s*([^=;()]{1,80}?)\s*=(?![=>~])([^;\n]*)/,
  /\bfor\b[\s(]*(?:const|let|var|my)?\s*([\w$,\s[\]]+?)\s+(?:in|of)\s+([^\n]*)/,
]

/** Returns the names in code that hold something of a file of variables. */
function holdersIn(code: string): ReadonlySet<string> {
  const holders = new Set<string>()
  const holds = (text: string) => file.test(text) || (text.match(names()) ?? []).some((name) => holders.has(name))
  const add = (text = '') => {
    for (const name of text.match(names()) ?? []) if (!language.test(name)) holders.add(name)
  }
  const statements = code.split(/[;\n]/).slice(0, statementsMax)
  // A name may be bound before what it is made of is known to hold something.
  for (let round = 0; round < 3; round++)
    for (const statement of statements) {
      for (const binding of bindings)
        for (const [, bound, to = ''] of statement.matchAll(new RegExp(binding.source, 'g'))) if (holds(to)) add(bound)
      if (!holds(statement)) continue
      for (const [, one] of statement.matchAll(/\bas\s+([\w$]+)/g)) add(one)
      for (const [, several, one] of statement.matchAll(/(?:\(([^()]*)\)|\b([\w$]+))\s*=>/g)) add(several ?? one)
      for (const [, several] of statement.matchAll(/\|([\w\s,]+)\|/g)) add(several)
      for (const [, several] of statement.matchAll(/\blambda\s+([\w\s,]+):/g)) add(several)
    }
  return holders
}
/** Nobody loads a file of variables by more. */
const statementsMax = 200

/** True if code takes a file of variables as its own environment, and hands none of it to anybody: dotenv by hand. */
export function loadsFile(command: ShellCommand): boolean {
  const { code, args } = command
  const text = code?.text ?? ''
  if (!sets.test(text) || !file.test(text) || text.length > charactersMax) return false
  if (args.some(({ value }) => /^-[a-z]*p[a-z]*$|^--print$/.test(value))) return false
  if (codePrintsEnvironment(command) || codeShows(command).length > 0) return false
  const own = text.replaceAll(environment(), '')
  const holders = holdersIn(own)
  return [...own.matchAll(gives())].every(
    ([whole, rest = '']) =>
      !(rest.match(names()) ?? []).some((name) => holders.has(name)) && !/\.env\b['"]/.test(whole),
  )
}
const charactersMax = 8000
