import { basename, dirname, resolve } from 'node:path'
import { isModuleName, shippedPolicies, shippedPolicy } from '../../files/policy-files.ts'
import { isReallyWithin } from '../../files/real-path.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import type { PolicyFile } from '../../model/policy-loading.ts'
import { type Refusal, refused } from '../../model/problem.ts'
import type { Source } from '../../model/rule.ts'
import { didYouMean } from '../../words/suggest.ts'
import { quoted } from '../../model/text.ts'
import { notShipped } from './not-shipped.ts'

const shippedPrefix = 'hookgate/'

/** Resolves `policy` of a rules file: `hookgate/<name>`, or a path relative to the file. */
export function policyFile(text: string, source: Source, disk: Disk): PolicyFile | Refusal {
  if (text.startsWith(shippedPrefix)) return builtIn(text, disk)
  const file = resolve(dirname(source.file), text)
  const { workspaceRoot } = source
  // Any message about the file would disclose something of a file of the user's.
  if (workspaceRoot !== undefined && !isReallyWithin(file, workspaceRoot)) {
    return refused(`the policy ${quoted(text)} is outside the workspace`, 'copy it into the workspace')
  }
  const seen = disk.see(file)
  if (seen === 'absent') return refused(`there is no policy at ${quoted(text)}`, nearName(text, file, disk))
  if (seen === 'folder') return refused(`${quoted(text)} is a folder`, 'name the file of one policy')
  if (isUnreadable(seen)) return refused(`the policy ${quoted(text)} cannot be read: ${seen.why}`, 'fix it')
  if (!isModuleName(file)) {
    return refused(`${quoted(text)} is not named like a policy`, 'name a file such as `./no-force-push.policy.ts`')
  }
  return { file, folder: dirname(file) }
}

function builtIn(text: string, disk: Disk): PolicyFile | Refusal {
  const name = text.slice(shippedPrefix.length)
  const known = shippedPolicies()
  if (!known.includes(name)) {
    const list = known.map((one) => `\`${shippedPrefix}${one}\``)
    const remedy = didYouMean(name, known) ?? `there are ${list.join(', ')}`
    return notShipped(`hookgate has no built-in policy ${quoted(text)}`, remedy)
  }
  const shipped = shippedPolicy(name)
  disk.see(shipped.file)
  return shipped
}

function nearName(text: string, file: string, disk: Disk): string | undefined {
  const names = disk.names(dirname(file)).filter(isModuleName)
  const near = didYouMean(basename(file), names)
  return near ?? (text.startsWith('.') ? undefined : `write \`./${text}\` for a file beside this one`)
}
