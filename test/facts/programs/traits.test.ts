import { describe, expect, it } from 'vitest'
import { families } from '../../../src/facts/programs/families.ts'
import { programTraits } from '../../../src/facts/programs/program.ts'
import { shellFacts } from '../../../src/facts/shell/shell-facts.ts'
import { requestOf } from '../../../src/words/request.ts'
import { callsIn } from '../../../src/words/calls.ts'

const factsOf = (text: string) => shellFacts(text, { cwd: '/work', home: '/home/u', workspaceRoots: ['/work'] })
const traitsOf = (text: string) => factsOf(text).commands.at(-1)?.traits ?? []

describe('what holds of a program whatever its words are', () => {
  it.each([
    ['kill 1234', 'endsProcesses'],
    ['/usr/bin/kill -9 1234', 'endsProcesses'],
    ['sudo renice 5 -p 1', 'hindersProcesses'],
    ['pskill64 1234', 'endsProcesses'],
    ['readonly A=b', 'declares'],
    ['getopts a b', 'changesShell'],
    ['readlink -f x', 'locatesPrograms'],
    ['bundler rake', 'startsTools'],
    ['nodejs a.js', 'runsJavascript'],
    ['gawk 1 a.txt', 'scripted'],
    ['python3.12 a.py', 'opensSockets'],
    ['ruby3.2 a.rb', 'opensSockets'],
    ['ip6tables-nft -L', 'filtersPackets'],
    ['diff3 a b c', 'saysWhatChanges'],
    ['pigz a.txt', 'saysWhatChanges'],
    ['chdir a', 'changesFolder'],
    ['setenv A b', 'setsByWords'],
    ['gcat a.txt', 'onlyPrints'],
    ['ed a.txt', undefined],
    // No file is the builtin `.`, and no name with a number the program without it, unless that is an interpreter.
    ['.txt', undefined],
    ['cat2 a.txt', undefined],
    ['./kill2 1', undefined],
  ])('is said on the command: %s', (text, trait) => {
    expect(traitsOf(text)).toEqual(trait === undefined ? [] : expect.arrayContaining([trait]))
  })

  it('is said of at least one program', () => {
    const said = new Set(
      families.flatMap(({ programs, rows = {} }) =>
        [rows, ...Object.values(programs)].flatMap((one) => Object.keys(one)),
      ),
    )
    expect(programTraits.filter((trait) => !said.has(trait))).toEqual([])
  })
})

describe('a program of GNU beside that of the system', () => {
  it.each([
    'rm -rf a',
    'cp -al a b',
    'tee a',
    'chown -R u a',
    'date -s 1',
    'timeout 5 rm -rf a',
    'grep -rl a b',
    'sed -i 1d a',
  ])('does what it does by its own name: g%s', (text) => {
    const effects = (line: string) =>
      factsOf(line).commands.map(({ paths, traits, output }) => ({ paths, traits, output }))
    expect(effects(`g${text}`)).toEqual(effects(text))
  })
})

describe('how a program’s words say what it asks for', () => {
  it.each([
    ['curl -X DELETE https://a.example/b', 'DELETE'],
    ['curlie -d x https://a.example/b', 'POST'],
    ['/usr/bin/wget2 --method=PUT https://a.example/b', 'PUT'],
    ['xhs PATCH a.example/b', 'PATCH'],
    ['Invoke-RestMethod -Method Delete -Uri https://a.example/b', 'DELETE'],
    ['lwp-request -m DELETE https://a.example/b', 'DELETE'],
    ['hey -m PUT https://a.example/b', 'PUT'],
    ['grpcurl a.example:443 shop.Users/RemoveUser', 'POST'],
    ['grpcurl a.example:443 describe shop.Users.RemoveUser', 'GET'],
    ["hurl <<< 'DELETE https://a.example/b'", 'DELETE'],
    ['echo -X DELETE https://a.example/b', undefined],
    ['bundle curl -X DELETE https://a.example/b', undefined],
  ])('is read by the entry: %s', (text, method) => {
    const shell = factsOf(text)
    expect(callsIn(shell).map((call) => requestOf(call, shell)?.method)).toEqual(
      text.startsWith('bundle') ? [undefined, undefined] : [method],
    )
  })
})
