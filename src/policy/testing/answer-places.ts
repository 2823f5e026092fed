import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { makeDisk } from '../../files/disk.ts'
import { realPath } from '../../files/real-path.ts'
import type { Place } from '../../model/errors.ts'
import { maskSecrets } from '../../mask/mask.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import type { CompiledPolicy, PolicyPort } from '../../model/policy.ts'
import type { PolicyRule } from '../../model/rule.ts'
import { areUnchanged, type CompiledFiles, openShippedPolicies } from '../compile/policy-stores.ts'
import { markedPoliciesFolder } from '../../files/policy-files.ts'
import { evaluatePolicies, type PolicyDependencies, PolicyList } from '../policies.ts'

/** An answer that a policy gives now, and the places in its files where it is made. */
interface PlacedAnswer {
  readonly evaluation: Evaluation
  readonly places: readonly SourceLine[]
}

/** A line of a policy's source. */
export interface SourceLine extends Place {
  readonly line: number
  /** The line itself, trimmed, its secrets masked; with the next one, where a call begins at its end. */
  readonly text: string
}

/**
 * Evaluates a policy once more for an event, and finds where its answer comes from: the `deny(…)` that made it; if that
 * stands in another file, after the call in the policy's own file that passed it on.
 *
 * The policy is compiled with marks; the answers that are returned in the end are found among the marked values by
 * identity. The build has compiled the shipped policies so.
 *
 * @param folder the folder that the policy's imports must stay below
 * @returns `undefined` if the policy's files do not compile any more
 */
export async function findAnswerPlaces(
  rule: PolicyRule,
  folder: string,
  event: HookEvent,
  { load, ...dependencies }: PolicyDependencies & Pick<PolicyPort, 'load'>,
): Promise<PlacedAnswer | undefined> {
  const { file } = rule.handler
  const marked = builtMarked(file, folder) ?? (await compiler()).compileMarked({ file, folder })?.result.policy
  if (marked === undefined) return undefined
  const domain = await load([behindEntry(marked, folder)])
  try {
    const place = { domain: domain.id, index: 0, onCaller: false, interest: undefined, ignoresToolFacts: false }
    const [evaluation] = await evaluatePolicies(
      new PolicyList([{ ...rule, handler: { ...rule.handler, ...place } }]),
      event,
      dependencies,
    )
    return evaluation && { evaluation, places: await placesOfMarks(evaluation, file, folder) }
  } finally {
    domain.release()
  }
}

/** Loaded lazily: its parsers take longer to load than all else that explaining a decision takes. */
const compiler = () => import('./answer-marks.ts')

/** Returns a shipped policy as the build compiled it with marks; `undefined` for others, and if a file has changed. */
function builtMarked(file: string, folder: string): CompiledPolicy | undefined {
  const found: CompiledFiles | undefined = openShippedPolicies(markedPoliciesFolder).find(file, folder)
  return found !== undefined && areUnchanged(found.reads, folder, makeDisk()) ? found.result.policy : undefined
}

/**
 * Puts a module of our own before a marked policy. It returns the policy's own answers, and beside them as a notice, for
 * each, its effect and the marks that it passed.
 */
function behindEntry(marked: CompiledPolicy, folder: string): CompiledPolicy {
  const entry = {
    file: join(folder, 'hookgate-entry.js'),
    code: entryCode,
    imports: { policy: marked.modules.length - 1 },
  }
  return { ...marked, file: entry.file, modules: [...marked.modules, entry] }
}
const noticeHead = 'marks of the answers:\n'
const entryCode = `import policy from 'policy';import { hits } from 'hookgate:counters'
const marksOf = (answer) => hits.filter((hit) => hit[1] === answer).map((hit) => hit[0])
const noted = (answer) => [answer.effect, ...marksOf(answer)]
export default { ...policy, decide(asked) {
  const reply = policy.decide(asked)
  if (reply === undefined) return reply
  const answers = Array.isArray(reply) ? reply : [reply]
  return [...answers, { notice: ${JSON.stringify(noticeHead)} + JSON.stringify(answers.map(noted)) }]
} }
`

/** By effect, the marks that an answer has passed, the maker's first. */
const Notes = z.array(z.tuple([z.string().nullable()], z.string()))

async function placesOfMarks(evaluation: Evaluation, file: string, folder: string): Promise<readonly SourceLine[]> {
  if (evaluation.kind !== 'applicable') return []
  const notes = evaluation.advice.flatMap((one) =>
    one.kind === 'notice' && one.text.startsWith(noticeHead)
      ? Notes.parse(JSON.parse(one.text.slice(noticeHead.length)))
      : [],
  )
  const isOwn = (one: Place) => realPath(one.file) === realPath(file)
  const found = notes.flatMap(([effect, ...marks]) => {
    const [maker, ...others] = effect === evaluation.effect ? marks.map((mark) => placeOfMark(mark, folder)) : []
    if (maker === undefined) return []
    const own = isOwn(maker) ? undefined : others.find(isOwn)
    return own === undefined ? [maker] : [own, maker]
  })
  // The answer is a constant, say. At least it is known which function returns it.
  const places = found.length > 0 ? found : [(await compiler()).placeOfDecide(file)]
  return [...new Map(places.map((one) => [`${one.file}:${one.line}`, lineAt(one)])).values()]
}

function placeOfMark(mark: string, folder: string): Place {
  const [, path = '', line, column] = /^(.*):(\d+):(\d+)$/s.exec(mark) ?? []
  return { file: resolve(folder, path), line: Number(line), column: Number(column) }
}

function lineAt({ file, line = 1, column = 1 }: Place): SourceLine {
  const lines = readFileSync(file, 'utf8')
    .replace(/^\ufeff/, '')
    .split(/\r\n|[\n\r\u2028\u2029]/)
  const [first = '', next = ''] = lines.slice(line - 1, line + 1)
  return { file, line, column, text: maskSecrets(first.endsWith('(') ? first.trim() + next.trim() : first.trim()) }
}
