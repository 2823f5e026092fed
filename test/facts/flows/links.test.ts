import { describe, expect, it } from 'vitest'
import { withEffects } from '../../../src/facts/flows/index.ts'
import { shellLimits } from '../../../src/model/limits.ts'
import { described } from '../programs/described.ts'

const around = { cwd: '/home/u/proj', home: '/home/u', workspaceRoots: ['/home/u/proj'] }

/** Returns the last command's last path, through the links that earlier commands create. */
const last = (...lines: readonly string[]) =>
  withEffects(lines.map(described), [], around).commands.at(-1)?.paths.at(-1)

type Row = readonly [lines: string, absolute: string, real: string | undefined]
const rows: readonly Row[] = [
  ['ln -s /etc l; cat l/passwd', '/home/u/proj/l/passwd', '/etc/passwd'],
  ['ln -s /etc l; cat l', '/home/u/proj/l', '/etc'],
  ['ln -s /etc l; cat link', '/home/u/proj/link', undefined],
  ['ln -s /etc l; rm l', '/home/u/proj/l', undefined],
  ['cat l/passwd; ln -s /etc l; cat x', '/home/u/proj/x', undefined],
  ['ln -s ~/.ssh a; ln -s a b; cat b/id', '/home/u/proj/b/id', '/home/u/.ssh/id'],
  ['ln -s /etc/passwd d; cat d/passwd', '/home/u/proj/d/passwd', '/etc/passwd'],
  ['ln -s $X l; cat l/passwd', '/home/u/proj/l/passwd', undefined],
  ['ln -s l l; cat l', '/home/u/proj/l', undefined],
]

describe('a path through links that the commands create', () => {
  it.each(rows)('%s', (lines, absolute, real) => {
    const path = last(...lines.split('; '))
    expect([path?.absolute, path?.real]).toEqual([absolute, real])
  })

  it('is unresolved beyond the limit on links to links', () => {
    const links = Array.from({ length: shellLimits.linksMax + 2 }, (_, at) => `ln -s l${at + 1} l${at}`)
    expect(last(...links, 'cat l0')).toMatchObject({ unresolved: true })
  })
})
