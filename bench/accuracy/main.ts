// How many dangerous calls are stopped, and how many harmless ones pass?
//
// Without `--corpus`, decides the project's own labelled calls (`own/`: `label` is `danger` or `everyday`) with the
// presets `recommended` and `strict`, each as a user would turn it on. A call is gated or stopped when it is denied or
// asked about. A hash assigns every call to one of two parts: rules are improved on the part `seen`, whose misses are
// listed; those of the part `held-out` are listed with `--held-out` alone. The calls of `unseen/` are the measure: nothing
// was improved on them, and their misses are listed only with `--unseen`, by which they become seen and move to `own/`.
//
// With `--corpus`, reads labelled rows (`*.jsonl`, one object a line with `source`, `id`, `expect` and `cmd`, or `tool` and `input`) and
// decides each with a gate: all packs enabled, or those of `--preset`. `expect` is one of `deny` (must be refused), `not_deny` (must not be),
// `allow` (must pass without a prompt), `not_allow` (must prompt or be refused) and `scan` (only needs an answer).
// The first two are decided without `read-only-allow`, the next two with it and with its `otherwise` set to `ask`. That
// no dangerous call is allowed is checked with it as well.
//
// A change to the shell facts or a policy is compared with a dump made before it: the facts and every policy's verdict,
// one line a command, for the corpus, the commands of the policies' examples, and a fixed set of broken ones.
//
//   npm run -s accuracy -- [--preset NAME] [--held-out] [--unseen]
//   npm run -s accuracy -- --corpus DIR [--source NAME] [--preset NAME] [--json]
//   npm run -s accuracy -- [--corpus DIR] --dump FILE
//   npm run -s accuracy -- --diff FILE          exit code 1 where verdicts or facts differ
import { parseArgs } from 'node:util'
import { type Expectation, readCorpus, type Row } from './corpus.ts'
import { exampleRows, fuzzRows } from './dump-rows.ts'
import { diffDump, type DumpDifferences, writeDump } from './dump.ts'
import { type Judge, openJudge, openPresetJudge } from './judge.ts'
import { judgeOwnCorpus, type OwnJudged, presetReport } from './preset-report.ts'
import { reportText } from './report.ts'
import { type Judged, scoreOf } from './score.ts'

try {
  await main()
} catch (error) {
  console.error(`accuracy: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 2
}

async function main(): Promise<void> {
  const options = {
    corpus: { type: 'string' },
    source: { type: 'string' },
    preset: { type: 'string' },
    'held-out': { type: 'boolean', default: false },
    unseen: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    dump: { type: 'string' },
    diff: { type: 'string' },
  } as const
  const { corpus, source, preset, json, dump, diff, unseen, 'held-out': heldOut } = parseArgs({ options }).values
  if (corpus === undefined && diff === undefined && dump === undefined) {
    const judged = await judgePresets(preset === undefined ? ['recommended', 'strict'] : [preset])
    console.log(
      presetReport(judged, ['seen', ...(heldOut ? ['held-out' as const] : []), ...(unseen ? ['unseen' as const] : [])]),
    )
    return
  }
  const rows = corpus === undefined ? [] : rowsOf(corpus, source)
  const judge = openJudge(preset)
  try {
    if (diff !== undefined) report(await diffDump(diff, judge))
    else if (dump !== undefined) {
      const lines = await writeDump(dump, [...rows, ...(await exampleRows()), ...fuzzRows()], judge)
      console.log(`${lines} commands dumped to ${dump}`)
    } else {
      const judged = await judgeAll(rows, judge)
      console.log(json ? JSON.stringify(scores(judged), null, 2) : reportText(judged))
    }
  } finally {
    await judge.close()
  }
}

function rowsOf(corpus: string, source: string | undefined): readonly Row[] {
  return readCorpus(corpus).filter((row) => source === undefined || row.source === source)
}

function report({ rows, verdicts, facts, wording }: DumpDifferences): void {
  for (const [title, lines] of Object.entries({ verdicts, facts })) {
    for (const line of lines) console.log(`${title}: ${line}`)
  }
  console.log(`${rows} commands: ${verdicts.length} with other verdicts, ${facts.length} with other facts`)
  if (wording.length > 0) console.log(`${wording.length} differ in the wording of what is uncertain alone`)
  if (verdicts.length + facts.length > 0) process.exitCode = 1
}

async function judgePresets(presets: readonly string[]): Promise<readonly OwnJudged[]> {
  const judged: OwnJudged[] = []
  for (const preset of presets) {
    const judge = openPresetJudge(preset)
    try {
      // oxlint-disable-next-line no-await-in-loop -- one gate at a time
      judged.push(...(await judgeOwnCorpus(preset, judge)))
    } finally {
      // oxlint-disable-next-line no-await-in-loop -- one gate at a time
      await judge.close()
    }
  }
  return judged
}

/** Judges rows one after the other, so that their times are independent. */
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
