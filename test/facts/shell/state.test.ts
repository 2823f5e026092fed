import { describe, expect, it } from 'vitest'
import { type ShellCommand, unknownPart } from '../../../src/model/shell.ts'
import { factsOf, lineOf, linesOf } from '../../support/shell-facts.ts'

/** Lists folder and line of each command of a program. */
const placed = (text: string, program = 'ls') =>
  factsOf(text)
    .commands.filter((command) => command.program === program)
    .map(({ cwd }) => cwd)

const only = (text: string, program: string): ShellCommand => {
  const found = factsOf(text).commands.filter((command) => command.program === program)
  expect(found).toHaveLength(1)
  const [first] = found
  if (first === undefined) throw new Error(`no ${program}`)
  return first
}

describe('the working directory', () => {
  it.each([
    ['stays', 'ls', ['/home/u/proj']],
    ['follows cd behind &&', 'cd src && ls', ['/home/u/proj/src']],
    ['may be either where cd may fail', 'cd src; ls', ['/home/u/proj/src', '/home/u/proj']],
    ['is certain where going there cannot fail', 'cd /tmp; ls', ['/tmp']],
    ['is certain where a failure ends the shell', 'cd src || exit 1; ls', ['/home/u/proj/src']],
    ['is certain under set -e', 'set -e; cd src; ls', ['/home/u/proj/src']],
    ['is certain above', 'cd ..; ls', ['/home/u']],
    ['goes home', 'cd; ls', ['/home/u']],
    ['goes to ~', 'cd ~; ls', ['/home/u']],
    ['goes back', 'cd / && cd - && ls', ['/home/u/proj']],
    ['is a subshell’s own', '(cd /tmp; ls); ls', ['/tmp', '/home/u/proj']],
    ['is a substitution’s own', 'x=$(cd /tmp; ls); ls', ['/tmp', '/home/u/proj']],
    ['is pushed and popped', 'pushd /tmp; ls; popd; ls', ['/tmp', '/home/u/proj']],
    ['is unknown after an unknown one', 'cd "$NOWHERE" && ls', [undefined]],
    ['is that of a branch or not', 'if x; then cd /tmp; fi; ls', ['/tmp', '/home/u/proj']],
    ['is in PWD', 'cd /tmp; cd "$PWD/a" && ls', ['/tmp/a']],
    ['is given by dirname', 'cd "$(dirname /a/b/c)" && ls', ['/a/b']],
  ])('%s', (_, text, folders) => {
    expect(placed(text)).toEqual(folders)
  })
})

describe('a variable', () => {
  it.each([
    ['is what it was given', 'x=a; echo $x', ['echo a']],
    ['is split without quotes', 'x=\'a b\'; echo $x "$x"', ['echo a b a b']],
    ['may have two values', 'if y; then x=a; else x=b; fi; echo $x', ['y', 'echo a', 'echo b']],
    ['has one behind a condition that holds', 'x=a; true && x=b; echo $x', ['true', 'echo b']],
    ['keeps its value behind one that does not', 'x=a; false && x=b; echo $x', ['false', 'echo a']],
    ['is a subshell’s own', 'x=a; (x=b); echo $x', ['echo a']],
    ['is changed by a group', 'x=a; { x=b; }; echo $x', ['echo b']],
    ['is not exported by itself', "x=a; sh -c 'echo $x'", ['sh -c echo $x', 'echo ']],
    ['is exported', "export x=a; sh -c 'echo $x'", ['export x=a', 'sh -c echo $x', 'echo a']],
    [
      'is not there under env -i',
      'export x=a; env -i sh -c \'echo "$x"\'',
      ['export x=a', 'env -i sh -c echo "$x"', 'sh -c echo "$x"', 'echo '],
    ],
    ['holds for one command', "x=a sh -c 'echo $x'; echo $x", ['sh -c echo $x', 'echo a', 'echo …']],
    ['is the home', 'echo $HOME ~ ~/a ~root', ['echo /home/u /home/u /home/u/a /root']],
    ['counts', 'x=1; ((x++)); echo $x $((x * 3))', ['echo 2 6']],
    ['is the length', 'x=abc; echo ${#x}', ['echo 3']],
    ['is what a command printed', 'x=$(echo a); echo $x', ['echo a', 'echo a']],
    ['is unknown after a program’s output', 'x=$(hostname); echo "$x"', ['hostname', 'echo …']],
  ])('%s', (_, text, lines) => {
    expect(linesOf(text).map((line) => line.trimEnd())).toEqual(lines.map((line) => line.trimEnd()))
  })

  it('that is unknown is named, and may be several words', () => {
    const [first, second] = only('cp $FROM "$TO"', 'cp').args
    expect(first).toMatchObject({ unresolved: true, several: true, variable: 'FROM' })
    expect(second).toMatchObject({ unresolved: true, variable: 'TO' })
    expect(second?.several).toBeUndefined()
  })

  it.each([
    ['echo "$USER:$TOKEN"', ['USER', 'TOKEN']],
    ['read v; echo "${!v}"', [unknownPart]],
    ['read v; echo "$v=${!v}"', ['v', unknownPart]],
    ['read v; x=${!v}; echo "$x"', [unknownPart]],
  ])('with several unknown variables, or one of an unknown name, names them all: %s', (text, variables) => {
    const [word] = only(text, 'echo').args
    expect(word).toMatchObject({ unresolved: true, variables })
    expect(word).not.toHaveProperty('variable')
  })

  it('that zsh expands by the name in another is named by that name', () => {
    expect(only("zsh -c 'v=TOKEN; echo ${(P)v}'", 'echo').args).toMatchObject([{ variable: 'TOKEN' }])
  })
})

describe('a word', () => {
  it('that is a pattern keeps quoted characters escaped', () => {
    expect(only('rm /tmp/*.log "a*b"c?', 'rm').args).toEqual([
      { value: '/tmp/*.log', pattern: '/tmp/*.log' },
      { value: 'a*bc?', pattern: 'a\\*bc?' },
    ])
  })

  it('that names the program is compared without folder, case and .exe', () => {
    expect(only('/usr/bin/RM -f x', 'rm').written?.value).toBe('/usr/bin/RM')
    expect(only('"C:\\Tools\\Git.exe" status', 'git').args).toHaveLength(1)
  })

  it('that leaves the program unknown makes its command uncertain', () => {
    const [command] = factsOf('"$TOOL" -rf /').commands
    expect(command).toMatchObject({ program: '', uncertain: ['which program `$TOOL` is cannot be known'] })
  })

  it('that names the program in an unknown folder makes its command no less certain', () => {
    expect(only('"$ROOT/bin/rm" -rf /', 'rm').uncertain).toEqual([])
    expect(only('$(which python3) a.py', 'python3').uncertain).toEqual([])
    expect(factsOf('PY=$(which python3 || which python); "$PY" a.py').uncertain).toEqual([])
  })

  it('with a space that bash does not know makes its command uncertain', () => {
    expect(factsOf('rm\u3000-rf /').commands[0]?.uncertain).not.toEqual([])
    expect(factsOf('rm -rf /').commands[0]?.uncertain).toEqual([])
  })

  it('has the place where its command was written', () => {
    const text = 'ls; f() { rm -rf /; }; f; eval "rm -rf ~"'
    const places = factsOf(text).commands.map(({ place }) => text.slice(place.start, place.end))
    expect(places).toEqual(['ls', 'rm -rf /', 'eval "rm -rf ~"', 'eval "rm -rf ~"'])
  })
})

describe('descriptors', () => {
  const targets = (text: string, program: string) =>
    only(text, program).redirections.map(
      ({ operator, descriptor, target }) => `${descriptor}${operator}${target?.value}`,
    )

  it.each([
    ['exec 3>log; tar c . >&3', ['1>log']],
    ['exec {fd}>log; tar c . >&$fd', ['1>log']],
    ['exec 4>log; exec 3>&4-; tar c . >&3', ['1>log']],
    ['exec 3>log; exec 3>&-; tar c . >&3', []],
    ['exec 3>log; tar cf /dev/fd/3 .', ['3>log']],
    ['{ tar c .; } > log', ['1>log']],
    ['tar c . &> log', ['1>log', '2>log']],
    ['tar c . > log 2>&1', ['1>log', '2>log']],
    ['tar x < a', ['0<a']],
  ])('%s: %j', (text, expected) => {
    expect(targets(text, 'tar')).toEqual(expected)
  })

  it.each([
    ['cat <<E\na $HOME\nE', 'a /home/u\n'],
    ["cat <<'E'\na $HOME\nE", 'a $HOME\n'],
    ['cat <<-E\n\ta\n\tE', 'a\n'],
    ['cat <<< "a b"', 'a b\n'],
    ['echo a | cat', 'a\n'],
    ['(echo a; echo b) | cat', 'a\nb\n'],
    ['for i in 1 2; do echo $i; done | cat', '1\n2\n'],
    ['echo a > f; cat < f', 'a\n'],
  ])('%j gives text to stdin', (text, stdin) => {
    expect(only(text, 'cat').stdin).toEqual({ value: stdin })
  })

  it('that are unknown give unknown text', () => {
    expect(only('curl x | cat', 'cat').stdin).toMatchObject({ unresolved: true })
    expect(only('cat', 'cat').stdin).toBeUndefined()
    expect(only('cat < f', 'cat').stdin).toBeUndefined()
  })
})

describe('flows', () => {
  const flows = (text: string) => {
    const { commands, flows: all } = factsOf(text)
    const name = (at: number) => commands[at]?.program ?? '?'
    return all.map(({ from, to, via, as }) => `${name(from)} ${via} ${name(to)} ${as}`)
  }

  it.each([
    ['curl x | sh', ['curl pipe sh code']],
    ['curl x | grep y', ['curl pipe grep data']],
    ['curl x | tee f | sh', ['curl pipe tee data', 'tee pipe sh code']],
    ['sh -c "$(curl x)"', ['curl argument sh code']],
    ['echo "$(curl x)"', ['curl argument echo data']],
    ['eval "$(curl x)"', ['curl argument eval code']],
    ['x=$(curl x); eval "$x"', ['curl variable eval code']],
    ['x=$(curl x); echo "$x"', ['curl variable echo data']],
    ['bash <(curl x)', ['curl descriptor bash code']],
    ['cat <(curl x)', ['curl descriptor cat data']],
    ['source <(curl x)', ['curl descriptor source code']],
    ['curl x > >(sh)', ['curl pipe sh code']],
    ['(curl x) | sh', ['curl pipe sh code']],
    ['sh <<< "$(curl x)"', ['curl argument sh code']],
    ['coproc { sh; }; curl x >&"${COPROC[1]}"', ['curl pipe sh code']],
  ])('%s: %j', (text, expected) => {
    expect(flows(text)).toEqual(expect.arrayContaining(expected))
  })
})

describe('uncertainty', () => {
  it.each([
    ['text from outside that is run', 'curl x | sh', 'the text that `sh` runs cannot be known'],
    ['a variable that is run', 'eval "$X"', 'the text that `eval` runs cannot be known'],
    ['a part of what is run', 'sh -c "ls $X"', 'a part of the text that `sh` runs cannot be known'],
    ['what runs before a prompt', "PROMPT_COMMAND='rm -rf /'", 'the commands of a prompt are not followed'],
    ['a substitution in a prompt', "export PS4='$(rm -rf /)'", 'the commands of a prompt are not followed'],
    ['a redefined program name', 'hash -p /bin/rm ls', '`hash` changes which program a name stands for'],
    ['a disabled builtin', 'enable -n echo', '`enable` changes which builtins there are'],
  ])('is reported for the command: %s', (_, text, what) => {
    expect(factsOf(text).commands.flatMap(({ uncertain }) => uncertain)).toContain(what)
  })

  it('is reported for invalid shell text', () => {
    expect(factsOf("ls; echo 'x").uncertain).not.toEqual([])
    expect(factsOf("ls; echo 'x'").uncertain).toEqual([])
  })

  it('is not reported for a prompt without commands', () => {
    expect(factsOf("PS1='$ '; enable -p; hash -r").commands.flatMap(({ uncertain }) => uncertain)).toEqual([])
  })

  it('is reported for the output of a coprocess', () => {
    expect(factsOf('coproc ls').uncertain).toEqual(['the output of a coprocess is not followed'])
  })

  it.each(["[[ -v 'a[$(rm x)]' ]]", "[[ 'a[$(rm x)]' -eq 0 ]]", "[[ 0 -lt 'a[`rm x`]' ]]"])(
    'is reported for a subscript that a test evaluates: %s',
    (text) => {
      expect(factsOf(text).uncertain).toEqual(['a test runs code in an array subscript'])
    },
  )

  it('is not reported for a subscript that is only compared', () => {
    expect(factsOf("[[ 'a[$(rm x)]' == b ]]; [[ -n 'a[$(rm x)]' ]]; [[ -v 'a[1]' ]]").uncertain).toEqual([])
  })

  it('is reported for a function that calls itself', () => {
    expect(factsOf('f() { ls; f; }; f').uncertain).not.toEqual([])
  })
})

describe('a fork bomb', () => {
  it.each([
    ':(){ :|:& };:',
    'f() { f | f & }; f',
    'f() { f & f & }; f',
    'a() { b | b & }; b() { a | a & }; a',
    'while true; do x & done',
    'until false; do x & done',
    'while ((1)); do x & done',
    'for ((;;)); do x & done',
    'while :; do (x &); wait; done',
    'while true; do x & (wait); done',
    'while true; do wait; x & disown; done',
  ])('is %s', (text) => {
    expect(factsOf(text).forkBomb).toBe(true)
  })

  it.each([
    "echo ':(){ :|:& };:'",
    ':(){ :|:& }',
    'a() { b; }; b() { a; }; a',
    'a() { b & }; a; b() { a; }',
    'while true; do x & break; done',
    'while true; do x & wait; done',
    'while true; do x & exit; done',
    'while true; do (x & wait); done',
    'while x; do y & done',
    'for i in 1 2 3; do x & done; wait',
  ])('is not %s', (text) => {
    expect(factsOf(text).forkBomb).toBeUndefined()
  })
})

describe('how a command is reached', () => {
  it.each([
    ['(rm x)', ['subshell']],
    ['rm x &', ['background']],
    ['ls | rm x', ['pipeline']],
    ['if ls; then rm x; fi', ['condition']],
    ['for i in 1; do rm x; done', ['loop']],
    ['case a in a) rm x;; esac', ['case']],
    ['echo $(rm x)', ['substitution']],
    ['f() { rm x; }; f', ['function']],
    ["eval 'rm x'", ['eval']],
    ["trap 'rm x' EXIT", ['trap']],
    ["bash -c 'rm x'", ['wrapper']],
    ['coproc rm x', ['coproc']],
  ])('%s: %j', (text, through) => {
    expect(only(text, 'rm').reach.map((one) => one.through)).toEqual(through)
  })

  it('includes the command that starts it', () => {
    const { commands } = factsOf("sudo bash -c 'rm $(ls)'")
    const starter = commands.map(({ startedBy }) => commands.slice(startedBy ?? commands.length).map(lineOf)[0])
    expect(commands.map(({ program }) => program)).toEqual(['sudo', 'bash', 'ls', 'rm'])
    expect(starter).toEqual([undefined, 'sudo bash -c rm $(ls)', 'rm …', 'bash -c rm $(ls)'])
  })
})
