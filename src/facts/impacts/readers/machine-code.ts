import type { Impact } from '../../../model/impact.ts'
import type { Call } from '../../../words/calls.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { type ImpactFound, makeImpact } from '../make-impact.ts'
import { charactersReadMax } from '../texts/text-deed.ts'

/** Matches a call that sets the setuid bit: `os.chmod(a, 0o4755)`, `chmod 04755, "a"`, `S_ISUID`. */
const setuid =
  /\bf?chmod(?:Sync)?\b[\s(]*(?![\s(])(?:(?:[^\n;]{0,200}?[,\s(])?(?:["']?0?o?[4567][0-7]{3}\b|["'][ug]\+s\b)|(?:[^\n;]{0,200}\n[^\n;]{0,80}|[^\n;]{0,281})S_ISUID)/
/** Matches a call that signals every process: `os.kill(-1, 9)`, `process.kill(-1)`, `Process.kill(9, -1)`, `kill 9, -1`. */
const killsAll =
  /\b(?:posix_)?kill\s{0,9}\(\s{0,9}(?:["':]{0,2}\w{1,20}["']?\s{0,9},\s{0,9})?-1\b|\bkill\s{1,9}["':]{0,2}\w{1,20}["']?\s{0,9},\s{0,9}-1\b/

const deeds: readonly (readonly [RegExp, ImpactFound])[] = [
  [
    setuid,
    {
      kind: 'grant',
      thing: 'account',
      area: 'machine',
      object: 'program',
      names: [],
      undo: 'work',
      consequence: 'which then runs as its owner',
      words: '… chmod',
    },
  ],
  [
    killsAll,
    {
      kind: 'stop',
      thing: 'machine',
      area: 'processes',
      object: 'every process of this machine',
      names: [],
      undo: 'never',
      instead: 'use the ids of those that you started',
      words: '… kill',
    },
  ],
]

/** Finds what code on the command line does to this machine. */
export function impactsOfMachineCode(call: Call): readonly Impact[] {
  const { code } = call.command
  if (code?.text === undefined || code.language === 'shell' || call.args !== call.command.args) return []
  const text = code.text.slice(0, charactersReadMax)
  return deeds.flatMap(([like, deed]) =>
    like.test(text) ? [makeImpact(call, lineIn(call, {}), { ...deed, through: 'code' })] : [],
  )
}
