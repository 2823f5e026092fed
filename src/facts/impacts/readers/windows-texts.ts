import type { Impact } from '../../../model/impact.ts'
import type { Call } from '../../../words/calls.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { vitalFolder } from '../../programs/families/windows.ts'
import { makeImpact } from '../make-impact.ts'

/** Match destroying commands in a text for `cmd` or PowerShell, which is not parsed. */
const destroying =
  /(?:^|[\s;&|({"'])(?:format(?:\.com)?\s+[a-z]:|format-volume|clear-disk|diskpart|cipher\s+\/w|vssadmin\s+delete|wbadmin\s+delete|(?:del|erase|rd|rmdir)\s+(?:\/\w\s+)*\/s\s+(?:\/\w\s+)*"?(?:[a-z]:|%|\\)|bcdedit\s+\/(?:set|delete)|stop-computer|restart-computer)/i
const recursive =
  /(?:^|[\s;&|({"'])(?:remove-item|ri|rm|del|rd|erase|rmdir)\b[^;|\n]{0,300}-r(?:ecurse|ecurs|ecur|ecu|ec|e)?(?:[\s:;]|$)/i

/** Matches a recursive listing that is piped into a deletion. */
const listed =
  /(?:^|[\s;&|({"'])(?:get-childitem|gci|dir|ls)\b[^;|\n]{0,300}\s-(?:r(?:ec(?:urse)?)?|s)\b[^;|\n]{0,300}\|\s{0,9}(?:remove-item|ri|rm|del|erase|rd)\b/i

/** Finds files and drives that a text for `cmd` or PowerShell destroys. */
export function impactsOfWindowsTexts(call: Call): readonly Impact[] {
  const { code } = call.command
  if (code?.text === undefined || (code.language !== 'powershell' && code.language !== 'cmd')) return []
  const { text } = code
  const isOfSystem = destroying.test(text) || ((recursive.test(text) || listed.test(text)) && vitalFolder.test(text))
  if (!isOfSystem && !recursive.test(text)) return []
  const impact = makeImpact(call, lineIn(call, {}), {
    kind: 'delete',
    thing: 'data',
    area: 'windows',
    object: isOfSystem ? 'files or drives of the system' : 'folders, with everything in them',
    names: [],
    undo: isOfSystem ? 'never' : 'work',
    through: 'code',
    instead: 'name what is yours, one by one',
    words: '',
  })
  return [impact]
}
