import { isPolicyRule, type Rule } from '../../../model/rule.ts'
import { counted } from '../../text/rule-lines.ts'

/** Says of the placement `caller` which policies it is for, and what it gives up. */
export function placementLines(rules: readonly Rule[]): readonly string[] {
  const policies = rules.filter(isPolicyRule)
  const here = policies.filter(({ handler }) => handler.onCaller)
  const elsewhere = policies.filter(({ handler }) => !handler.onCaller)
  return [
    `${counted(here.length, 'policy', 'policies')} on the calling thread: it waits while they are evaluated; one that is \
caught in a loop of the engine never returns to it, and one that exhausts its memory can end its process`,
    ...(elsewhere.length === 0
      ? []
      : [
          `in a sandbox process, since they came with a workspace or from another folder than the rules that name them: \
${elsewhere.map(({ id }) => id).join(', ')}`,
        ]),
  ]
}
