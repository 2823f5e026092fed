import { planUserRules } from '../../../changes/checked-rules-file.ts'
import { type JsonDocument, valueAt } from '../../../install/json/document.ts'
import { setValue } from '../../../install/json/set-value.ts'
import { installContextFor } from '../../args/install-context.ts'
import type { CommandOutput, Invocation } from '../../command.ts'
import { applyPlan, printChanges } from '../../text/file-changes.ts'

/** Turns approvals on or off in the user's own rules file. @throws HookgateError */
export function turnApprovals(
  to: 'on' | 'off',
  { isDry, asJson }: { readonly isDry: boolean; readonly asJson: boolean },
  invocation: Invocation,
): CommandOutput {
  const planned = planUserRules(installContextFor(invocation), (document) =>
    isTurned(document, to) ? document : setValue(document, ['approvals'], to === 'on'),
  )
  return printChanges(applyPlan(planned, { isDry, notes: [] }), { asJson })
}

/** Settings in the place of `true` turn approvals on as well, and stay. */
function isTurned({ root }: JsonDocument, to: 'on' | 'off'): boolean {
  const entry = valueAt(root, 'approvals')
  return to === 'on' ? entry?.type === 'object' || entry?.value === true : entry?.value === false
}
