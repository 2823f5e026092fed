import { describe, expect, it } from 'vitest'
import { unwrapLimits } from '../../../src/model/limits.ts'
import { unwrapped } from './unwrapped.ts'

const from = (command: string, stdin: string) => unwrapped(command, { stdin: { value: stdin } })
const fromUnknown = (command: string) => unwrapped(command, { stdin: { value: '\uFDD0', unresolved: true } })

describe('the text on stdin', () => {
  it.each([
    ['bash', 'rm x', ['script: rm x']],
    ['bash -s a b', 'rm x', ['script: rm x']],
    ['python3 -', 'code', ['python: code']],
    ['node', 'code', ['javascript: code']],
    ['perl', 'code', ['perl: code']],
    ['ssh host', 'rm x', ['script elsewhere: rm x']],
    ['at now', 'rm x', ['script: rm x']],
    ['crontab -', '# no\n0 4 * * 1-5 rm x\n@reboot rm y\nA=b', ['script: rm x', 'script: rm y']],
    ['make -f -', 'all: y\n\t@rm x\n\t-rm $$HOME $(Z)\n', ['script: rm x', 'script: rm $HOME ?']],
    ['sftp host', 'get a\n!rm x', ['script: rm x']],
    ['psql', '\\! ls', ['sql: \\! ls']],
    ['fakeroot', 'rm x', ['script: rm x']],
    ['chroot /srv', 'rm x', ['script elsewhere: rm x']],
    ['script -q /dev/null', 'rm x', ['script: rm x']],
  ])('is run by %s', (command, stdin, starts) => {
    expect(from(command, stdin)).toEqual(starts)
  })

  it.each([
    ['bash script.sh', 'rm x'],
    ['bash -n', 'rm x'],
    ['python3 script.py', 'code'],
    ['cat', 'rm x'],
    ['chroot', 'rm x'],
    ['crontab -l', '* * * * * rm x'],
    ['make', 'all:\n\trm x'],
    ['ssh -N host', 'rm x'],
    ['at -l', 'rm x'],
  ])('is not run by %s', (command, stdin) => {
    expect(from(command, stdin)).toEqual([])
  })

  it('is uncertain as a script if it is unknown', () => {
    expect(fromUnknown('bash')).toEqual(['script: ?'])
  })
})

describe('arguments on stdin', () => {
  it.each([
    ['xargs rm -f', 'a "b c"\nd\\ e', ['words: rm -f a b c d e']],
    ['xargs -n1 rm', 'a b', ['words: rm a', 'words: rm b']],
    ['xargs -0 rm', 'a\0b', ['words: rm a b']],
    ['xargs -d , rm', 'a,b', ['words: rm a b']],
    ['xargs -I{} sh -c "rm {}"', 'a b\nc', ['words: sh -c rm a b', 'words: sh -c rm c']],
    ['xargs -i rm {}', 'a', ['words: rm a']],
    ['xargs --replace=% rm %', 'a', ['words: rm a']],
    ['xargs -P2 -n 2 -- rm', 'a b c', ['words: rm a b', 'words: rm c']],
    ['parallel rm', 'a\nb', ['script: rm a', 'script: rm b']],
    ['parallel bash -c {}', 'rm x', ["script: bash -c 'rm x'"]],
    ['parallel', 'rm x', ['script: rm x']],
    ['rust-parallel -s', 'rm x', ['script: rm x']],
    ['rush "rm {}"', 'a\nb', ['script: rm a', 'script: rm b']],
    ['rush "rm {2} {%}"', 'a b', ['script: rm b ?']],
    ['gargs "rm {0}"', 'a b', ['script: rm a']],
    ['xjobs', 'rm x\nrm y', ['script: rm x', 'script: rm y']],
    ['xjobs -1 rm', 'a b\nc', ['words: rm a b', 'words: rm c']],
    ['xjobs -j 2 tar tf', 'a > b\n%%\n# c', ['script: tar tf a > b']],
    ['xe -s "rm $1"', 'a', ['words: sh -c rm $1 - a']],
    ['xe rm {} x', 'a b\nc', ['words: rm a b x', 'words: rm c x']],
    ['xe -N0 rm', 'a\nb', ['words: rm a b']],
    ['xe -a rm -- x y', 'a', ['words: rm x', 'words: rm y']],
    ['xe -A % rm % x', 'a', ['words: rm x']],
    ['xe -p %.c rm %.o + % cat %', 'a', ['words: rm ?.o a', 'words: cat a a']],
  ])('are passed to a command by %s', (command, stdin, starts) => {
    expect(from(command, stdin)).toEqual(starts)
  })

  it.each([
    ['xargs rm', ['words: rm ?']],
    ['xargs -I{} rm x{}', ['words: rm x?']],
    ['parallel rm {}', ['script: rm ?']],
  ])('are unknown if it is unknown: %s', (command, starts) => {
    expect(fromUnknown(command)).toEqual(starts)
    expect(unwrapped(command)).toEqual(starts)
  })

  it.each(['xargs', 'xargs -I {}', 'xargs -0 --', 'xargs --help rm'])('start nothing with %s', (command) => {
    expect(from(command, 'rm x')).toEqual([])
  })

  it('of parallel may follow a mark, and combine', () => {
    expect(unwrapped('parallel rm {} ::: a b')).toEqual(['script: rm a', 'script: rm b'])
    expect(unwrapped('parallel rm {2}/{1} ::: a ::: b c')).toEqual(['script: rm b/a', 'script: rm c/a'])
    expect(unwrapped("parallel ::: 'rm x'")).toEqual(['script: rm x'])
    expect(unwrapped('parallel --dry-run rm ::: a')).toEqual([])
  })

  it('are parsed up to a limit, and the rest is reported', () => {
    const lines = Array.from({ length: unwrapLimits.runsMax + 1 }, (_, at) => `f${at}`).join('\n')
    const starts = from('xargs -n1 rm', lines)
    expect(starts.filter((one) => one.startsWith('words'))).toHaveLength(unwrapLimits.runsMax)
    expect(starts.filter((one) => one.startsWith('left out'))).toHaveLength(1)
  })
})
