import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { shippedFolder } from '../../files/policy-files.ts'
import { type Refusal, refused } from '../../model/problem.ts'
import { quoted } from '../../model/text.ts'

/**
 * Refuses the name of something that hookgate does not ship. If hookgate itself was moved or removed while this gate ran,
 * the name is not to blame, and the refusal says so.
 */
export function notShipped(message: string, remedy: string | undefined): Refusal {
  if (existsSync(shippedFolder)) return refused(message, remedy)
  return refused(
    `hookgate itself is no longer at ${quoted(dirname(shippedFolder))}, where this gate was started from`,
    'install it again, then run `hookgate enable` for each agent',
  )
}
