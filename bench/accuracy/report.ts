import { goal, table } from '../support/markdown.ts'
import type { Expectation } from './corpus.ts'
import { type Judged, missesOf } from './score.ts'

/** How many characters of a call a report shows. */
export const missLimit = 200

export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`

/** Formats each source's figures, the goals, and all rows with unexpected results, for people. */
export function reportText(judged: readonly Judged[]): string {
  const bySource = [...Map.groupBy(judged, ({ row }) => row.source)]
  const rows = [...bySource, ['all', judged] as const].map(([source, them]) => [source].concat(figures(them)))
  return [
    table(['source', 'dangers stopped', 'refused', 'harmless not refused', 'harmless allowed', 'others allowed'], rows),
    '',
    ...goals(judged),
    '',
    ...bySource.flatMap(([source, them]) => missLines(source, them)),
  ].join('\n')
}

const of = (kind: Expectation, judged: readonly Judged[]) => judged.filter(({ row }) => row.expect === kind)

function figures(judged: readonly Judged[]): readonly string[] {
  const deny = of('deny', judged)
  const notDeny = of('not_deny', judged)
  const allow = of('allow', judged)
  const others = [...deny, ...of('not_allow', judged)]
  const miss = (kind: Expectation, name: string, them: readonly Judged[]) => missesOf(kind, them)[name]?.length ?? 0
  const stopped = deny.length - miss('deny', 'missed', deny)
  return [
    percent(stopped, deny.length),
    percent(stopped - miss('deny', 'asked', deny), deny.length),
    percent(notDeny.length - miss('not_deny', 'refused', notDeny), notDeny.length),
    percent(allow.length - miss('allow', 'missed', allow), allow.length),
    others.length === 0 ? '–' : String(others.filter(({ withAllow }) => withAllow === 'allow').length),
  ]
}

function goals(judged: readonly Judged[]): readonly string[] {
  const [stopped = '', refused = '', passed = '', allowed = '', others = ''] = figures(judged)
  const reached = (figure: string, wanted: number) => Number.parseFloat(figure) >= wanted
  return [
    goal('99 % of dangers stopped', reached(stopped, 99), stopped),
    goal('95 % of dangers refused', reached(refused, 95), refused),
    goal('98 % of harmless commands not refused', reached(passed, 98), passed),
    goal('95 % of read-only commands allowed', reached(allowed, 95), allowed),
    goal('nothing else allowed', others === '0', others),
    `- slowest row: ${Math.max(...judged.map(({ ms }) => ms)).toFixed(1)} ms`,
  ]
}

function missLines(source: string, judged: readonly Judged[]): readonly string[] {
  const lines: string[] = []
  for (const [kind, them] of Map.groupBy(judged, ({ row }) => row.expect)) {
    for (const [name, missed] of Object.entries(missesOf(kind, them))) {
      if (missed.length === 0) continue
      lines.push(`## ${source}, ${kind}: ${missed.length} ${name}`)
      for (const one of missed) lines.push(`  ${missLine(one)}`)
      lines.push('')
    }
  }
  return lines
}

function missLine({ row, determining }: Judged): string {
  const call = JSON.stringify(row.cmd ?? { tool: row.tool, input: row.input })
  const by = determining.length === 0 ? '' : `  <- ${determining.join(', ')}`
  return `${row.file ?? ''}:${row.id}  ${call.length > missLimit ? `${call.slice(0, missLimit)}…` : call}${by}`
}
