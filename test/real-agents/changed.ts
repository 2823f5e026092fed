import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFiles } from '../support/workspace.ts'

/** Changes files until the returned function is called. */
export function changedIn(home: string, changes: Readonly<Record<string, (text: string) => string>>): () => void {
  const undoes = Object.entries(changes).map(([name, change]) => {
    const file = join(home, name)
    const before = textOf(file)
    writeFiles(home, { [name]: change(before ?? '') })
    return () => (before === undefined ? rmSync(file) : writeFileSync(file, before))
  })
  return () => {
    for (const undo of undoes) undo()
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
