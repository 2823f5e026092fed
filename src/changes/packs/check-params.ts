import { HookgateError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { paramProblems, paramsSchema } from '../../words/policy-params.ts'
import type { PolicyDefinition } from '../../model/policy.ts'
import { ownParams, undeclaredParams } from '../../rules/load/turned-on.ts'

/** Errors are in the command line, not in a file. */
const place = () => ({ file: '' })

/** Checks params for a pack by what its rules declare. @throws HookgateError `usage` */
export function checkParams(name: string, rules: readonly PolicyDefinition[], params: JsonObject): void {
  const use = { name, prefix: '', params, onFailure: undefined, mode: 'enforce', approving: {}, place } as const
  const [wrong] = [
    ...undeclaredParams(use, rules),
    ...rules.flatMap((definition) => {
      const given = ownParams(use, definition)
      const { error } = paramsSchema(definition.params).safeParse(given)
      const parsed = { value: { params: given }, place }
      return error === undefined ? [] : paramProblems(error, parsed, ['params'], definition.params)
    }),
  ]
  if (wrong === undefined) return
  throw new HookgateError('usage', wrong.message, wrong.remedy === undefined ? {} : { remedy: wrong.remedy })
}
