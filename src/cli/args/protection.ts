import { existsSync } from 'node:fs'
import { rulesAt, type RulesHere } from '../../install/rules-here.ts'
import { printable } from '../../model/text.ts'
import type { Invocation } from '../command.ts'

/** Loads the rules that apply in the working folder; if the folder was removed, the rules that apply everywhere. */
export async function rulesHere(invocation: Pick<Invocation, 'env' | 'cwd'>): Promise<RulesHere> {
  const cwd = workingFolder(invocation)
  return rulesAt({ env: invocation.env, cwd: cwd ?? '/' }, cwd === undefined ? [] : [cwd])
}

/** Returns the working folder; `undefined` if it was removed. */
export function workingFolder(invocation: Pick<Invocation, 'cwd'>): string | undefined {
  try {
    return invocation.cwd
  } catch {
    return undefined
  }
}

/**
 * Returns lines to print before all others, if nothing is checked or the rules only observe.
 *
 * @param file the rules file in which rules are to be written; `undefined` if none is searched
 */
export function protectionLines({
  protection,
  switchedOff,
  selfProtectionOff,
  file,
}: Pick<RulesHere, 'protection' | 'switchedOff' | 'selfProtectionOff'> & {
  readonly file: string | undefined
}): readonly string[] {
  switch (protection) {
    case 'none': {
      const why = switchedOff.length > 0 ? switchedOff.join('; ') : remedyIn(file)
      return [printable(`nothing is checked: no rules are in force; ${why}`)]
    }
    case 'observe':
      return [
        `the rules only observe: nothing${selfProtectionOff === undefined ? ' but changes to hookgate itself' : ''} is refused`,
      ]
    case 'enforce':
    case undefined:
      return []
  }
}

function remedyIn(file: string | undefined): string {
  if (file === undefined) return 'name a file with `--rules`'
  if (existsSync(file)) return `add \`"preset": "recommended"\` to ${file}`
  return `write \`{"preset": "recommended"}\` to ${file}`
}
