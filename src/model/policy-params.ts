import { z } from 'zod'
import type { JsonObject } from './json.ts'
import type { ParamDeclaration } from './policy.ts'
import { quotedSome } from './text.ts'
import type { Problem } from './problem.ts'
import type { Path } from './problem.ts'
import { schemaProblems } from './schema-problems.ts'

type Declarations = Readonly<Record<string, ParamDeclaration>>

/** What `params` may be for a policy: every one that it declares, each with its default, and no other. */
export function paramsSchema(declarations: Declarations): z.ZodType<JsonObject> {
  if (Object.keys(declarations).length === 0) return noParams
  const known = schemas.get(declarations)
  if (known !== undefined) return known
  const shape = Object.entries(declarations).map(
    ([name, one]) => [name, described(one).default(defaultOf(one))] as const,
  )
  const schema = z.strictObject(Object.fromEntries(shape))
  schemas.set(declarations, schema)
  return schema
}

/** Each example of a policy is held against the same, and a schema is expensive to make. */
const schemas = new WeakMap<Declarations, z.ZodType<JsonObject>>()

/** Most policies have none. */
const noParams = z.strictObject({})

/** The same of one param, whose default is then held against what is declared beside it. */
export function paramSchema(declaration: ParamDeclaration): z.ZodType<ParamDeclaration['default']> {
  switch (declaration.type) {
    case 'boolean':
      return z.boolean()
    case 'number': {
      const { minimum, maximum } = declaration
      const above = minimum === undefined ? z.number() : z.number().min(minimum)
      return maximum === undefined ? above : above.max(maximum)
    }
    case 'string':
      return declaration.oneOf === undefined ? z.string() : z.enum([...declaration.oneOf])
    case 'strings':
      return z.array(z.string()).readonly()
  }
}

/** What is wrong with what a policy's params are set to. A name that is near to none is told those there are. */
export function paramProblems(
  { issues }: z.ZodError,
  parsed: Parameters<typeof schemaProblems>[1],
  at: Path,
  declarations: Declarations,
): readonly Problem[] {
  const names = Object.keys(declarations)
  const otherwise = names.length === 0 ? 'the policy has no params' : `its params are ${quotedSome(names)}`
  return schemaProblems(issues, parsed, at, { keys: new Map(names.map((name) => [name, ''])), otherwise })
}

/** zod gives a default out as it was put in: each a copy of its own, so that nobody's change reaches another's. */
const defaultOf =
  ({ default: value }: ParamDeclaration) =>
  () =>
    structuredClone(value)

function described(declaration: ParamDeclaration) {
  const schema = paramSchema(declaration)
  return declaration.description === undefined ? schema : schema.describe(declaration.description)
}
