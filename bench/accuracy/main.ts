// How much of what is dangerous is stopped, and how much of what is harmless is let through?
//
// Reads labelled rows (`*.jsonl`, one object a line with `source`, `id`, `expect` and `cmd`, or `tool` and `input`) and
// asks a gate about each, all packs turned on. `expect` is one of `deny` (must be refused), `not_deny` (must not be),
// `allow` (must pass without a word), `not_allow` (must be asked about or refused) and `scan` (only has to be answered).
// The first two are asked without `read-only-allow`, the next two with it, and with its `otherwise` set to `ask`; that
// no danger is allowed is asked with it as well.
//
//   npm run -s accuracy -- --corpus DIR [--source NAME] [--json]
import { parseArgs } from 'node:util'
import { type Expectation, readCorpus, type Row } from './corpus.ts'
import { type Judge, openJudge } from './judge.ts'
import { reportText } from './report.ts'
import { type Judged, scoreOf } from './score.ts'

const usage = 'say where the labelled rows are: npm run -s accuracy -- --corpus DIR [--source NAME] [--json]'

try {
  const { corpus, source, json } = flags()
  const rows = readCorpus(corpus).filter((row) => source === undefined || row.source === source)
  const judge = openJudge()
  const judged = await judgeAll(rows, judge)
  await judge.close()
  console.log(json ? JSON.stringify(scores(judged), null, 2) : reportText(judged))
} catch (error) {
  console.error(`accuracy: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 2
}

function flags(): { readonly corpus: string; readonly source: string | undefined; readonly json: boolean } {
  const options = { corpus: { type: 'string' }, source: { type: 'string' }, json: { type: 'boolean' } } as const
  const { corpus, source, json = false } = parseArgs({ options }).values
  if (corpus === undefined) throw new Error(usage)
  return { corpus, source, json }
}

/** One after the other, so that the time of each is its own. */
async function judgeAll(rows: readonly Row[], judge: Judge): Promise<readonly Judged[]> {
  const judged: Judged[] = []
  for (const row of rows) {
    const startedAt = performance.now()
    // oxlint-disable no-await-in-loop -- see above
    const guarded = await judge.guarded(row)
    const ms = performance.now() - startedAt
    const allowed = await judge.allowed(row)
    // oxlint-enable no-await-in-loop
    const { determining } = row.expect === 'allow' || row.expect === 'not_allow' ? allowed : guarded
    judged.push({ row, decision: guarded.decision, withAllow: allowed.decision, determining, ms })
  }
  return judged
}

function scores(judged: readonly Judged[]): object {
  const kinds: readonly Expectation[] = ['deny', 'not_deny', 'allow', 'not_allow', 'scan']
  const bySource = [...Map.groupBy(judged, ({ row }) => row.source)].map(([source, them]) => {
    const byKind = kinds.flatMap((kind) => {
      const own = them.filter(({ row }) => row.expect === kind)
      return own.length === 0 ? [] : [[kind, scoreOf(kind, own)] as const]
    })
    return [source, Object.fromEntries(byKind)] as const
  })
  return Object.fromEntries(bySource)
}
