import { hasShellTrait } from '../model/shell-traits.ts'
import {
  type ShellAssignment,
  type ShellCommand,
  type ShellFacts,
  type ShellWord,
  type TouchedPath,
} from '../model/shell.ts'
import { lineOf } from './options.ts'

/** One start of a program that may reach outside of the workspace. */
export interface Call {
  /** Its name without what only says how it is started: `kafka-topics` for `kafka-topics.sh`. */
  readonly program: string
  readonly args: readonly ShellWord[]
  readonly command: ShellCommand
  /** The command's index. */
  readonly at: number
  /** The variables that the text gives it, its own assignments last. */
  readonly environment: readonly ShellAssignment[]
}

/** A program and its arguments, before it is known what surrounds them. */
type Started = Pick<Call, 'program' | 'args'>

/** Packages that are started by their own names (`npx firebase-tools`) and have programs of another. */
const programOfPackage: Readonly<Record<string, string>> = {
  'firebase-tools': 'firebase',
  'netlify-cli': 'netlify',
  'aws-cdk': 'cdk',
  'eas-cli': 'eas',
  'sequelize-cli': 'sequelize',
  'contentful-cli': 'contentful',
  'appwrite-cli': 'appwrite',
  'hasura-cli': 'hasura',
  'twilio-cli': 'twilio',
  'vercel-cli': 'vercel',
  'knex-cli': 'knex',
  'prisma-cli': 'prisma',
  'heroku-cli': 'heroku',
  '@railway/cli': 'railway',
  '@sentry/cli': 'sentry-cli',
  '@shopify/cli': 'shopify',
  '@aws-amplify/cli': 'amplify',
  '@cloudflare/wrangler': 'wrangler',
  '@sanity/cli': 'sanity',
  '@datadog/datadog-ci': 'datadog-ci',
  '@launchdarkly/ldcli': 'ldcli',
  '@mikro-orm/cli': 'mikro-orm',
  '@pulumi/pulumi': 'pulumi',
  '@azure/static-web-apps-cli': 'swa',
  '@salesforce/cli': 'sf',
  '@google/clasp': 'clasp',
  '@planetscale/cli': 'pscale',
  '@infisical/cli': 'infisical',
  '@bitwarden/cli': 'bw',
  '@angular/cli': 'ng',
}

/** Java's options that take the next word. */
const javaValued = /^(?:-cp|-classpath|--class-path|-p|--module-path|--add-modules)$/

/** Returns a name without the version behind it: `jenkins-cli` for `jenkins-cli-2.4`. */
function withoutVersion(name: string): string {
  let start = name.length
  while (start > 0 && /[\w.-]/.test(name.charAt(start - 1))) start -= 1
  const at = name.slice(start).search(/-\d/)
  return at === -1 ? name : name.slice(0, start + at)
}

/** A name without its ending and its version: `jenkins-cli` for `jenkins-cli-2.4.jar`, `wrangler` for `wrangler@3`. */
function plain(written: string): string {
  const name = written.toLowerCase().replace(/(?<=.)@[^/]*$/, '')
  if (Object.hasOwn(programOfPackage, name)) return programOfPackage[name] ?? name
  const last = name.slice(name.lastIndexOf('/') + 1)
  // Most names have neither an ending nor a version.
  if (!/[\d.]/.test(last)) return last
  return withoutVersion(last.replace(/\.(?:sh|bat|cmd|exe|py|rb|phar|jar|ps1)$/, '')).replace(
    /^(python|php|ruby|perl|pypy)\d[\d.]*$/,
    '$1',
  )
}

/** `java -jar jenkins-cli.jar …` is `jenkins-cli …`. */
function inJar(command: ShellCommand): Started | undefined {
  for (let at = 0; at < command.args.length; at++) {
    const text = command.args[at]?.value ?? ''
    if (text === '-jar') {
      const jar = command.args[at + 1]?.value.replaceAll('\\', '/') ?? ''
      return { program: plain(jar), args: command.args.slice(at + 2) }
    }
    if (javaValued.test(text)) at += 1
    else if (!text.startsWith('-')) return undefined
  }
  return undefined
}

/** Finds a program started by a runner that the facts don't unwrap: `yarn prisma …`, `python -m alembic …`. */
function startedBy(command: ShellCommand): Started | undefined {
  if (hasShellTrait(command, 'runsJars')) return inJar(command)
  const [first, second] = command.args
  if (hasShellTrait(command, 'runsModules') && first?.value === '-m' && second !== undefined) {
    return { program: plain(second.value), args: command.args.slice(2) }
  }
  const binary = /\/\.bin\/([\w.-]+)$/.exec(first?.value ?? '')?.[1]
  if (hasShellTrait(command, 'runsJavascript') && binary !== undefined) {
    return { program: plain(binary), args: command.args.slice(1) }
  }
  if (hasShellTrait(command, 'startsTools') && first !== undefined && !first.value.startsWith('-')) {
    return { program: plain(first.value), args: command.args.slice(1) }
  }
  return undefined
}

/** Returns the variables that the text gives a command: those exported before it or around it, then its own. */
const environmentOf = ({ exported = [], assignments }: ShellCommand): readonly ShellAssignment[] =>
  exported.length === 0 ? assignments : [...exported, ...assignments]

/** Returns every program that would be started, under its canonical name. */
export function callsIn(shell: ShellFacts): readonly Call[] {
  const starters = new Set(shell.commands.map(({ startedBy: starter }) => starter))
  return shell.commands.flatMap((command, at) => {
    const environment = environmentOf(command)
    const own = { program: plain(command.written?.value ?? command.program), args: command.args }
    const started = starters.has(at) ? undefined : startedBy(command)
    const call = ({ program, args }: Started): Call => ({ program, args, command, at, environment })
    return started === undefined ? [call(own)] : [call(own), call(started)]
  })
}

/** More of a place's name is not said, in UTF-16 units. */
const nameCharactersMax = 40

/**
 * Returns where a command runs that does not run here, in words: "on `web1`", "in container `db`"; `undefined` for a
 * command of this machine, and for one in another root of it.
 */
export function elsewhereOf(command: ShellCommand | undefined, { commands }: ShellFacts): string | undefined {
  if (command?.elsewhere !== true) return undefined
  let first = command
  let starter = commandAt(commands, first.startedBy)
  // Of several machines and containers, one in the other, the outermost is the one that the call names itself.
  while (starter?.elsewhere === true) {
    first = starter
    starter = commandAt(commands, first.startedBy)
  }
  const name = starter === undefined ? undefined : nameOf(starter, first)
  if (first.container === undefined) {
    if (command.container !== undefined) return `in a container on ${name ?? 'another machine'}`
    return command.view === undefined ? `on ${name ?? 'another machine'}` : undefined
  }
  if (name === undefined) return 'in a container'
  return /\brun$/.test(starter?.line?.subcommand ?? '') ? `in a container of ${name}` : `in container ${name}`
}

/** Adds to the name of a path where that is, if its command runs elsewhere: "/etc in container `db`". */
export function placedName(name: string, path: TouchedPath, command: ShellCommand, shell: ShellFacts): string {
  const place = path.bound === true ? undefined : elsewhereOf(command, shell)
  return place === undefined ? name : `${name} ${place}`
}

const commandAt = (commands: ShellFacts['commands'], at: number | undefined) =>
  at === undefined ? undefined : commands[at]

/**
 * Returns what a starter calls the machine or the container: its first operand, or that behind its verb for it, unless it
 * is already what is started there.
 */
function nameOf(starter: ShellCommand, first: ShellCommand): string | undefined {
  const all = lineOf(starter)?.operands ?? []
  const end = all.findIndex(({ value }) => value === first.written?.value)
  const operands = end === -1 ? all : all.slice(0, end)
  const word = operands[operands.findIndex(({ value }) => /^(?:ssh|exec|shell)$/.test(value)) + 1]
  if (word === undefined || word.unresolved === true || word.several === true) return undefined
  const name = word.value.replace(/^ssh:\/\//, '').replace(/^[^@/]*@/, '')
  // A text that a shell runs there is no name.
  return /^[^\s'"=;|&$]+$/.test(name) ? `\`${name.slice(0, nameCharactersMax)}\`` : undefined
}
