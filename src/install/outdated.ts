import { version } from '../server/version.ts'

/** What is to be said of a hook's file that another version wrote: it works, but past the gate, and slowly. */
export function outdated(agent: string, texts: readonly string[]): readonly string[] {
  const others = new Set(texts.flatMap((text) => /^# hookgate (\d\S*):/m.exec(text)?.[1] ?? []).filter(isOther))
  if (others.size === 0) return []
  const versions = [...others].join(', ')
  return [
    `its hooks were written by hookgate ${versions}, and this is ${version()}: run \`hookgate enable ${agent}\` again`,
  ]
}

const isOther = (written: string) => written !== version()
