import { extname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { realPath } from '../../files/real-path.ts'
import type { Place } from '../../model/errors.ts'
import type { EventName } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { listOf, choiceOf, quoted } from '../../model/text.ts'
import type { CheckedPolicy } from '../../model/policy-loading.ts'
import { paramProblems, paramsSchema } from '../../words/policy-params.ts'
import type { PolicyDefinition } from '../../model/policy.ts'
import type { Problem } from '../../model/problem.ts'
import type { Matcher, PolicyHandler, Rule, Source } from '../../model/rule.ts'
import { approvingOf } from './approving.ts'
import { type PolicyBinding, type WrittenBinding, hookRuleId, idOf } from './draft.ts'
import { ownParams } from './turned-on.ts'
import { neverBoth } from '../match/matcher.ts'
import { takesTool } from '../match/subject.ts'

/** The rule made of a policy and its binding, or the problems that prevent it. */
interface BoundRule {
  readonly rule: Rule | undefined
  readonly place: Place
  readonly problems: readonly Problem[]
}

const any: Matcher = { kind: 'any' }

/**
 * Makes a rule of a loaded policy and its binding.
 *
 * @param domain the sandbox domain that holds the policy, the policy's `index` in it, and whether it is `onCaller`
 * @param isTaken whether another rule of the same source has an id
 */
export function bind(
  binding: PolicyBinding,
  { compiled, definition }: CheckedPolicy,
  { domain, index, onCaller }: Pick<PolicyHandler, 'domain' | 'index' | 'onCaller'>,
  isTaken: (id: string) => boolean,
): BoundRule {
  const { source, written, pack } = binding
  const place = written?.place([], 'value') ?? { file: binding.file }
  if (definition === undefined) return { rule: undefined, place, problems: [] }
  const params = paramsOf(definition, binding)
  const subject = subjectOf(definition)
  const problems = [
    ...params.problems,
    ...(written === undefined ? [] : neverApplies(definition, subject, written)),
    ...(pack === undefined ? [] : misnamed(definition, binding.file)),
  ]
  if (problems.some(({ severity }) => severity === 'error')) return { rule: undefined, place, problems }
  const rule: Rule = {
    id:
      written === undefined
        ? `${pack?.prefix ?? `${source.id}#`}${definition.id}`
        : writtenId(source, written, definition, isTaken),
    source,
    match: { ...matchOf(definition, written), subject },
    handler: {
      kind: 'policy',
      policy: definition.id,
      severity: definition.severity,
      // One file is one policy, whichever link it was found by.
      file: realPath(compiled.file),
      files: compiled.modules.map(({ file }) => file),
      digest: compiled.digest,
      domain,
      index,
      onCaller,
      ignoresToolFacts: compiled.ignoresToolFacts === true,
      interest: definition.interest,
      carried: definition.carried ?? [],
      facts: definition.facts,
      params: params.value,
      changedParams: changedOf(definition, params.value),
    },
    onFailure: (written ?? pack)?.onFailure ?? definition.onFailure ?? 'block',
    mode: (written ?? pack)?.mode ?? 'enforce',
    ...approvingOf((written ?? pack)?.approving ?? {}, definition),
    timeoutMs: undefined,
    sequence: undefined,
    untrustedReason: undefined,
  }
  return { rule, place, problems }
}

/** Returns the hook's own id, else that of its policy, with the hook's position if another rule has that id. */
function writtenId(
  source: Source,
  written: WrittenBinding,
  definition: PolicyDefinition,
  isTaken: (id: string) => boolean,
): string {
  if (written.isNamed) return written.id
  const id = hookRuleId(source, definition.id)
  return isTaken(id) ? `${id}${written.id.slice(source.id.length)}` : id
}

function matchOf({ on }: PolicyDefinition, written: WrittenBinding | undefined): Omit<Rule['match'], 'subject'> {
  const own = listOf(on)
  if (written === undefined) {
    return { spelled: own.join(', '), events: own, triggers: undefined, matcher: any, condition: undefined }
  }
  const { spelled, triggers, matcher, condition } = written
  return { spelled, events: written.events.filter((event) => own.includes(event)), triggers, matcher, condition }
}

function subjectOf({ tool }: PolicyDefinition): Matcher {
  return tool === undefined ? any : { kind: 'names', names: listOf(tool) }
}

function paramsOf(definition: PolicyDefinition, { written, pack }: PolicyBinding) {
  const { params } = definition
  const given: JsonObject = written?.params ?? (pack === undefined ? {} : ownParams(pack, definition))
  const checked = paramsSchema(params).safeParse(given)
  if (checked.success) return { value: checked.data, problems: [] }
  const place = (path: readonly PropertyKey[], part: 'key' | 'value') =>
    (written ?? pack)?.place(path, part) ?? { file: '' }
  const problems = paramProblems(checked.error, { value: { params: given }, place }, ['params'], params)
  return { value: {}, problems }
}

function changedOf({ params }: PolicyDefinition, value: JsonObject): readonly string[] {
  return Object.keys(params).filter((name) => !isDeepStrictEqual(value[name], params[name]?.default))
}

/** Requires a pack's rule to be named like its file, since `disable` refers to the file name. */
function misnamed({ id }: PolicyDefinition, file: string): readonly Problem[] {
  if (idOf(file) === id) return []
  const message = `a rule of a pack must be in a file of the same name, and this rule is ${quoted(id)}`
  const remedy = `rename the file to \`${id}.policy${extname(file)}\``
  return [{ severity: 'error', place: { file, line: 1, column: 1 }, message, remedy }]
}

/** Reports a group and a policy that have no event, or no tool, in common. */
function neverApplies(definition: PolicyDefinition, subject: Matcher, written: WrittenBinding): readonly Problem[] {
  const { id, on } = definition
  const events = written.events.filter((event) => listOf<EventName>(on).includes(event))
  if (events.length === 0) {
    const message = `the policy \`${id}\` is not for ${written.spelled}: it is for ${listOf(on).join(', ')}`
    const remedy = `put it under ${choiceOf(listOf(on))}`
    return [{ severity: 'error', place: written.place(['policy'], 'value'), message, remedy }]
  }
  if (!events.some(takesTool) || !neverBoth(written.matcher, subject)) return []
  const tools = subject.kind === 'names' ? subject.names.map(quoted).join(', ') : ''
  const message = `the policy \`${id}\` is for ${tools}, which the matcher of its group never matches`
  return [{ severity: 'warning', place: written.place(['policy'], 'value'), message, remedy: 'remove the matcher' }]
}
