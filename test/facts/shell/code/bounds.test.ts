import { describe, expect, it } from 'vitest'
import { codeLimits } from '../../../../src/model/limits.ts'
import type { CodeLanguage } from '../../../../src/model/shell.ts'
import { recognised } from './recognised.ts'

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

describe('bounds of what is read in code', () => {
  it.each(languages)('hold for any shape of %s that goes on and on', (language) => {
    for (const shape of shapes) expect(() => recognised(language, shape.repeat(codeLimits.textMax / 2))).not.toThrow()
  })

  it('are said where they are reached by the length of the text', () => {
    const text = `${' '.repeat(codeLimits.textMax)}import os; os.remove('/a')`
    expect(recognised('python', text)).toEqual(['left out its code is longer than is looked at'])
  })

  it('are said where they are reached by brackets within brackets', () => {
    expect(recognised('python', `${'('.repeat(codeLimits.depthMax + 1)}1`).join()).toContain('left out')
    expect(recognised('python', `${'('.repeat(codeLimits.depthMax / 2)}1`)).toEqual([])
  })

  it('are said where they are reached by what is found', () => {
    const text = "os.remove('/a')\n".repeat(codeLimits.findingsMax + 1)
    expect(recognised('python', text).filter((one) => one.startsWith('delete'))).toHaveLength(codeLimits.findingsMax)
    expect(recognised('python', text).join()).toContain('left out')
  })

  it('are said where they are reached by the work that it makes', () => {
    expect(recognised('python', '1;'.repeat(codeLimits.stepsMax)).join()).toContain('left out')
  })

  it('keep texts that double from growing, and forget what they were', () => {
    const text = `a = 'x'\n${'a = a + a\n'.repeat(64)}import os; os.remove(a)`
    expect(recognised('python', text)).toEqual([
      'delete ?',
      'left out its code has more values, or longer ones, than are looked at',
    ])
  })
})
