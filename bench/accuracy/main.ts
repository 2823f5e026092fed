// How much of what is dangerous is stopped, and how much of what is harmless is let through?
//
// Reads labelled rows (`*.jsonl`, one object a line with `source`, `id`, `expect` and `cmd`, or `tool` and `input`) and
// asks the shipped packs about each. `expect` is one of `deny` (must be refused), `not_deny` (must not be), `allow`
// (must pass without a word), `not_allow` (must be asked about or refused) and `scan` (only has to be answered).
//
//   npm run -s accuracy -- --corpus DIR [--json]
import { parseArgs } from 'node:util'
import { type Expectation, readCorpus } from './corpus.ts'
import { directJudge, loadPacks } from './direct.ts'
import { reportText } from './report.ts'
import { type Judged, scoreOf } from './score.ts'

const { values } = parseArgs({ options: { corpus: { type: 'string' }, json: { type: 'boolean' }, only: { type: 'string' } } })
if (values.corpus === undefined) {
  console.error('accuracy: say where the labelled rows are: npm run -s accuracy -- --corpus DIR [--json]')
  process.exit(2)
}
const rows = readCorpus(values.corpus).filter((row) => values.only === undefined || row.source.startsWith(values.only))
const all = await loadPacks()
const judge = await directJudge(all.filter(({ pack }) => pack !== 'read-only-allow'))
const allowing = await directJudge(all)
const judged: Judged[] = rows.map((row) => {
  const startedAt = performance.now()
  const { decision, determining } = judge(row, {})
  const ms = performance.now() - startedAt
  const second = allowing(row, { 'read-only-allow': { otherwise: 'ask' } })
  return { row, decision, withAllow: second.decision, determining: row.expect === 'allow' || row.expect === 'not_allow' ? second.determining : determining, ms }
})
if (values.json === true) {
  const kinds: readonly Expectation[] = ['deny', 'not_deny', 'allow', 'not_allow', 'scan']
  const bySource = Map.groupBy(judged, ({ row }) => row.source)
  const scores = [...bySource].map(([source, them]) => {
    const byKind = kinds.flatMap((kind) => {
      const own = them.filter(({ row }) => row.expect === kind)
      return own.length === 0 ? [] : [[kind, scoreOf(kind, own)] as const]
    })
    return [source, Object.fromEntries(byKind)] as const
  })
  console.log(JSON.stringify(Object.fromEntries(scores), null, 2))
} else {
  console.log(reportText(judged))
}
