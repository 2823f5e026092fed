import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { type ShellCommand, type ShellWord, unknownPart } from '../../../src/model/shell.ts'
import { shellFacts } from '../../../src/facts/shell/shell-facts.ts'
import { runsOf } from '../../support/sample.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-trace-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const [bin, home, work, logs] = ['bin', 'home', 'work', 'logs'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
  string,
]
for (const one of [bin, home, work, logs, join(work, 'b'), join(work, 'a/b'), join(work, 'a/a/a/a/a')])
  mkdirSync(one, { recursive: true })
/** Programs that only record their folder and arguments. One of them fails. */
for (const [name, status] of [
  ['p', 0],
  ['q', 0],
  ['r', 1],
] as const) {
  const file = join(bin, name)
  const lines = [
    '#!/bin/bash',
    `[ $# -gt 0 ] && printf -v rest '\\x1f%s' "$@"`,
    `printf '%s\\x1f%s%s\\x1e' "$PWD" ${name} "$rest" >> "$TRACE_LOG"`,
    `exit ${status}`,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  chmodSync(file, 0o755)
}

let runsTraced = 0

/** Lists what a real bash runs, each with its folder in front; `undefined` if it was ended before it was through. */
function traced(script: string): readonly string[] | undefined {
  // Not one file for all: what bash does not wait for would be taken for a command of the next script.
  const log = join(logs, `${(runsTraced += 1)}`)
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, TRACE_LOG: log }
  try {
    execFileSync('bash', ['-c', script], { cwd: work, env, stdio: 'ignore', timeout: 10_000 })
  } catch (error) {
    // The script's exit code does not matter.
    if (error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT') return undefined
  }
  return existsSync(log) ? readFileSync(log, 'utf8').split('\u001e').slice(0, -1).toSorted() : []
}

/** Finds the commands among these programs; `undefined` if the script exceeds a limit. */
function found(script: string): readonly ShellCommand[] | undefined {
  const { commands, uncertain: what } = shellFacts(script, { cwd: work, home, workspaceRoots: [work], env: {} })
  return what.length > 0 ? undefined : commands.filter(({ program: name }) => /^[pqr]$/.test(name))
}

/** Builds a pattern of the words in which unknown parts match anything. */
function shapeOf(cwd: string | undefined, program: string, args: readonly ShellWord[]): RegExp {
  const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const words = args.map((word) => {
    const text = `\u001f${word.value.split(unknownPart).map(escape).join('[^]*')}`
    return word.several === true || word.pattern !== undefined ? `(?:${text}|\u001f[^]*)?` : text
  })
  return new RegExp(`^${cwd === undefined ? '[^]*' : escape(cwd)}\u001f${program}${words.join('')}$`)
}

const literals = fc.constantFrom('x', "'y z'", '"k"', 'm\\ n', "$'t\\tu'", '1')
/** Generates words whose values follow from the script alone. */
const word = fc.oneof(
  literals,
  fc.constantFrom(
    '$v',
    '"$v"',
    '"$w"',
    '$w',
    '${v}s',
    '"${w%?}"',
    '${w#b}',
    '"${v/a/o}"',
    '${#w}',
    '"${w^^}"',
    '${w:1:2}',
  ),
  fc.constantFrom(
    '"${u:-d e}"',
    '${u-f}',
    '${v:+g}',
    '"$((${#v} + 2))"',
    '$((1<2))',
    '"$(echo h i)"',
    '$(printf "%s-" 1 2)',
    '`echo j`',
  ),
  fc.constantFrom(
    '{l,m}',
    'n{1..3}',
    '"$@"',
    '$#',
    '"$1"',
    '"${l[@]}"',
    '${l[1]}',
    '~',
    '~/c',
    "'$v'",
    '\\$v',
    'o"$v"$w',
  ),
)
const words = fc.array(word, { maxLength: 3 }).map((all) => all.join(' '))
const program = fc.tuple(fc.constantFrom('p', 'q'), words).map(([name, rest]) => `${name} ${rest}`)
const change = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('v', 'w', 'u'),
      word.filter((one) => !/[{@]/.test(one)),
    )
    .map(([name, value]) => `${name}=${value}`),
  fc.constantFrom(
    "w+=' c'",
    'unset u',
    'l+=(z)',
    'export v',
    'set -- s "t u"',
    'read u <<< "aa bb"',
    'printf -v u "%s+" 1 2',
    'n=v',
  ),
  fc.constantFrom('cd a && cd ..', '((k = 3)); v=$k', 'l[1]=y', 'declare -u u=low', 'IFS=- read u w <<< "1-2"'),
)

/** Generates scripts of which every command runs. */
const { certain } = fc.letrec((tie) => {
  const list = fc.array(tie('one'), { minLength: 1, maxLength: 3 }).map((all) => all.join('\n'))
  return {
    one: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'certain' },
      program,
      change,
      list.map((body) => `( ${body}\n)`),
      list.map((body) => `{ ${body}\n}`),
      list.map((body) => `true && { ${body}\n}`),
      list.map((body) => `false || { ${body}\n}`),
      list.map((body) => `! false && { ${body}\n}`),
      list.map((body) => `if true; then ${body}\nfi`),
      list.map((body) => `if false; then :; elif [ 1 -eq 1 ]; then ${body}\nfi`),
      list.map((body) => `case "x y" in x*) ${body}\nesac`),
      fc.tuple(words.filter(Boolean), list).map(([all, body]) => `for i in ${all}; do p "$i"; ${body}\ndone`),
      list.map((body) => `for ((j = 0; j < 2; j++)); do q $j; ${body}\ndone`),
      list.map((body) => `while read -r line; do p "$line"; ${body}\ndone <<< $'1\\n2 3'`),
      fc.tuple(words, list).map(([all, body]) => `f() { local v=in; p "$#" "$v"; ${body}\n}\nf ${all}`),
      list.map((body) => `eval '${body.replaceAll("'", `'\\''`)}'`),
      list.map((body) => `(cd a && { ${body}\n})`),
      program.map((one) => `x=$(${one})`),
      program.map((one) => `echo "$(${one})" > /dev/null`),
      program.map((one) => `: "$(( $(${one}) + 1 ))"`),
      program.map((one) => `${one} | cat`),
      program.map((one) => `echo a b | { read c d; p "$d" "$c"; ${one}; }`),
      program.map((one) => `export v; bash -c '${one.replaceAll("'", `'\\''`)}' name s`),
      program.map((one) => `bash <<'END'\n${one}\nEND`),
      program.map((one) => `cat <(${one}) > /dev/null`),
      program.map((one) => `${one} & wait`),
    ),
    certain: list,
  }
})

/** Generates scripts with commands that may not run: programs fail, folders are missing, branches are skipped. */
const { uncertain } = fc.letrec((tie) => {
  const list = fc.array(tie('one'), { minLength: 1, maxLength: 3 }).map((all) => all.join('\n'))
  const test = fc.constantFrom(
    'p',
    'r',
    'true',
    'false',
    '[ -d a ]',
    '[ "$v" = a ]',
    '[[ $w == b* ]]',
    'cd a',
    'cd none',
    '((k++ < 2))',
  )
  return {
    one: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'uncertain' },
      program,
      change,
      fc.constantFrom(
        'cd a',
        'cd b',
        'cd ..',
        'cd none',
        'pushd a',
        'popd',
        'set -e',
        'return',
        'exit',
        'break',
        'continue',
      ),
      fc.tuple(test, list, list).map(([one, yes, no]) => `if ${one}; then ${yes}\nelse ${no}\nfi`),
      fc.tuple(test, list).map(([one, body]) => `${one} && { ${body}\n}`),
      fc.tuple(test, list).map(([one, body]) => `${one} || { ${body}\n}`),
      fc.tuple(test, list).map(([one, body]) => `z=0; while ${one} && ((z++ < 3)); do ${body}\ndone`),
      fc
        .tuple(word, list, list)
        .map(([one, first, other]) => `case ${one} in x|a*) ${first};; *[0-9]) ${other};;& *) q;; esac`),
      fc.tuple(words.filter(Boolean), list).map(([all, body]) => `for i in ${all} a/*; do p "$i" $v; ${body}\ndone`),
      fc.tuple(test, list).map(([one, body]) => `g() { ${one} || return; ${body}\n}; g x; g "$v"`),
      list.map((body) => `( ${body}\n)`),
      fc.tuple(test, list).map(([one, body]) => `u=$(${one} && echo 1 || echo 2); p $u; ${body}`),
      fc
        .tuple(test, program)
        .map(([one, run]) => `${one} && e="${run.replaceAll(/["$`\\]/g, '')}" || e=q; $e; eval "$e"`),
    ),
    uncertain: list,
  }
})

const start = "v=a; w='b c'; l=(1 '2 3'); k=0; unset u; set -- s 't u'\n"
const runs = { numRuns: runsOf(100), interruptAfterTimeLimit: 20_000 }

describe('the commands of a script', () => {
  it('are exactly what bash runs, where every command runs', () => {
    const check = fc.property(certain, (script) => {
      const text = start + script
      const analysed = found(text)?.map(({ cwd, program: name, args }) =>
        [cwd ?? '?', name, ...args.map(({ value }) => value)].join('\u001f'),
      )
      const ran = traced(text)
      fc.pre(ran !== undefined)
      expect(analysed?.toSorted()).toEqual(ran)
    })
    fc.assert(check, runs)
  })

  it('include what bash runs, where some commands may not run', () => {
    const check = fc.property(uncertain, (script) => {
      const text = start + script
      const shapes = found(text)?.map(({ cwd, program: name, args }) => shapeOf(cwd, name, args))
      const ran = shapes && traced(text)
      fc.pre(ran !== undefined)
      expect(ran.filter((line) => !shapes?.some((shape) => shape.test(line)))).toEqual([])
    })
    fc.assert(check, runs)
  })
})
