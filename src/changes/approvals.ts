import type { InstallContext } from '../install/index.ts'
import { type JsonDocument, valueAt } from '../install/json/document.ts'
import { setValue } from '../install/json/edit.ts'
import type { FileChanges } from '../model/file-changes.ts'
import { applyPlan, planUserRules } from './user-rules-file.ts'

/** Turns approvals on or off in the user's own rules file. @throws HookgateError */
export function turnApprovals(to: 'on' | 'off', context: InstallContext, isDry: boolean): FileChanges {
  const planned = planUserRules(context, (document) =>
    isTurned(document, to) ? document : setValue(document, ['approvals'], to === 'on'),
  )
  return applyPlan(planned, { isDry })
}

/** Returns whether approvals are on or off already. An object of settings in place of `true` turns them on too. */
function isTurned({ root }: JsonDocument, to: 'on' | 'off'): boolean {
  const entry = valueAt(root, 'approvals')
  return to === 'on' ? entry?.type === 'object' || entry?.value === true : entry?.value === false
}
