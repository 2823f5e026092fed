import { impactText } from '../../words/impact-words.ts'
import { z } from 'zod'
import { knownHome } from '../../files/home-folder.ts'
import { commandNotes, commandText, pathText } from '../../words/command-text.ts'
import type { ShellCommand, TouchedPath } from '../../model/shell.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { explainDecision } from '../../review/why/explain-decision.ts'
import type { WhyReport } from '../../review/why/report.ts'
import { placesFor } from '../../rules/places.ts'
import type { PageContext } from '../page-context.ts'
import { foundDecision } from '../found-decision.ts'
import { answering } from '../route.ts'

/** Explains one decision. Its policies are evaluated once more, which takes some seconds. */
export const whyRoutes = ({ record, env, cwd, places: own }: PageContext) => ({
  why: answering(z.strictObject({ id: z.string().regex(/^[0-9a-z]{4,40}$/) }), async ({ id }) => {
    const rules = placesFor({ cwd, env, home: knownHome(env['HOME']), stateFolder: own.folder })
    return shown(await explainDecision(foundDecision(record, id), { rules, own, env }))
  }),
})

/** Returns what the page shows of a report: with the texts of commands and paths instead of their parts. */
function shown({ expressed, rules, facts, rewrittenFacts, factsMissing, without, today, lift }: WhyReport) {
  return {
    expressed,
    rules,
    facts: facts && shownFacts(facts),
    rewrittenFacts: rewrittenFacts && shownFacts(rewrittenFacts),
    factsMissing,
    without,
    today,
    lift,
  }
}
export type WhyAnswer = ReturnType<typeof shown>

/** The facts about a call, as the page shows them. */
const shownFacts = ({ shell: { commands, flows, uncertain, forkBomb }, paths, impacts }: ToolFacts) => ({
  shell: {
    commands: commands.map((command, at) => ({
      ...shownCommand(command, commands),
      impacts: impacts.filter(({ by }) => by === at).map(impactText),
    })),
    flows,
    uncertain,
    forkBomb,
  },
  paths: paths.map(shownPath),
})
export type ShownFacts = ReturnType<typeof shownFacts>

const shownCommand = (command: ShellCommand, all: readonly ShellCommand[]) => ({
  text: commandText(command),
  notes: commandNotes(command, command.startedBy === undefined ? undefined : all[command.startedBy]),
  startedBy: command.startedBy,
  paths: command.paths.map(shownPath),
  network: command.network,
  code: command.code && { language: command.code.language, does: command.code.does },
  uncertain: command.uncertain,
})

const shownPath = (path: TouchedPath) => ({ access: path.access, text: pathText(path) })
