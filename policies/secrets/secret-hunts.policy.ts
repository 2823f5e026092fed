import {
  abstains,
  ask,
  asks,
  definePolicy,
  type PolicyTool,
  setOf,
  type ShellCommand,
  type ShellFacts,
  type TouchedPath,
} from 'hookgate/policy'
import { textsIn } from './tool-input.ts'

const searchers = setOf(['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack', 'git', 'ugrep'])
/** Programs that search for keys and print them. */
const hunters = setOf(
  'trufflehog gitleaks detect-secrets noseyparker ripsecrets whispers ggshield kingfisher titus'.split(' '),
)
/** Programs that do nothing but collect keys and passwords of a machine, by their own name or as a script. */
const collectors = setOf(
  `linpeas winpeas linenum lazagne mimipenguin mimikatz pypykatz secretsdump gosecretsdump keychaindump chainbreaker
  firefox_decrypt hackbrowserdata sessiongopher`.split(/\s+/),
)
const isCollector = (word: string) =>
  collectors.has(
    word
      .slice(word.lastIndexOf('/') + 1)
      .toLowerCase()
      .replace(/\.(?:sh|py|exe|ps1|bat)$/, ''),
  )
const runsScripts = /^(?:(?:ba|z|da|k)?sh|python[\d.]*|perl|ruby|node|sudo|\.|source|chmod)$/
const collects = ({ program, args }: ShellCommand) =>
  isCollector(program) || (runsScripts.test(program) && args.some(({ value }) => isCollector(value)))

/** A pattern that finds secrets: how keys begin, and the names under which they stand. */
const shape =
  /\bA[KS]IA|BEGIN[^"']*PRIVATE|PRIVATE KEY|\bgh[pousr]_|github_pat_|\bglpat-|\bxox[[a-z]|\b[sr]k_live|\bsk-|\bAIza|\bnpm_|\bhf_|passw(?:or)?d|secret|\btoken|api[_.-]?key|credential/i
const wholeHome = /^(?:\/|\/root\/?|\/(?:home|Users)\/[^/]+\/?)$/
const wide = /^\/(?:home|root|users|etc|var|opt)?\/?$/i

/** True if a command goes through a whole home, the whole machine, or all that a repository ever held. */
function isWide({ program, args, paths }: ShellCommand): boolean {
  if (hunters.has(program) && args.some(({ value }) => wholeHome.test(value))) return true
  if (program === 'git') {
    const words = args.map(({ value }) => value)
    const isHistory = words.includes('log') && words.some((word) => /^(?:-p|-u|--patch|-[SG].*)$/.test(word))
    return (isHistory && words.includes('--all') && !words.includes('--')) || words.includes('rev-list')
  }
  const isDeep = program === 'find' || hunters.has(program)
  return paths.some((path) => isWideRead(isDeep ? { ...path, recursive: true } : path))
}

const isWideRead = ({ access, recursive, absolute = '', inHome }: TouchedPath) =>
  access === 'read' && recursive === true && (inHome === '' || wide.test(absolute))

/** True if nearly every line fits a regular expression: without its signs, at most one character is left. */
const fitsAll = (pattern: string) =>
  !pattern.includes('/') && pattern.replaceAll(/\\[a-z]|\[[^\]]*\]|\{[\d,]*\}|[.*+?^$()|]/gi, '').length < 2

/** Returns the patterns of a command that prints the lines that it finds. */
function patternsOf({ program, args, line }: ShellCommand): readonly string[] {
  if (!searchers.has(program) || program === 'git' || args.some(({ value }) => value === '--files')) return []
  const words = args.map(({ value }) => value)
  const given = words.filter((_, at) => /^(?:-e|--regexp)$/.test(words[at - 1] ?? ''))
  const first = line?.operands[0]
  return given.length > 0 || first === undefined ? given : [words[first] ?? '']
}

/** True if a search by a tool goes through a whole home or the whole machine, and looks for keys or prints all. */
const huntsByTool = ({ input }: PolicyTool, paths: readonly TouchedPath[]) =>
  paths.some(isWideRead) &&
  textsIn(input).some(
    ({ key, text }) => shape.test(text) || (/^(?:pattern|query|queries|regex|regexp)$/i.test(key) && fitsAll(text)),
  )

/** Returns a command that looks for keys in what a wide one gives it, or that is both. */
function hunterOf({ commands, flows }: ShellFacts, at: number): number | undefined {
  const next = [at, ...flows.flatMap(({ from, to }) => (from === at ? [to] : []))]
  const started = commands.flatMap(({ startedBy }, index) => (next.includes(startedBy ?? -1) ? [index] : []))
  return [...next, ...started].find((index) => {
    const { program, args } = commands[index] ?? { program: '', args: [] }
    if (hunters.has(program) || (searchers.has(program) && args.some(({ value }) => shape.test(value)))) return true
    const own = index === at ? commands[at] : undefined
    return own !== undefined && patternsOf(own).some(fitsAll)
  })
}

const reason = 'this searches for keys or passwords far beyond the project: name the file that you need'

export default definePolicy({
  id: 'secret-hunts',
  description: 'Asks before keys and passwords are searched for in a home, a machine or the whole of a history',
  severity: 'high',
  on: 'PreToolUse',
  tool: ['shell', 'search'],
  interest: { words: [...searchers.members, ...hunters.members, ...collectors.members] },
  decide({ tool, shell, paths }) {
    if (shell.commands.length === 0 && huntsByTool(tool, paths)) return ask(reason)
    for (const [at, command] of shell.commands.entries()) {
      if (collects(command)) return ask('this collects the keys and passwords of the whole machine', { at })
      const hunter = isWide(command) ? hunterOf(shell, at) : undefined
      if (hunter === undefined) continue
      return ask(reason, { at: hunter })
    }
    return undefined
  },
  examples: [
    asks('over a home', 'grep -rE "AKIA[0-9A-Z]{16}" ~'),
    abstains('in the project', 'grep -rn password src'),
    asks('in all of a history', 'git log -p --all -S AKIA'),
    abstains('in the history of a file', 'git log -p --all -S AKIA -- src/a.ts'),
    asks('by another program', 'find / -type f -exec grep -l "PRIVATE KEY" {} +'),
    abstains('for something else', 'grep -rn "keyboard" ~'),
    asks('in what a log prints', 'git log -p --all | grep -i api_key'),
    abstains('among titles', 'git log --oneline --all | grep -i password'),
    asks('by a program made for it', 'trufflehog filesystem ~'),
    abstains('by it, in the project', 'trufflehog filesystem .'),
    asks('by a script made for it', 'bash /tmp/linpeas.sh'),
    abstains('a text about such a script', 'cat docs/linpeas.sh'),
    abstains('only printed', 'echo grep -r AKIA ~'),
    asks('whatever it is', 'grep -r . ~'),
    abstains('names of files', 'rg --files ~'),
    asks('by a tool', { tool: 'search', input: { path: '/home/u', pattern: 'PRIVATE KEY' } }),
    asks('whatever it is, by a tool', { tool: 'search', input: { path: '~', pattern: '.*' } }),
    abstains('something else by a tool', { tool: 'search', input: { path: '~', pattern: 'useEffect' } }),
    abstains('by a tool, in the project', { tool: 'search', input: { path: 'src', pattern: 'password' } }),
  ],
})
