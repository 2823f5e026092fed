import { basename, dirname } from 'node:path'
import type { Place } from '../../model/errors.ts'
import { type CommandRule, isCommandRule, type Rule, type RuleSet } from '../../model/rule.ts'
import type { Problem } from '../../rules/index.ts'
import { hookFiles, presenceOf, scriptText, type Whereabouts } from './hook-files.ts'
import { neverProblems } from './never-problems.ts'
import { scriptProblems } from './script-problems.ts'

/** Finds problems in rules that load: in their commands, in their scripts, and gaps they leave. */
export function ruleProblems(
  { rules }: RuleSet,
  placeOf: (ruleId: string) => Place | undefined,
  { home, path }: { readonly home: string; readonly path: string | undefined },
): readonly Problem[] {
  const of = (rule: Rule) => placeOf(rule.id) ?? { file: rule.source.file }
  const commands = rules.filter(isCommandRule)
  return [
    ...commands.flatMap((rule) => commandProblems(rule, of(rule))),
    ...commands.flatMap((rule) => fileProblems(rule, of(rule), placesOf(rule, home))),
    ...scriptsOf(commands, home).flatMap(([file, used]) => textProblems(file, used)),
    ...rules.flatMap((rule) =>
      neverProblems(rule, path).map(({ message, remedy }) => warning(of(rule), message, remedy)),
    ),
    ...shellLeftOpen(rules, of),
  ]
}

const warning = (place: Place, message: string, remedy: string): Problem => ({
  severity: 'warning',
  place,
  message,
  remedy,
})

/**
 * Returns the known folders for a rule. A user's rule applies to every project, so its project is known only at run
 * time.
 */
function placesOf({ source }: Rule, home: string): Whereabouts {
  const { workspaceRoot, pluginRoot, scope, file } = source
  return { home, pluginRoot, projectRoot: workspaceRoot ?? (scope === 'explicit' ? projectOf(file) : undefined) }
}

/** Returns the project folder of a rules file: the parent of its `.hookgate`, else its own folder. */
function projectOf(file: string): string {
  const folder = dirname(file)
  return ['.hookgate', '.claude', '.cline'].includes(basename(folder)) ? dirname(folder) : folder
}

const variable = /\$\{?CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT)\}?/g

/**
 * Finds path variables with wrong quotes: unquoted, a path with a space is split; in single quotes it is not expanded.
 */
function commandProblems({ handler: { program } }: CommandRule, place: Place): readonly Problem[] {
  if (program.form !== 'shell') return []
  return [...program.command.matchAll(variable)].flatMap(({ 0: name, index }) => {
    switch (quoteAt(program.command, index)) {
      case '"':
        return []
      case "'":
        return [warning(place, `\`${name}\` is not expanded in single quotes`, 'use double quotes')]
      case undefined:
        return [warning(place, `\`${name}\` without quotes breaks if the path contains a space`, `write \`"${name}"\``)]
    }
  })
}

/** Returns the quote that is open at an offset of a shell command. */
function quoteAt(command: string, place: number): '"' | "'" | undefined {
  let open: '"' | "'" | undefined
  for (let at = 0; at < place; at += 1) {
    const character = command[at]
    if (character === '\\' && open !== "'") at += 1
    else if (character === open) open = undefined
    else if (open === undefined && (character === '"' || character === "'")) open = character
  }
  return open
}

function fileProblems(rule: CommandRule, place: Place, whereabouts: Whereabouts): readonly Problem[] {
  return hookFiles(rule.handler.program, whereabouts).flatMap(({ word, file, isProgram }) => {
    const presence = presenceOf(file)
    if (presence === 'absent')
      return [warning(place, `\`${word}\` does not exist`, 'fix the path, or create the script')]
    if (presence === 'hidden')
      return [warning(place, `\`${word}\` cannot be accessed`, 'fix its links and permissions')]
    if (!isProgram || presence === 'executable') return []
    return [warning(place, `\`${word}\` has no execute bit, so it cannot be started`, `run \`chmod +x ${file}\``)]
  })
}

/** Lists each script once, with every rule that uses it. */
function scriptsOf(rules: readonly CommandRule[], home: string) {
  const uses = rules.flatMap((rule) =>
    hookFiles(rule.handler.program, placesOf(rule, home)).map(({ file }) => ({ file, rule })),
  )
  return [...Map.groupBy(uses, ({ file }) => file)].map(([file, used]) => [file, used.map(({ rule }) => rule)] as const)
}

function textProblems(file: string, [first, ...others]: readonly CommandRule[]): readonly Problem[] {
  const text = scriptText(file)
  if (text === undefined || first === undefined) return []
  return scriptProblems(file, text, {
    dialect: first.handler.dialect,
    events: [first, ...others].map(({ match }) => match.spelled),
    onFailure: first.onFailure,
  })
}

const writing: ReadonlySet<string> = new Set([
  'Write',
  'Edit',
  'MultiEdit',
  'write',
  'edit',
  'write_to_file',
  'replace_in_file',
])
const shells: ReadonlySet<string> = new Set(['Bash', 'PowerShell', 'shell', 'execute_command', 'run_commands'])

/** Warns about guards of files that a shell command bypasses: `echo … > file` is not a Write. */
function shellLeftOpen(rules: readonly Rule[], placeOf: (rule: Rule) => Place): readonly Problem[] {
  const guards = rules.filter(({ match }) => match.events.includes('PreToolUse'))
  if (guards.some(hearsShell)) return []
  return guards
    .filter(guardsFiles)
    .slice(0, 1)
    .map((rule) =>
      warning(
        placeOf(rule),
        'it guards files against the tools that write them, but not against the shell, which can write them too',
        'match `shell` too, or add a rule that does',
      ),
    )
}

function hearsShell({ match: { matcher } }: Rule): boolean {
  switch (matcher.kind) {
    case 'any':
      return true
    case 'names':
      return matcher.names.some((name) => shells.has(name))
    case 'pattern':
      return [...shells].some((name) => matcher.pattern.test(name))
  }
}

function guardsFiles({ match: { matcher } }: Rule): boolean {
  return matcher.kind === 'names' && matcher.names.some((name) => writing.has(name))
}
