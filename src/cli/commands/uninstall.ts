import { titleOf } from '../../agents/registry.ts'
import { planUninstall, uninstall, type UninstallPlan } from '../../changes/uninstall.ts'
import { printable } from '../../model/text.ts'
import { installContextFor, parseFlags } from '../args/flags.ts'
import { type Command, printed } from '../command.ts'
import { consentTo, declined, needsYes } from '../consent.ts'

export const uninstallCommand: Command = {
  help: `hookgate uninstall: undo all that \`hookgate init\` and \`hookgate enable\` did for you

  hookgate uninstall [--rules] [--yes]

Shows what it would do, asks once, and then: has every agent of yours ask no longer, to the byte, as \`hookgate disable\`
does; removes the preset, unless you have changed that file since; stops the resident gate; and removes hookgate's own
folder with the record of all decisions. What an administrator has set stays, and so does what is registered in a
project, whose files are named, and, without --rules, what \`hookgate trust\` has pinned. The program itself is removed
with \`npm uninstall --global hookgate\`.

  --rules      also remove your own rules and policies, with all of ~/.config/hookgate; no copy is kept
  --yes        do it without asking
  --dry-run    show what would be done, and change nothing
  --diff       like --dry-run, but show the changes of settings as \`diff -u\` does

  hookgate uninstall --dry-run
`,
  async run(invocation) {
    const { values } = parseFlags('uninstall', invocation.argv, {
      rules: { type: 'boolean' },
      yes: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      diff: { type: 'boolean' },
    })
    const context = installContextFor(invocation)
    const plan = await planUninstall(context, values.rules === true)
    if (values.diff === true)
      return printed(printable(plan.done.flatMap(({ files }) => files.map(({ diff }) => diff)).join('')))
    const lines = planLines(plan)
    const others = plan.administered.map(administeredText)
    if (lines.length === 0)
      return printed(textOf(['there is nothing to undo: no agent of yours asks hookgate', ...others]))
    const shown = textOf(lines)
    if (values['dry-run'] === true) return printed(`${shown}nothing was changed\n`)
    const { yes } = values
    const consent = await consentTo({ ask: invocation.ask, yes, shown, question: 'undo all of it? [y/N]' })
    if (consent === undefined) return { stdout: shown, stderr: needsYes('uninstall'), exitCode: 1 }
    if (!consent) return declined
    const done = await uninstall(plan, context)
    // A file of rules that disabling the agents has kept is gone by now, with its folder.
    const kept = plan.rules === undefined ? new Set(done.flatMap(({ notes }) => notes)) : []
    const end =
      plan.projects.length > 0
        ? `${plan.state} is kept: the projects need it`
        : others.length > 0
          ? 'hookgate is undone for you: `hookgate init` protects your agents again'
          : 'hookgate is undone: `hookgate init` protects this machine again, `npm uninstall --global hookgate` removes the program'
    const said = textOf([...kept, end, ...others])
    return printed((values.yes === true ? shown : '') + said, plan.projects.length === 0 ? 0 : 1)
  },
}

/** An agent that an administrator's file has ask is refused every call once the program is gone. */
const administeredText = ({ agent, file }: UninstallPlan['administered'][number]) =>
  `${titleOf(agent)} still asks hookgate, by ${file}: before you remove the program, run \`hookgate disable --managed ${agent}\` as an administrator`

const textOf = (lines: readonly string[]) => lines.map((line) => `${printable(line)}\n`).join('')

function planLines({ agents, done, rulesFile, rules, state, projects }: UninstallPlan): readonly string[] {
  return [
    ...agents.map((agent, at) => {
      const files = (done[at]?.changed ?? []).map(({ file }) => file)
      return `takes hookgate out of ${titleOf(agent)}: ${files.slice(0, 3).join(', ')}${files.length > 3 ? ', …' : ''}`
    }),
    ...(rules !== undefined
      ? [`removes your own rules and policies: all of ${rules}`]
      : rulesFile?.state === 'ours' && agents.length > 0
        ? [`removes ${rulesFile.file}, which is as hookgate wrote it`]
        : []),
    ...(rules === undefined && rulesFile?.state === 'theirs' && state !== undefined
      ? [`your own rules stay: ${rulesFile.file}; \`--rules\` removes them too`]
      : []),
    ...(state === undefined || projects.length > 0
      ? []
      : [`stops the gate, and removes ${state} with the record of all decisions`]),
    ...projects.map(
      (file) => `a project still asks hookgate, by ${file}: run \`hookgate disable AGENT --scope project\` there first`,
    ),
  ]
}
