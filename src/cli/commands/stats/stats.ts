import { resolve } from 'node:path'
import { createGate } from '../../../gate/gate.ts'
import { errorText, HookgateError } from '../../../model/errors.ts'
import { isSelfProtection } from '../../../model/rule.ts'
import { openReader } from '../../../record/read.ts'
import type { RecordFigures } from '../../../record/figures.ts'
import { explainedColumn } from '../../text/layout.ts'
import { type Command, type Invocation, jsonText } from '../../command.ts'
import { agentList, agentOf, parseFlags } from '../../args/flags.ts'
import { nothingRecorded, readingNotes, recordingNote } from '../../text/record-notes.ts'
import { momentIn } from '../../args/moment.ts'
import { ownPlaces } from '../../args/own-places.ts'
import { workingFolder } from '../../args/protection.ts'
import { statsText, statsValue, type UnusedRules } from './report.ts'

const usualSince = '7d'

export const statsCommand: Command = {
  summary: 'how many decisions there were, by day, agent, project and rule, and how long they took',
  help: `hookgate stats: how many decisions there were, and how long they took

  hookgate stats [options]

Counts the decisions of this machine's record by day in local time, agent, project and rule: how many were decided,
refused and asked about, at how many a rule in observe mode would have refused or asked, and at how many a rule or
hookgate itself failed. A call counts once: what its agent reports after it is not counted. Then p50 and p99 of the time
that the gate and each hook and policy took; evaluations that are too short for the clock are left out.

  --since WHEN          from then on: how long ago (30m, 2h, 3d, 4w), a day (2026-11-01), or ISO 8601 in local time;
                        default: ${usualSince}
${explainedColumn('  --agent NAME          ', agentList)}
  --project PATH        of that folder and those below it
  --full                with the times of each hook and policy, the rules in force in this folder that never answered,
                        and the exceptions in force that were never used
  --json                one JSON object: since, all, days, agents, projects, rules, gate, times, approvals, neverSpoke,
                        neverUsed, problem (why the rules of this folder are not known), lost

Times are of every agent and project.

  hookgate stats --since 30d --project .
`,
  async run(invocation) {
    const { argv, env } = invocation
    const { values } = parseFlags('stats', argv, flags)
    const sinceMs = momentIn('stats', 'since', values.since ?? usualSince, Date.now()) ?? 0
    const project = values.project === undefined ? undefined : resolve(invocation.cwd, values.project)
    const places = ownPlaces(env)
    const problem = await recordingNote(places)
    const reader = openReader(places.decisions)
    if (reader === undefined) return nothingRecorded(values.json === true, problem)
    try {
      const filter = { startsMs: daysSince(sinceMs, Date.now()), agent: agentOf(values.agent), project }
      const figures = reader.figures(filter)
      const durations = reader.durations(sinceMs)
      const isFull = values.full === true || values.json === true
      const unused = isFull ? await unusedHere(invocation, figures) : { rules: [], exceptions: [] }
      const report = { filter, figures, durations, unused, lost: reader.lost() }
      const stdout = values.json === true ? jsonText(statsValue(report), 2) : statsText(report, isFull)
      return { stdout, stderr: readingNotes(reader) + problem, exitCode: 0 }
    } finally {
      reader.close()
    }
  },
}

const flags = {
  since: { type: 'string' },
  agent: { type: 'string' },
  project: { type: 'string' },
  full: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/** Returns a moment, and the beginning of each day after it in local time. */
function daysSince(sinceMs: number, nowMs: number): readonly [number, ...number[]] {
  const starts: [number, ...number[]] = [sinceMs]
  const day = new Date(sinceMs)
  for (day.setHours(24, 0, 0, 0); day.getTime() <= nowMs; day.setHours(24, 0, 0, 0)) starts.push(day.getTime())
  return starts
}

async function unusedHere(
  invocation: Pick<Invocation, 'env' | 'cwd'>,
  { rules: answering, lifted }: RecordFigures,
): Promise<UnusedRules> {
  const { env } = invocation
  const cwd = workingFolder(invocation)
  const gate = createGate({ env, state: ownPlaces(env).folder, keeps: false, policyThreads: 1 })
  try {
    const { rules, exceptions } = await gate.rulesFor({ workspaceRoots: cwd === undefined ? [] : [cwd] })
    const nowMs = Date.now()
    const used = (name: string) =>
      lifted.some(({ exception }) => exception === name || exception.startsWith(`${name}: `))
    return {
      rules: rules.filter((rule) => !isSelfProtection(rule) && !answering.has(rule.id)).map(({ id }) => id),
      exceptions: exceptions.filter(({ endsAtMs = Infinity, name }) => nowMs < endsAtMs && !used(name)),
    }
  } catch (error) {
    if (!(error instanceof HookgateError) || error.code === 'internal') throw error
    return { rules: [], exceptions: [], problem: errorText(error) }
  } finally {
    gate.kill()
  }
}
