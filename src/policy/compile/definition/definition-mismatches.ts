import type { PolicyDefinition } from '../../../model/policy.ts'
import { listOf, quoted } from '../../../model/text.ts'
import type { Problem, JsonPath, PlaceOf } from '../../../model/problem.ts'
import { schemaProblems } from '../../../words/schema-problems.ts'
import { didYouMean } from '../../../words/suggest.ts'
import { paramProblems, paramSchema, paramsSchema } from '../../../words/policy-params.ts'

/** Returns the inconsistencies between the parts of a definition, each of which is valid by itself. */
export function definitionMismatches(definition: PolicyDefinition, place: PlaceOf): readonly Problem[] {
  const { params, examples } = definition
  const defaults = Object.entries(params).flatMap(([name, declaration]) => {
    const checked = paramSchema(declaration).safeParse(declaration.default)
    if (checked.success) return []
    return schemaProblems(checked.error.issues, { value: definition, place }, ['params', name, 'default'])
  })
  if (examples.length > policyExamplesMax) {
    const message = `there are ${examples.length} examples, but at most ${policyExamplesMax} are run`
    return [...defaults, wrong(place(['examples'], 'value'), message, 'keep the most useful ones')]
  }
  return [
    ...defaults,
    ...interestMismatches(definition, place),
    ...examples.flatMap((_, index) => exampleMismatches(definition, index, place)),
  ]
}
/** Examples of one policy. They run whenever it is loaded. */
const policyExamplesMax = 200

/** Returns problems of `interest.params`, which may name only params that are lists of texts. */
function interestMismatches({ interest, params }: PolicyDefinition, place: PlaceOf): readonly Problem[] {
  const lists = Object.keys(params).filter((name) => params[name]?.type === 'strings')
  return (interest?.params ?? []).flatMap((name, index) => {
    if (lists.includes(name)) return []
    const remedy = didYouMean(name, lists) ?? 'name a param of the type `strings`'
    return [wrong(place(['interest', 'params', index], 'value'), `there is no such param ${quoted(name)}`, remedy)]
  })
}

function exampleMismatches(definition: PolicyDefinition, index: number, place: PlaceOf): readonly Problem[] {
  const at: JsonPath = ['examples', index, 'given']
  const given = definition.examples[index]?.given ?? {}
  const events = listOf(definition.on)
  const isSubscribed = given.event === undefined || events.includes(given.event)
  const notSubscribed = wrong(
    place([...at, 'event'], 'value'),
    `the policy is not for ${quoted(given.event ?? '')}`,
    `it is \`on\` ${events.join(', ')}`,
  )
  const facts = Object.keys(definition.facts)
  const undeclared = Object.keys(given.facts ?? {})
    .filter((name) => !facts.includes(name))
    .map((name) => {
      const remedy = didYouMean(name, facts) ?? 'declare it in `facts`'
      return wrong(place([...at, 'facts', name], 'key'), `there is no fact ${quoted(name)}`, remedy)
    })
  const params = paramsSchema(definition.params).safeParse(given.params ?? {})
  const wrongParams = params.success
    ? []
    : paramProblems(params.error, { value: definition, place }, [...at, 'params'], definition.params)
  return [...(isSubscribed ? [] : [notSubscribed]), ...undeclared, ...wrongParams]
}

const wrong = (place: Problem['place'], message: string, remedy: string): Problem => ({
  severity: 'error',
  place,
  message,
  remedy,
})
