import type { Impact } from '../../../model/impact.ts'
import type { Call } from '../../../words/calls.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { connectsShell, decodesAndRuns, fetchesAndRuns, runsCodeOfModels, withoutComments } from '../code/run-code.ts'
import { type ImpactFound, makeImpact } from '../make-impact.ts'
import { codeSearchedMax } from '../texts/text-deed.ts'

type FoundInCode = Pick<ImpactFound, 'area' | 'kind' | 'thing' | 'object' | 'undo'>

/** Finds code on the command line that runs what it fetches or decodes, or connects a shell to somebody. */
export function impactsOfRunCode(call: Call): readonly Impact[] {
  const { code } = call.command
  if (code === undefined || call.args !== call.command.args) return []
  const text = withoutComments((code.text ?? '').slice(0, codeSearchedMax))
  const found: FoundInCode[] = []
  const runs = { kind: 'run', thing: 'code' } as const
  if (connectsShell(code, text))
    found.push({ area: 'opened-access', kind: 'open', thing: 'machine', object: 'shell of this machine', undo: 'work' })
  if (decodesAndRuns(code, text))
    found.push({ area: 'decoded-code', ...runs, object: 'what it decodes', undo: 'never' })
  if (fetchesAndRuns(code, text))
    found.push({ area: 'fetched-code', ...runs, object: 'what it fetches', undo: 'never' })
  else if (runsCodeOfModels(text))
    found.push({ area: 'fetched-code', ...runs, object: 'what comes with a model or a dataset', undo: 'work' })
  return found.map((one) =>
    makeImpact(call, lineIn(call, {}), {
      ...one,
      names: [],
      words: '…',
      through: 'code',
      where: 'unknown',
      targets: {},
    }),
  )
}
