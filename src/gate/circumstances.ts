import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { realPath } from '../files/real-path.ts'
import { callDigest } from '../files/state/refusals.ts'
import type { HookEvent } from '../model/event.ts'
import type { FactRequest, FactValue } from '../model/policy.ts'
import { isPolicyRule } from '../model/rule.ts'
import type { ToolFacts } from '../model/tool-facts.ts'
import { factRequestsOf } from '../policy/policies.ts'
import type { RefusingAnswer } from './approvals/ask-person.ts'
import { sha256Of } from '../files/digest.ts'

/** The size of a program up to which a grant is bound to its content, and not to its time: scripts are smaller. */
const grantScriptBytesMax = 1_000_000

/** Programs by a path, which one call starts, to whose contents a grant is bound; to those behind by their time. */
const grantScriptsMax = 20

/** Words of one call that are looked up as names of remotes, to which a grant is bound. */
const grantRemotesMax = 100

/** Folders of one call whose branch and remotes a grant is bound to. */
const grantFoldersMax = 16

/** The means to look up what a refusal hangs on. */
export interface CircumstanceSources {
  readonly toolFacts: () => Promise<ToolFacts>
  readonly gatherFacts: (requests: readonly FactRequest[]) => Promise<readonly FactValue[]>
}

/**
 * Returns a digest of a refused call and of what its refusal hangs on, to which a person's permission is bound: the real
 * folders, the commands with the scripts that the facts have read, the programs of the user's that it starts, the
 * branch and the remotes, the facts of the policies that refuse it, and what each rule said.
 *
 * Not in it: what the call itself changes, and every file that it only reads. A permission for three calls has to hold
 * for the third.
 */
export async function circumstancesOf(
  event: HookEvent,
  answers: readonly RefusingAnswer[],
  { toolFacts, gatherFacts }: CircumstanceSources,
): Promise<string> {
  const facts = await toolFacts().catch(() => undefined)
  const { session, workspaceRoots } = event
  const policies = answers.flatMap(({ rule }) => (isPolicyRule(rule) ? [rule] : []))
  const requests = [...factRequestsOf(policies, event), ...gitRequests(event, facts)]
  const parts = [
    callDigest(event),
    [session.cwd, ...workspaceRoots].map(realPath),
    facts && [facts.shell, facts.paths, startedFiles(facts).map(contentDigest)],
    requests.length === 0 ? [] : await gatherFacts(requests),
    answers.map(({ rule, evaluation, decision }) => [
      rule.id,
      decision,
      // A hook may say the time of day: only a policy says the same of the same.
      isPolicyRule(rule) && evaluation.kind === 'applicable' ? evaluation.reason : undefined,
    ]),
  ]
  return sha256Of(JSON.stringify(parts))
}

/** Asks for the branch and the remotes where a shell command works. A word that names no remote is a remote that is missing. */
function gitRequests({ session, tool }: HookEvent, facts: ToolFacts | undefined): readonly FactRequest[] {
  if (tool?.kind !== 'shell') return []
  const commands = facts?.shell.commands ?? []
  const roots = new Set([session.cwd, ...commands.flatMap(({ cwd }) => cwd ?? [])].slice(0, grantFoldersMax))
  const words = commands
    .flatMap(({ args }) => args.map(({ value }) => value))
    .filter((word) => /^\w[\w.-]*$/.test(word))
  const remotes = [...new Set(['origin', ...words])].slice(0, grantRemotesMax)
  const declarations = [{ gitBranch: true as const }, ...remotes.map((gitRemote) => ({ gitRemote }))]
  return [...roots].flatMap((root) => declarations.map((declaration) => ({ declaration, root, trusted: true })))
}

const startedFiles = ({ paths }: ToolFacts): readonly string[] => [
  ...new Set(paths.flatMap(({ access, absolute }) => (access === 'execute' && absolute ? [absolute] : []))),
]

/** A large program, and each behind the first ones, is known by its size and by when it was last changed in any way. */
function contentDigest(file: string, at: number): readonly (string | number)[] {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return [file]
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile() || stats.size > grantScriptBytesMax || at >= grantScriptsMax)
      return [file, stats.size, stats.ctimeMs]
    const bytes = Buffer.alloc(stats.size)
    readSync(descriptor, bytes)
    return [file, sha256Of(bytes)]
  } catch {
    return [file]
  } finally {
    closeSync(descriptor)
  }
}
