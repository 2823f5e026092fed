import { dirname } from 'node:path'
import { type FileChange, changesNothing } from './files/change.ts'

/**
 * Describes what an `enable` put right of a registration that was there before.
 *
 * @param made files that it made in hookgate's own folder, beside the changes
 */
export function repairsOf(changes: readonly FileChange[], made: readonly string[]): readonly string[] {
  const faults = [
    ...changes
      .filter((change) => !changesNothing(change))
      .map((change) => ({ file: change.file, fault: faultOf(change) })),
    ...made.map((file) => ({ file, fault: gone })),
  ]
  const groups = Map.groupBy(faults, ({ file, fault }) => `${fault}\0${dirname(file)}`)
  return [...groups.values()].map((group) => {
    const [first] = group
    if (first === undefined) return ''
    const { file, fault } = first
    return group.length === 1 ? `${file} ${fault}` : `${group.length} files in ${dirname(file)} each ${fault}`
  })
}

const gone = 'was gone'

function faultOf({ looked: { present }, after }: FileChange): string {
  if (after === undefined) return 'had a registration that the agent does not read'
  if (present === undefined) return gone
  return present.bytes.equals(after) ? 'had other rights' : 'was not as this hookgate writes it'
}
