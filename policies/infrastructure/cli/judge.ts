import { ask, deny, type PolicyAnswer, type ShellFacts } from 'hookgate/policy'
import { type Call, callsIn } from './calls.ts'
import { type Line, lineIn, type LineRules } from './line.ts'
import { isTrial, likeness, type Pattern } from './pattern.ts'
import { destroyingWords, type VerbRules } from './verb.ts'

/** The dangerous commands of one program. */
export interface Cli extends LineRules, VerbRules {
  /** Commands that are refused: what they take away does not come back. */
  readonly deny?: readonly Pattern[]
  /** Commands that the person is asked about. */
  readonly ask?: readonly Pattern[]
  /** Commands that look like a danger by their verb, and are none. */
  readonly harmless?: readonly Pattern[]
  /** The effect for commands that no pattern names and whose verb destroys: `gcloud compute instances delete`. */
  readonly byVerb?: 'deny' | 'ask'
  /** Options besides `trials` that make a command a trial. */
  readonly trials?: string
  /** The first word is a file or task name, so an unknown one is no reason to ask. */
  readonly runsAnything?: boolean
  /** `-h` does not request help: a host, a halt. */
  readonly hIsNoHelp?: boolean
}

/** By the program's name. */
export type CliTable = Readonly<Record<string, Cli>>

/** The wording of a policy's reasons. */
export interface Words {
  /** What such a command does: "deletes what the cluster runs". */
  readonly harm: string
  /** The advice for the agent. */
  readonly instead: string
}

/** Params that every rule with a table has. */
export const params = {
  allowed: {
    type: 'strings',
    default: [],
    description:
      'commands to allow, by their first words without options: `docker system prune`; MCP tools by `mcp__server__tool`',
  },
  answer: {
    type: 'string',
    default: 'rated',
    oneOf: ['rated', 'deny', 'ask'],
    description: "the answer to every danger: `deny`, `ask`, or `rated` for each danger's own rating",
  },
} as const

/** A param of policies on databases. */
export const allowLocal = {
  type: 'boolean',
  default: false,
  description: 'whether databases and servers on this machine may be changed if the command names their host',
} as const

/** A param of policies on what is production. */
export const targets = {
  type: 'strings',
  default: ['production', 'prod', 'prd', 'live', 'mainnet'],
  description: 'words that mean production, in lower case; the list replaces the whole default',
} as const

export interface Params {
  readonly allowed: readonly string[]
  readonly answer: 'rated' | 'deny' | 'ask'
}

/** A danger, and the words of the command that say so. */
export interface Danger {
  readonly effect: 'deny' | 'ask'
  readonly words: string
  /** Set if it is dangerous only for some values of unknown words. */
  readonly maybe?: true
}

const trials = 'help dry-run dryrun dry_run what-if whatif generate-cli-skeleton'

const named = (pattern: Pattern, line: Line) => {
  const count = pattern.split(' ').filter((part) => !/^!?-/.test(part)).length
  const options = pattern.split(' ').flatMap((part) => (part.startsWith('-') ? givenOf(part, line) : []))
  return [...line.words.slice(0, count).map((word) => (word.unknown ? '…' : word.text)), ...options].join(' ')
}

/** Of the options that a pattern has any of, the one that is given. */
function givenOf(part: string, line: Line): readonly string[] {
  const alternatives = part.split('|')
  const given = alternatives.find((one) => line.options.has(one.replace(/[=~].*/, '').replace(/^-+/, '')))
  return [(given ?? alternatives[0] ?? part).replace(/~.*/, '')]
}

const trialOf = (cli: Cli, line: Line) =>
  isTrial(line, `${trials} ${cli.hIsNoHelp === true ? '' : 'h'} ${cli.trials ?? ''}`.replace(/ +/g, ' ').trim())

/** Returns the danger of a command line, by its program's patterns. */
export function dangerOf(cli: Cli, line: Line): Danger | undefined {
  if (cli.harmless?.some((pattern) => likeness(pattern, line, true) === 'yes')) return undefined
  const isAnything = cli.runsAnything === true && line.words[0]?.unknown === true
  let maybe: Danger | undefined
  for (const effect of ['deny', 'ask'] as const) {
    for (const pattern of cli[effect] ?? []) {
      const like = likeness(pattern, line)
      if (like === 'no') continue
      // Only now, since most command lines are like no pattern.
      const trial = trialOf(cli, line)
      if (trial === 'yes') return undefined
      if (like === 'yes' && trial === 'no') return { effect, words: named(pattern, line) }
      if (!isAnything) maybe ??= { effect: 'ask', words: named(pattern, line), maybe: true }
    }
  }
  const words = cli.byVerb === undefined ? undefined : destroyingWords(line, cli)
  if (words === undefined || cli.byVerb === undefined) return maybe
  const trial = trialOf(cli, line)
  if (trial === 'yes') return undefined
  return trial === 'no' ? { effect: cli.byVerb, words } : { effect: 'ask', words, maybe: true }
}

/** True if the rules file allows a command by its first words. */
export function isAllowed(call: Call, allowed: readonly string[], read?: Line): boolean {
  if (allowed.length === 0) return false
  const line = read ?? lineIn(call, {})
  const written = [call.program, ...line.words.map((word) => word.text)].join(' ')
  return allowed.some((one) => one !== '' && `${written} `.startsWith(`${one} `))
}

/** The answer to a danger, in the words of its rule. */
export function answerTo(
  danger: Danger,
  { program, at }: Pick<Call, 'program'> & Partial<Pick<Call, 'at'>>,
  given: Params,
  words: Words,
): PolicyAnswer {
  const shown = `\`${`${program} ${danger.words}`.trim()}\``
  const reason =
    danger.maybe === true
      ? `${shown} may be a command that ${words.harm}, which is only known when it runs: ${words.instead}`
      : `${shown} ${words.harm}: ${words.instead}`
  const effect = given.answer === 'rated' || danger.maybe === true ? danger.effect : given.answer
  return effect === 'deny' ? deny(reason, { at }) : ask(reason, { at })
}

/** Returns the first refusal, or else the first question. */
export const strictest = (answers: readonly PolicyAnswer[]): PolicyAnswer | undefined =>
  answers.find((one) => 'effect' in one && one.effect === 'deny') ?? answers[0]

/** Holds every command against a table. The first refusal is the answer, or else the first question. */
export function judge(
  shell: ShellFacts,
  table: CliTable,
  given: Params,
  words: Words | ((danger: Danger) => Words),
  isSpared: (line: Line, call: Call) => boolean = () => false,
): PolicyAnswer | undefined {
  let question: PolicyAnswer | undefined
  for (const call of callsIn(shell)) {
    const cli = Object.hasOwn(table, call.program) ? table[call.program] : undefined
    if (cli === undefined) continue
    const line = lineIn(call, cli)
    const danger = dangerOf(cli, line)
    if (danger === undefined || isAllowed(call, given.allowed, line) || isSpared(line, call)) continue
    const answer = answerTo(danger, call, given, typeof words === 'function' ? words(danger) : words)
    if ('effect' in answer && answer.effect === 'deny') return answer
    question ??= answer
  }
  return question
}
