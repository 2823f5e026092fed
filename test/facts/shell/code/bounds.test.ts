import { describe, expect, it } from 'vitest'
import { codeLimits } from '../../../../src/model/limits.ts'
import type { CodeLanguage } from '../../../../src/model/shell.ts'
import { recognised } from './recognised.ts'
import { stepsMax } from '../../../../src/facts/shell/code/scan/scan.ts'

const languages: readonly CodeLanguage[] = [
  ...(['python', 'javascript', 'perl', 'ruby', 'php', 'lua', 'r', 'julia'] as const),
  ...(['powershell', 'cmd', 'awk', 'sql'] as const),
]

const shapes: readonly string[] = [
  '(',
  '[',
  '{',
  'a(',
  'a.',
  'a+',
  'a,',
  '-',
  '"',
  "'",
  '`',
  '$',
  '${a',
  '"#{',
  'f"{',
  '@{[',
  's/',
  '/',
  '<<EOF\n',
  '[x for x in ',
  'for x in ',
  'import ',
  '\\',
  "['a','b'].map(x=>",
  'a=a+a;',
]

describe('the limits on inline code', () => {
  it.each(languages)('hold for any endless shape of %s', (language) => {
    for (const shape of shapes) expect(() => recognised(language, shape.repeat(codeLimits.textMax / 2))).not.toThrow()
  })

  it('are reported for a text that is too long', () => {
    const text = `${' '.repeat(codeLimits.textMax)}import os; os.remove('/a')`
    expect(recognised('python', text)).toEqual(['left out its code is longer than is analyzed'])
  })

  it('are reported for brackets nested too deeply', () => {
    expect(recognised('python', `${'('.repeat(codeLimits.depthMax + 1)}1`).join()).toContain('left out')
    expect(recognised('python', `${'('.repeat(codeLimits.depthMax / 2)}1`)).toEqual([])
  })

  it('are reported for too many findings', () => {
    const text = "os.remove('/a')\n".repeat(codeLimits.findingsMax + 1)
    expect(recognised('python', text).filter((one) => one.startsWith('delete'))).toHaveLength(codeLimits.findingsMax)
    expect(recognised('python', text).join()).toContain('left out')
  })

  it('are reported for too many steps', () => {
    expect(recognised('python', '1;'.repeat(stepsMax)).join()).toContain('left out')
  })

  it('stop texts from doubling without end, and make their values unknown', () => {
    const text = `a = 'x'\n${'a = a + a\n'.repeat(64)}import os; os.remove(a)`
    expect(recognised('python', text)).toEqual([
      'delete ?',
      'left out its code has more values, or longer ones, than are analyzed',
    ])
  })
})
