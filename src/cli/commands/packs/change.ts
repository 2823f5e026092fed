import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { changePacks, type PacksChange } from '../../../changes/packs/change-packs.ts'
import type { PackChange } from '../../../changes/packs/pack-change.ts'
import { packFile, presetNames, shippedPacks } from '../../../files/policy-files.ts'
import { HookgateError } from '../../../model/errors.ts'
import { Json, type JsonObject } from '../../../model/json.ts'
import { quoted } from '../../../model/text.ts'
import { installContextFor } from '../../args/install-context.ts'
import { type CommandOutput, type Invocation, printChanges, usage } from '../../command.ts'

/** The flags of `hookgate packs` that change something, as they were given. */
interface PacksValues {
  readonly on?: boolean
  readonly off?: boolean
  readonly observe?: boolean
  readonly enforce?: boolean
  readonly param?: readonly string[]
  readonly unset?: readonly string[]
  readonly 'dry-run'?: boolean
  readonly json?: boolean
}

/** Changes what the user's own rules file says of a preset, a pack or one rule. @throws HookgateError */
export async function changeByFlags(name: string, values: PacksValues, invocation: Invocation): Promise<CommandOutput> {
  const change = changeOf(name, packChangeIn(values), invocation.cwd)
  const changes = await changePacks(change, installContextFor(invocation), values['dry-run'] === true)
  return printChanges(changes, { asJson: values.json === true })
}

/** Returns what the flags change. @throws HookgateError `usage` if flags exclude each other, or change nothing */
function packChangeIn(values: PacksValues): PackChange {
  const turn = oneOf(values, ['on', 'off'])
  const mode = oneOf(values, ['observe', 'enforce'])
  const { param = [], unset = [] } = values
  const isMore = mode !== undefined || param.length > 0 || unset.length > 0
  if (turn === 'off' && isMore) throw usage('--off stands alone', 'packs')
  if (turn === undefined && !isMore) throw usage('--dry-run needs to know what would be changed', 'packs')
  return { turn, mode, params: readParams(param), unset }
}

/** Returns the flag that is given; `undefined` for none. @throws HookgateError `usage` for several */
function oneOf<const Flag extends 'on' | 'off' | 'observe' | 'enforce'>(
  values: PacksValues,
  flags: readonly Flag[],
): Flag | undefined {
  const [flag, ...more] = flags.filter((one) => values[one] === true)
  if (more.length === 0) return flag
  throw usage(`${flags.map((one) => `--${one}`).join(' and ')} exclude each other`, 'packs')
}

/** Returns the change of what the name stands for. @throws HookgateError `usage` if a preset or a rule has no such thing */
function changeOf(name: string, change: PackChange, cwd: string): PacksChange {
  const { turn, mode, params, unset } = change
  const changesParams = Object.keys(params).length > 0 || unset.length > 0
  if (presetNames().includes(name)) {
    if (!changesParams) return { kind: 'preset', preset: name, turn, mode }
    const remedy = `\`hookgate packs ${name}\` lists its packs`
    throw new HookgateError('usage', `${quoted(name)} is a preset: params are those of its packs`, { remedy })
  }
  const { pack, rule } = splitTarget(name, cwd)
  if (rule === undefined) return { kind: 'pack', pack, ...change }
  if (turn !== undefined && mode === undefined && !changesParams) return { kind: 'rule', pack, rule, turn }
  const remedy = `\`hookgate packs ${pack}\` with these flags is about all of its rules`
  throw new HookgateError('usage', 'one rule of a pack has no mode and no params of its own', { remedy })
}

/** Splits `PACK/RULE`. A pack may be the path of a folder. */
function splitTarget(name: string, cwd: string): { readonly pack: string; readonly rule: string | undefined } {
  const isPack = (folder: string) => existsSync(join(resolve(cwd, folder), packFile))
  const above = dirname(name)
  const isRule = name.includes('/') && (shippedPacks().includes(above) || (!isPack(name) && isPack(above)))
  return isRule ? { pack: above, rule: basename(name) } : { pack: name, rule: undefined }
}

/** Reads `NAME=JSON`; a value that is no JSON is a text. @throws HookgateError `usage` */
function readParams(texts: readonly string[]): JsonObject {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([^=]+)=([^]*)$/.exec(text) ?? []
      if (name === undefined || value === undefined)
        throw usage(`--param must be NAME=JSON, not ${quoted(text)}`, 'packs')
      return [name, jsonOrText(value)]
    }),
  )
}

function jsonOrText(text: string): Json {
  try {
    return Json.parse(JSON.parse(text))
  } catch {
    return text
  }
}
