import { isJsonObject, type JsonObject, objectsIn } from '../../model/json.ts'

/**
 * Returns how far a file is hookgate's own, by keys that no agent has.
 *
 * `throughout`: only hookgate reads it. `inHooks`: newer versions of Claude Code know `onFailure` too, so that only
 * hooks and groups are sure to have known keys; beside them there may be any of its settings.
 */
export function ownWordsIn(value: unknown): 'throughout' | 'inHooks' | 'none' {
  if (!isJsonObject(value)) return 'none'
  const hooks = hooksIn(value)
  if (value['packs'] !== undefined || hooks.some(isOurs)) return 'throughout'
  return hooks.some(({ onFailure }) => onFailure !== undefined) ? 'inHooks' : 'none'
}

const isOurs = ({ type, policy, dialect, onFailure }: JsonObject) =>
  type === 'policy' || policy !== undefined || dialect !== undefined || onFailure === 'ask'

function hooksIn({ hooks }: JsonObject): readonly JsonObject[] {
  const groups = isJsonObject(hooks) ? Object.values(hooks).flatMap(objectsIn) : []
  return groups.flatMap((group) => objectsIn(group['hooks']))
}
