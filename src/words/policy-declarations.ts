import { z } from 'zod'
import type { FactDeclaration, ParamDeclaration } from '../model/policy.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { didYouMean } from './suggest.ts'
import { quoted, quotedSome } from '../model/text.ts'
import type { JsonPath, Problem } from '../model/errors.ts'
import { schemaProblems } from './schema-problems.ts'

/** Formats a fact's declaration: `json package.json /scripts/test`, `gitBranch`. */
export function factText(declaration: FactDeclaration): string {
  return Object.entries(declaration)
    .map(([kind, value], index) => (value === true ? kind : `${index === 0 ? `${kind} ` : ''}${value}`))
    .join(' ')
}

type ParamDeclarationMap = Readonly<Record<string, ParamDeclaration>>

/** Returns the schema of a policy's `params`: all that it declares, with their defaults, and no others. */
export function paramsSchema(declarations: ParamDeclarationMap): z.ZodType<JsonObject> {
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

/** Caches schemas, which are expensive to create: every example of a policy is checked against the same one. */
const schemas = new WeakMap<ParamDeclarationMap, z.ZodType<JsonObject>>()

/** Shared by the many policies without params. */
const noParams = z.strictObject({})

/** Returns the params of a policy that is given none, as its schema would, without making one. */
const defaultParams = (declarations: ParamDeclarationMap) =>
  Object.fromEntries(
    Object.entries(declarations).map(([name, { default: value }]) => [
      name,
      typeof value === 'object' ? [...value] : value,
    ]),
  )

/**
 * Returns the params of a policy that is given some; `undefined` if its schema has something against them.
 *
 * Packs give few params to many policies, whose schemas would take a tenth of a command's time to make.
 */
export function givenParams(declarations: ParamDeclarationMap, given: JsonObject): JsonObject | undefined {
  const values: Record<string, Json> = defaultParams(declarations)
  for (const [name, value] of Object.entries(given)) {
    const declaration = Object.hasOwn(declarations, name) ? declarations[name] : undefined
    const read = declaration && sharedSchema(declaration).safeParse(value)
    if (read?.success !== true) return undefined
    values[name] = read.data
  }
  return values
}

/** The policies of a pack declare the same params. */
function sharedSchema(whole: ParamDeclaration) {
  // What people read of a param does not change which values it takes.
  const declaration = { ...whole, description: undefined }
  const key = JSON.stringify(declaration)
  const schema = shared.get(key) ?? givenSchema(declaration)
  if (shared.size >= sharedSchemasMax) shared.clear()
  shared.set(key, schema)
  return schema
}
const shared = new Map<string, ReturnType<typeof givenSchema>>()
/** Kept schemas of single params: hookgate's own policies have a hundred. */
const sharedSchemasMax = 1000

/** Returns the schema of one param. The declaration's own default is checked against it, too. */
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

/** Lists the problems with a policy's params. For an unknown name without a near match, the remedy lists all names. */
export function paramProblems(
  { issues }: z.ZodError,
  parsed: Parameters<typeof schemaProblems>[1],
  at: JsonPath,
  declarations: ParamDeclarationMap,
): readonly Problem[] {
  const names = Object.keys(declarations)
  const otherwise = names.length === 0 ? 'the policy has no params' : `its params are ${quotedSome(names)}`
  return schemaProblems(issues, parsed, at, { keys: new Map(names.map((name) => [name, ''])), otherwise })
}

/** Returns a factory that clones the default: zod hands out the same object each time, so changes would be shared. */
const defaultOf =
  ({ default: value }: ParamDeclaration) =>
  () =>
    structuredClone(value)

/** Returns the schema of a param's value in a rules file, where a list may also be given as a change of the default. */
function givenSchema(declaration: ParamDeclaration) {
  const whole = paramSchema(declaration)
  const error = 'must be a list of texts, or a change of the default: `{"add": ["a"], "remove": ["b"]}`'
  return declaration.type === 'strings' ? z.union([whole, changeOf(declaration.default)], { error }) : whole
}

const texts = z.array(z.string()).default([])

/** A change of a list: `{"add": […], "remove": […]}`. */
export const ListChange = z.strictObject({ add: texts, remove: texts })

/** Accepts a change of a list and returns the changed list. */
function changeOf(usual: readonly string[]) {
  return ListChange.transform(({ add, remove }, context) => {
    for (const [index, text] of remove.entries()) {
      if (usual.includes(text)) continue
      // A mistyped removal would silently leave the text in.
      const message = `${quoted(text)} is not in the default list`
      const params = { remedy: didYouMean(text, usual) ?? 'remove it here' }
      context.addIssue({ code: 'custom', path: ['remove', index], message, params })
    }
    return [...usual.filter((text) => !remove.includes(text)), ...add.filter((text) => !usual.includes(text))]
  })
}

function described(declaration: ParamDeclaration) {
  const schema = givenSchema(declaration)
  return declaration.description === undefined ? schema : schema.describe(declaration.description)
}
