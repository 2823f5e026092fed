import { printable } from '../../model/text.ts'
import type { InstallContext } from '../../install/index.ts'
import type { PlannedImport } from '../../install/import-rules.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, printed } from '../command.ts'
import { consentTo, needsYes, undoText } from '../consent.ts'
import { agentNamed, installContextFor, choiceIn, parseFlags } from '../args/flags.ts'

export const importCommand: Command = {
  help: `hookgate import: write an agent's own permission rules and hooks into hookgate's hooks.json

  hookgate import claude-code|cline|gemini-cli|codex [--scope user|project] [--dry-run] [--yes]

What it reads, and never changes:

  claude-code      permissions and hooks of .claude/settings.json; of a project, of settings.local.json as well
  cline            CLINE_COMMAND_PERMISSIONS; of a project, .clineignore. hookgate runs Cline's hooks where they are
  gemini-cli       tools.allowed, tools.exclude and hooks of .gemini/settings.json, and .gemini/policies/*.toml
  codex            .codex/rules/*.rules and .codex/hooks.json

They are added to ~/.config/hookgate/hooks.json or, of a project, to .hookgate/hooks.json, where they hold for every
agent; a project's hooks and \`allow\` count after \`hookgate trust\`. It shows the change first, and whatever cannot be
translated, with the reason. On a terminal it asks before it writes. Running it again changes nothing. An agent goes on
to run its own hooks: remove them there, or they run twice.

  --scope WHICH    \`user\` (default) or \`project\`: whose settings are read, and which hooks.json is written
  --dry-run        show the change, and change nothing; \`--diff\` is the same
  --yes            write without asking
  --json           the rules, the change and what was left out, as JSON

  hookgate import claude-code --dry-run
`,
  async run({ argv, env, cwd, ask }: Invocation): Promise<CommandOutput> {
    const { values, positionals } = parseFlags('import', argv, flags, true)
    const agent = agentNamed('import', undefined, positionals)
    const scope = choiceIn('import', 'scope', values.scope, ['user', 'project']) ?? 'user'
    const context: InstallContext = { ...installContextFor({ env, cwd }), scope }
    // Loaded late: deciding an event does not need it.
    const { planImport } = await import('../../install/import-rules.ts')
    const planned = planImport(agent, context)
    const isDry = values['dry-run'] === true || values.diff === true
    const isNew = planned.diff !== '' && !isDry
    const { yes } = values
    const asks = isNew && yes !== true && ask !== undefined
    const shown = showPlan(planned)
    const isWritten = isNew && (await consentTo({ ask, yes, shown, question: 'write this? [y/N]' })) === true
    const copy = isWritten ? planned.write() : undefined
    if (values.json === true) return printed(jsonText(jsonOf(planned, isWritten), 2))
    const stdout = `${asks ? '' : shown}${endingText(planned, isWritten, copy)}`
    return isNew && !isWritten && !asks ? { stdout, stderr: needsYes(`import ${agent}`), exitCode: 1 } : printed(stdout)
  },
}

const flags = {
  scope: { type: 'string' },
  'dry-run': { type: 'boolean' },
  diff: { type: 'boolean' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

function showPlan({ diff, untranslated }: PlannedImport): string {
  const left = untranslated.map(({ from, what, why }) => `  ${from}: ${what}\n    ${why}\n`)
  return printable(`${diff}${left.length === 0 ? '' : `not translated:\n${left.join('')}`}`)
}

function endingText({ file, diff, permissions, hooks }: PlannedImport, isWritten: boolean, copy?: string): string {
  const kept = copy === undefined ? '' : `the old one is kept in ${copy}\n`
  if (isWritten)
    return printable(`wrote ${file}; \`hookgate check\` finds mistakes in it\n${kept}${undoText(file, copy)}`)
  if (diff !== '') return 'nothing was changed\n'
  return permissions.length + hooks.length === 0
    ? 'there is nothing to import\n'
    : printable(`${file} has all of it already\n`)
}

const jsonOf = ({ file, permissions, hooks, untranslated, diff }: PlannedImport, isWritten: boolean) => ({
  file,
  written: isWritten,
  permissions: permissions.map(({ effect, text, from }) => ({ effect, text, from })),
  hooks,
  untranslated: untranslated.map(({ from, what, why }) => ({ from, what, why })),
  diff,
})
