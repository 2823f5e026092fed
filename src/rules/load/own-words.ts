import { isJsonObject, type JsonObject, objectsIn } from '../../model/json.ts'

/**
 * Returns how far a file is hookgate's own, by keys that no agent has.
 *
 * `throughout`: only hookgate reads it. `inHooks`: newer versions of Claude Code know `onFailure` too, so that only
 * hooks and groups are sure to have known keys; beside them there may be any of its settings.
 */
export function ownWordsIn(
  value: unknown,
  own: object,
  commonKeys: ReadonlySet<string>,
): 'throughout' | 'inHooks' | 'none' {
  if (!isJsonObject(value)) return 'none'
  const hooks = hooksIn(value)
  if (Object.keys(own).some((key) => !commonKeys.has(key) && value[key] !== undefined) || hooks.some(isOurs))
    return 'throughout'
  return hooks.some((hook) => hook['onFailure'] !== undefined) ? 'inHooks' : 'none'
}

const isOurs = (hook: JsonObject) =>
  hook['type'] === 'policy' ||
  hook['type'] === 'authzen' ||
  hook['policy'] !== undefined ||
  hook['dialect'] !== undefined ||
  hook['onFailure'] === 'ask'

function hooksIn({ hooks }: JsonObject): readonly JsonObject[] {
  const groups = isJsonObject(hooks) ? Object.values(hooks).flatMap(objectsIn) : []
  return groups.flatMap((one) => objectsIn(one['hooks']))
}
