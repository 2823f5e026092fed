import { describe, expect, it } from 'vitest'
import { shellFacts } from '../../../src/facts/shell/shell-facts.ts'
import type { ShellCommand } from '../../../src/model/shell.ts'

const around = { cwd: '/home/u/proj', home: '/home/u', workspaceRoots: ['/home/u/proj'] }
const commandsOf = (text: string): readonly ShellCommand[] => shellFacts(text, around).commands
const lastOf = (text: string): ShellCommand | undefined => commandsOf(text).at(-1)

/** What becomes of the paths of all commands: `written: change rights…`. */
const changesOf = (text: string): readonly string[] =>
  commandsOf(text)
    .flatMap(({ paths }) => paths)
    .flatMap(({ written, change, rights = [] }) =>
      change === undefined ? [] : [`${written}: ${[change, ...rights].join(' ')}`],
    )

describe('what becomes of a path, beyond what its access says', () => {
  it.each<readonly [command: string, ...changes: readonly string[]]>([
    ['mv a b', 'a: moved'],
    ["rename 's/a/b/' a.txt", 'a.txt: moved'],
    ['git mv a b', 'a: versioned', 'b: versioned'],
    ['git rm a', 'a: versioned'],
    ['git diff > a'],
    ['shred -u a', 'a: wiped', 'a: wiped'],
    ['sdelete a', 'a: wiped'],
    ['rm a', 'a: asked'],
    ['rm -if a'],
    ['rm -f --interactive a', 'a: asked'],
    ['truncate -s 0 a', 'a: resized'],
    ['cp /dev/null a', 'a: emptied'],
    ['cp b a'],
    ['dd if=/dev/urandom of=a', 'a: emptied'],
    ['ln -sf /dev/null a', 'a: emptied'],
    [': > a', 'a: emptied'],
    [': >> a'],
    ["printf '' > a", 'a: emptied'],
    ['echo b > a'],
    ['cat /dev/null | tee a', 'a: emptied'],
    ['cat /dev/null | tee -a a'],
    ['ln a b', 'a: linked'],
    ['mkdir a', 'a: made'],
    ['touch a', 'a: touched'],
    ['chown me a', 'a: rights'],
    ['chmod 777 a', 'a: rights all-write'],
    ['chmod u+s a', 'a: rights as-owner'],
    ['chmod +x a', 'a: rights runs'],
    ['chmod -x a', 'a: rights runs-not'],
    ['chmod 600 a', 'a: rights others-lose runs-not'],
    ['cat a'],
  ])('%s', (command, ...changes) => {
    expect(changesOf(command)).toEqual(changes)
  })

  it('is said of what another command names, too', () => {
    expect(changesOf('find ~/a | xargs truncate -s 0')).toContain('\uFDD0: resized')
  })

  it('is a deletion of a device like that of any file, since all programs need it', () => {
    expect(lastOf('rm -f /dev/null')?.paths).toMatchObject([{ access: 'delete', absolute: '/dev/null' }])
    expect(lastOf('cat /dev/null')?.paths).toEqual([])
  })
})

describe('the container that a command runs in', () => {
  it.each<readonly [command: string, container: ShellCommand['container']]>([
    ['docker exec web rm a', {}],
    ['docker run --rm debian rm a', { passing: true }],
    ['docker run --privileged debian rm a', { open: true }],
    ['docker exec web sh -c "env A=b rm a"', {}],
    ['ssh host docker exec web rm a', {}],
    ['kubectl exec web -- rm a', {}],
    ['crictl exec web rm a', {}],
    ['docker exec web chroot /mnt rm a', undefined],
    ['docker exec web nsenter -t 1 rm a', undefined],
    ['docker exec web ssh host rm a', undefined],
    ['ssh host rm a', undefined],
    ['rm a', undefined],
  ])('%s', (command, container) => {
    expect(lastOf(command)?.container).toEqual(container)
  })
})

describe('what a command looks for or lists', () => {
  it.each<readonly [command: string, search: ShellCommand['search']]>([
    ['find .', { finds: 'all', names: [] }],
    ["find . -name '*.o' -delete", { finds: 'all', names: ['*.o'], looksAtNames: true }],
    ["find . ! -name '*.o' -delete", { finds: 'all', names: [], looksAtNames: true }],
    ["find . -delete -name '*.o'", { finds: 'all', names: ['*.o'], andOthers: true }],
    ["find . -name '*.o' -o -type f", { finds: 'all', names: ['*.o'], andOthers: true, looksAtNames: true }],
    ["find . -type f ! \\( -name '*.o' \\)", { finds: 'all', names: ['*.o'], andOthers: true, looksAtNames: true }],
    ['fd old', { finds: 'all', names: ['old'], andOthers: true }],
    ['plocate old', { finds: 'indexed', names: ['old'] }],
    ['grep -r --include=a.ts x', { finds: 'lines', names: ['a.ts'] }],
    ['find . -newer a', { finds: 'all', names: [], narrowed: '-newer a' }],
    ['find . -type l', { finds: 'all', names: [], onlyEmpty: true }],
    ['find . -type f -mtime +3', { finds: 'all', names: [], narrowed: '-mtime +3', onlyOld: true }],
    ['fd -e o', { finds: 'all', names: ['*.o'] }],
    ['git ls-files "*.ts"', { finds: 'files', names: ['*.ts'] }],
    ['ls -A', { finds: 'entries', names: [] }],
    ['cat a', undefined],
  ])('%s', (command, search) => {
    expect(lastOf(command)?.search).toEqual(search)
  })
})

describe('the text that a command writes into files', () => {
  it.each<readonly [command: string, text: string | undefined]>([
    ['echo a > b', 'a\n'],
    ['echo a >> b', 'a\n'],
    ['cat > b <<E\na\nE', 'a\n'],
    ['echo a | tee b', 'a\n'],
    ['> b', ''],
    ['echo a > /dev/null', undefined],
    ['make > b', undefined],
    ['echo a', undefined],
  ])('%s', (command, text) => {
    expect(lastOf(command)?.writes).toBe(text)
  })
})
