import { posix } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { isJsonObject, JsonObject, nestsDeeperThan } from '../model/json.ts'
import { limits } from '../model/limits.ts'
import { quoted } from '../model/text.ts'
import { bundleError } from './names.ts'

/** The path of a file in a bundle: plain names, below the bundle's own folder, as every system can write them. */
const FilePath = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/, { error: 'is not a plain relative path' })
  .refine((path) => !isRulesFile(path), { error: 'is the name of the rules, which stand in `rules`' })

const isRulesFile = (path: string) => path.toLowerCase() === 'hooks.json'

/** A name or a revision, which is also the name of a folder. */
const Word = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, { error: 'must be letters, digits, `.`, `_` and `-`' })

/** Returns whether a policy or a pack that rules name is hookgate's own, or in the bundle. */
const isOwnOrShipped = (text: string) =>
  !text.includes('\\') && !posix.isAbsolute(text) && !/^[A-Za-z]:/.test(text) && !text.split('/').includes('..')

const OwnPath = z.string().refine(isOwnOrShipped, { error: 'must be in the bundle, or one of hookgate’s own' })

/**
 * The rules of a bundle: a hooks.json that only decides. It starts no programs, so that somebody with a stolen key cannot
 * run any on every machine, and sets nothing that is about the machine.
 */
const BundleRules = z.strictObject({
  $schema: z.string().optional(),
  description: z.string().optional(),
  preset: z.string().optional(),
  packs: z.array(z.looseObject({ pack: OwnPath })).optional(),
  mode: z.enum(['enforce', 'observe']).optional(),
  permissions: JsonObject.optional(),
  exceptions: z.array(JsonObject).optional(),
  hooks: z
    .record(
      z.string(),
      z.array(
        z.looseObject({
          hooks: z.array(
            z.looseObject({
              type: z.literal('policy', { error: 'a bundle has policies only: no hook of it starts a program' }),
              policy: OwnPath,
            }),
          ),
        }),
      ),
    )
    .optional(),
})

const BundleDocument = z.strictObject({
  format: z.literal(1),
  name: Word,
  revision: Word,
  /** Texts of policies, and of `pack.json`, by their paths. */
  files: z.record(FilePath, z.string()),
  rules: BundleRules,
  /** Params for packs and policies, by the names that the rules have for them: other ones for another channel. */
  params: z.record(z.string(), JsonObject),
  /** The oldest version of hookgate that understands it. */
  minGate: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, { error: 'must be a version such as 1.2.3' })
    .optional(),
})
export type BundleDocument = Readonly<z.infer<typeof BundleDocument>>

/** Packs a bundle. The same bundle gives the same bytes. @throws HookgateError `bundleMalformed` */
export function packBundle(value: unknown): Uint8Array {
  const bundle = checked(value)
  const files = Object.fromEntries(Object.entries(bundle.files).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const text = JSON.stringify({ ...bundle, files })
  if (Buffer.byteLength(text) > bundleTextBytesMax) throw tooLarge(bundleTextBytesMax)
  const bytes = gzipSync(text, { level: 9 })
  if (bytes.length > limits.bundleBytesMax) throw tooLarge(limits.bundleBytesMax)
  return bytes
}
/** A bundle, unpacked: a small file can become large in memory. */
const bundleTextBytesMax = 32 * 1024 * 1024

/** Reads a packed bundle. @param file where a person has it. @throws HookgateError `bundleMalformed` */
export function readBundle(bytes: Uint8Array, file?: string): BundleDocument {
  if (bytes.length > limits.bundleBytesMax) throw tooLarge(limits.bundleBytesMax)
  return checked(unpacked(bytes, file))
}

function unpacked(bytes: Uint8Array, file: string | undefined): unknown {
  try {
    const text = gunzipSync(bytes, { maxOutputLength: bundleTextBytesMax })
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text))
  } catch {
    throw bundleError('bundleMalformed', 'it is no bundle, or it is damaged', remake, file)
  }
}

function checked(value: unknown): BundleDocument {
  // Later code recurses into it.
  if (nestsDeeperThan(value, limits.jsonDepthMax)) throw bundleError('bundleMalformed', 'it nests too deeply', remake)
  const result = BundleDocument.safeParse(value)
  if (!result.success) {
    const [issue] = result.error.issues
    const at = issue?.path.map(String).join('.') ?? ''
    throw bundleError('bundleMalformed', `${at === '' ? 'the bundle' : quoted(at)}: ${issue?.message ?? ''}`, remake)
  }
  const count = Object.keys(result.data.files).length
  if (count > bundleFilesMax) {
    throw bundleError('bundleMalformed', `it has ${count} files, more than ${bundleFilesMax}`, remake)
  }
  return result.data
}
/** Files of one bundle: as many policies as all packs of hookgate have, ten times. */
const bundleFilesMax = 2000

const remake = 'make it again with `hookgate bundle make`'
const tooLarge = (max: number) => bundleError('bundleMalformed', `it is larger than ${max} bytes`, 'leave files out')

/** Returns the rules of a bundle as the text of a hooks.json, its params filled in. @throws HookgateError */
export function rulesText({ rules, params }: BundleDocument): string {
  const unused = new Set(Object.keys(params))
  const filled = (entry: JsonObject, name: string): JsonObject => {
    unused.delete(name)
    const own = isJsonObject(entry['params']) ? entry['params'] : {}
    return params[name] === undefined ? entry : { ...entry, params: { ...own, ...params[name] } }
  }
  const parsed = JsonObject.parse(rules)
  const packs = rules.packs?.map((entry) => filled(JsonObject.parse(entry), entry.pack))
  const hooks = Object.entries(rules.hooks ?? {}).map(([event, groups]): [string, object[]] => [
    event,
    groups.map((group) => ({
      ...group,
      hooks: group.hooks.map((hook) => filled(JsonObject.parse(hook), hook.policy)),
    })),
  ])
  const [first] = unused
  if (first !== undefined) {
    throw bundleError('bundleMalformed', `\`params\` names ${quoted(first)}, which no rule of the bundle names`, remake)
  }
  const whole = {
    ...parsed,
    ...(packs !== undefined && { packs }),
    ...(rules.hooks !== undefined && { hooks: Object.fromEntries(hooks) }),
  }
  return JSON.stringify(whole, undefined, 2)
}
